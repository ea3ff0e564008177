// A plug as a fuzz target: it never crashes, and disagrees with the reader only in known classes.
#include "fuzz/fuzz.h"
#include "fuzz/plug/compare.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    plug_class class = plug_compare(jrpc_slice_of((const char *)data, size));
    FUZZ_REQUIRE(class != PLUG_TAKES_OTHER && class != PLUG_REFUSES_OTHER &&
                 class != PLUG_CHANGES_OTHER);
    return 0;
}
