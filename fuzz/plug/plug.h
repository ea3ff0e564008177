// Bring your own parser: two functions, and a JSON parser gets our mutator, corpus, dictionary and
// a second opinion on everything it does.
//
// Copy template.c, fill it in, and say:
//
//   scripts/fuzz plug my_plug.c --time 60 -- mylib.c -Iinclude -lm
//
// docs/fuzzing-your-parser.md tells the rest. A dispatcher is asked by plug_router.h, a decoder of
// a framing by plug_framing.h. One plug a program: parsers share symbol names.
#ifndef JRPC_FUZZ_PLUG_PLUG_H
#define JRPC_FUZZ_PLUG_PLUG_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// The parser's name and version. Constant.
const char *plug_name(void);

// Parses `len` bytes (a NUL stands after them, not counted) as one JSON text. False if the parser
// refuses them. True: *ret_spelled is what it writes for the value it read, NUL-terminated and from
// malloc (the caller frees it), or NULL where it cannot write.
bool plug_parse(const char *text, size_t len, char **ret_spelled);

#ifdef __cplusplus
}
#endif

#endif
