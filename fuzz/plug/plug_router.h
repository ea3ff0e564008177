// Bring your own dispatcher: a function that answers a text as a JSON-RPC 2.0 server does, beside a
// model of the specification.
//
// Copy router_template.c, fill it in, and say: scripts/fuzz plug my_router.c
//
// Your dispatcher has these methods, and no other:
//   subtract(minuend, subtrahend)     results in the array [minuend, subtrahend], as they came
//   app_error(code, message?, data?)  fails with the code -31000, and with data where there is some
//   echo(...)                         results in its params, whatever they are; null without params
//   fail(...)                         fails with -32603
//   get_data()                        results in ["hello",5]; params with anything in them: -32602
//   update(...)                       results in null
// Params by position and by name; missing, extra and unknown ones are answered with -32602. What
// messages of errors say is yours.
#ifndef JRPC_FUZZ_PLUG_PLUG_ROUTER_H
#define JRPC_FUZZ_PLUG_PLUG_ROUTER_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// The dispatcher's name and version. Constant.
const char *plug_name(void);

// Answers `len` bytes (a NUL follows them, not counted), one message or one batch: NUL-terminated
// and from malloc (the caller frees it), or NULL where nothing is answered.
char *plug_answer(const char *text, size_t len);

#ifdef __cplusplus
}
#endif

#endif
