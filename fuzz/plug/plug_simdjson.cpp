// simdjson's DOM: parses, and writes what it read without white space.
#include "fuzz/plug/plug.h"

#include <cstring>
#include <simdjson.h>
#include <string>

#define VERSION_WORDS(version) #version
#define VERSION_TEXT(version) VERSION_WORDS(version)

extern "C" const char *plug_name(void)
{
    return "simdjson " VERSION_TEXT(SIMDJSON_VERSION);
}

extern "C" bool plug_parse(const char *text, size_t len, char **ret_spelled)
{
    *ret_spelled = nullptr;
    simdjson::dom::parser parser;
    simdjson::dom::element value;
    if (parser.parse(text, len).get(value) != simdjson::SUCCESS) {
        return false;
    }
    const std::string spelled = simdjson::minify(value);
    *ret_spelled = strdup(spelled.c_str());
    return true;
}
