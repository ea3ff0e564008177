// How a session went, in lines: the text of an input of the target `session`.
//
//   @case=http/response                 which case; a word that names none picks one all the same
//   @profile=mcp                        in front of it: the suite under that profile
//   @long                               in front of all: what is sent may be long, not 4 KB at most
//   {"jsonrpc":"2.0","id":${id}}        a message that came: of the case, at step 0, on connection
//   a
//   @1 @b @http=404 [1]                 words in front of a message say more of it
//   @head Content-Type: text/html       a line of the HTTP head around the next message
//   @1 @settled=gone                    a line with such a word is not a message but says how it
//   went
//
// Words of a message: a number is the step and a letter the connection; `sent`, `fence`, `session`,
// `noise` its role; `http=STATUS`, `type=MEDIA-TYPE`, `reused`; `cut=BYTES` is how many more there
// were than were kept, `broken` that they are no JSON; `echo` stands for what the step sent,
// `right=N` for the N-th right answer to it. ${…} are the variables of cases.
//
// Words of the session: `settled=`, `end=`, `mute=` with the words of the tables in script.c,
// `status=N` of the process, `gone`, `orderly`, `flood=N`, `params` (the target answers no call
// without them), and what is known of the target: `rule=ID` is broken everywhere; `absent=`,
// `positional=`, `named=` are how it refuses an unknown method or params of that shape: by
// `silent`, `result` or a code.
//
// Total: whatever is not a word is text, and a value that is none of its word's stands for one of
// them.
#ifndef JRPC_FUZZ_SESSION_SCRIPT_H
#define JRPC_FUZZ_SESSION_SCRIPT_H

#include "fuzz/session/exchange.h"

// Begins a session of the case that the text names. Free with exchange_done.
void script_begin(exchange *ret_exchange, jrpc_slice text);
// Plays it as the same text says.
void script_play(exchange *e, jrpc_slice text);

#endif
