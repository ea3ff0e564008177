// A plug as a fuzz target: it never crashes, and disagrees with the reader only where RFC 8259
// leaves it open (finding.h).
#include "fuzz/fuzz.h"
#include "fuzz/plug/compare.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    jrpc_slice text = jrpc_slice_of((const char *)data, size);
    plug_class class = plug_compare(text);
    if (class != PLUG_AGREES) {
        plug_found(plug_kind_of(class), text, plug_explain_text);
    }
    return 0;
}
