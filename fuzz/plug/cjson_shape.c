// The shape of cJSON's own public fuzz target (parse, print in each way, minify, delete), without
// an oracle: what executions a second are measured beside.
#include "fuzz/fuzz.h"

#include <cjson/cJSON.h>
#include <stdlib.h>

enum { BUFFER_BYTES = 1 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    char *text = malloc(input.text.len + 1);
    FUZZ_REQUIRE(text != NULL);
    if (input.text.len != 0) {
        memcpy(text, input.text.ptr, input.text.len);
    }
    text[input.text.len] = '\0';
    cJSON *value = cJSON_ParseWithOpts(text, NULL, (input.options[0] & 1) != 0);
    if (value != NULL) {
        char *printed = (input.options[0] & 2) != 0
                            ? cJSON_PrintBuffered(value, BUFFER_BYTES, (input.options[0] & 4) != 0)
                        : (input.options[0] & 4) != 0 ? cJSON_Print(value)
                                                      : cJSON_PrintUnformatted(value);
        free(printed);
        cJSON_Minify(text);
        cJSON_Delete(value);
    }
    free(text);
    return 0;
}
