// Bring your own parser: two functions, and a JSON parser gets our mutator, corpus, dictionary and
// a second opinion on everything it does.
//
// Copy template.c, fill it in, and build it with the rest:
//
//   cmake -S . -B build/fuzz --preset fuzz -DJRPC_PLUG=/path/to/my_plug.c
//   -DJRPC_PLUG_LIBRARIES=mylib ninja -C build/fuzz fuzz_plug_mine &&
//   build/fuzz/fuzz/fuzz_plug_mine my_finds/
//
// With -DJRPC_FUZZ=replay (the default) the same gives plug_mine, which prints the table of
// disagreements for files and folders: classes, counts, the smallest example of each.
//
// One plug a process: parsers share symbol names.
#ifndef JRPC_FUZZ_PLUG_PLUG_H
#define JRPC_FUZZ_PLUG_PLUG_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// The parser's name and version. Constant.
const char *plug_name(void);

// Parses `len` bytes (a NUL stands behind them, not counted) as one JSON text. False if the parser
// refuses them. True: *ret_spelled is what it writes for the value it read, NUL-terminated and from
// malloc (the caller frees it), or NULL where it cannot write.
bool plug_parse(const char *text, size_t len, char **ret_spelled);

#ifdef __cplusplus
}
#endif

#endif
