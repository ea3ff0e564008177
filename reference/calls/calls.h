// The calls of one client: texts to send, and what received texts mean for them. No I/O.
//
// A call is over exactly once, and is then reported exactly once: with its result, the server's
// error, or why there is neither. What each received message means:
//
// - A Response is matched by its id, as an exact JSON value, in whatever order Responses come
//   (section 5: the id is the same as the Request's; section 6: match by id). Ids are the integers
//   from 1, each used once, so that 1 and 1.0 name call 1 and "1" names none.
// - A Response whose id names no call under way changes nothing (stray: UNKNOWN_ID if the id was
//   never used, OVER for a second answer and for one that comes after its call was over).
// - A Response to a call under way that breaks section 5 (another `jsonrpc`, both or neither of
//   `result` and `error`, an error without an integer `code` or a String `message`) ends that call
//   as BROKEN: it is an answer, and cannot be read.
// - An error with id null says that the server could not read a Request (section 5). If one message
//   is under way, it is that one: all of its calls end as REFUSED, with the error. Otherwise
//   nobody knows which (stray: REFUSAL), and the calls wait for their answers or deadlines. Over
//   HTTP the message is always known.
// - An error without an id breaks section 5; it ends the one message under way as BROKEN.
// - An Array is the answer to a batch (section 6). Each element is taken by itself; afterwards the
//   calls of that batch that it did not answer end as MISSING. An Object that answers one call
//   of a batch, and an Array around the answer to a single call, are taken by their ids too.
// - Requests and notifications of the server's own are handed on (`own`), alone and in Arrays.
// - Text that is not JSON, and JSON that is not a message, changes nothing (stray): it may be a log
//   line.
#ifndef JRPC_CALLS_CALLS_H
#define JRPC_CALLS_CALLS_H

#include "reference/base/buffer.h"
#include "reference/base/clock.h"
#include "reference/base/error.h"
#include "reference/rpc/build.h"
#include "reference/rpc/message.h"
#include "reference/rpc/request.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct jrpc_calls jrpc_calls;

typedef enum jrpc_answer_kind {
    JRPC_ANSWER_RESULT,    // `value` is the result, of any type
    JRPC_ANSWER_ERROR,     // `value` is the server's error (section 5.1)
    JRPC_ANSWER_REFUSED,   // the same, with id null: it could not read the Request
    JRPC_ANSWER_BROKEN,    // an answer that breaks section 5
    JRPC_ANSWER_MISSING,   // the answer came without this call's Response
    JRPC_ANSWER_TIMED_OUT, // the deadline passed
    JRPC_ANSWER_CANCELLED, // jrpc_calls_cancel
    JRPC_ANSWER_CLOSED,    // the connection ended
} jrpc_answer_kind;

// What became of a call. Borrowed until the callback returns, and `value` until the next text is
// taken.
typedef struct jrpc_answer {
    jrpc_answer_kind kind;
    uint64_t id;     // of the call
    void *context;   // of the call
    jrpc_json value; // result or error, or the whole of a broken Response; else JRPC_JSON_ABSENT
    int64_t code;    // of the error, if it fits
    const char *why; // one sentence for all kinds but RESULT and ERROR; "" for those
} jrpc_answer;

// Called once for each call, when it is over. It may begin and cancel calls.
typedef void jrpc_answered(void *context, const jrpc_answer *answer);

// One Request to be made.
typedef struct jrpc_call_parts {
    jrpc_slice method; // content, UTF-8, not empty; unless `structured`
    jrpc_slice params; // spelling of an Array or Object; empty: the member is left out
    const jrpc_request_parts *structured; // RO-JRPC: resource and verb make the method; its
                                          // params and id are filled in here. NULL: plain
    bool notification;                    // section 4.1: no id, and nothing comes back
    int64_t deadline_us;                  // the call is TIMED_OUT afterwards; 0: the default
    jrpc_answered *answered;              // NULL: nobody wants to know
    void *context;                        // for `answered`
} jrpc_call_parts;

typedef enum jrpc_stray_kind {
    JRPC_STRAY_NOT_JSON,
    JRPC_STRAY_INVALID,    // JSON that is neither Request nor Response
    JRPC_STRAY_UNKNOWN_ID, // a Response with an id that no call had
    JRPC_STRAY_OVER,       // a Response to a call that is over: a second one, or a late one
    JRPC_STRAY_REFUSAL,    // an error with id null, while none or several messages are under way
} jrpc_stray_kind;

// Who hears of what belongs to no call. Every function may be NULL.
typedef struct jrpc_calls_ear {
    void *context;
    // A notification, call or result message of the server's own; borrowed.
    void (*own)(void *context, const jrpc_message *message);
    // All of them from one text, as a text of their own (an Array if they came in one), for a
    // router of JRPC_ROLE_CLIENT. Invalid Requests, such as a method of another type, are among
    // them: they are owed an answer (section 5). Borrowed.
    void (*serve)(void *context, jrpc_slice text);
    // What nobody can use: evidence for a log. `text` is the message; `why` is one sentence.
    void (*stray)(void *context, jrpc_stray_kind kind, jrpc_slice text, const char *why);
} jrpc_calls_ear;

// Places where a fault table can change the way of a message. Each may be NULL, and none is needed
// for correct behaviour.
typedef struct jrpc_calls_hooks {
    void *context;
    // Before a Request that is not `structured` is written: may change its members.
    void (*request)(void *context, const jrpc_call_parts *parts, jrpc_request *request);
    // Before a received text is read: may replace it. Borrowed until the text was taken.
    void (*text)(void *context, jrpc_slice *text);
    // After the id of a Response was looked up: may name another call (0: none).
    void (*match)(void *context, const jrpc_message *message, uint64_t *id);
    // Before the caller hears of it: may change the answer. False: the call stays under way.
    bool (*answer)(void *context, const jrpc_message *message, jrpc_answer *answer);
} jrpc_calls_hooks;

// No calls yet. `ear` and `hooks` (each may be NULL) are copied; `most` calls can be under way at
// once (0: JRPC_LIMIT_BATCH_ELEMENTS). NULL when memory is out. Owned: free with jrpc_calls_free.
jrpc_calls *jrpc_calls_new(const jrpc_allocator *allocator, const jrpc_calls_ear *ear,
                           const jrpc_calls_hooks *hooks, size_t most);
// Nobody is told of the calls that are under way: conclude them first. Accepts NULL.
void jrpc_calls_free(jrpc_calls *calls);

// Appends one Request to `out` and counts its call as under way from now on. *ret_id (may be NULL)
// is the call's id, 0 for a notification. False with INVALID (no method, or not UTF-8; params that
// are not the JSON of an Array or Object; a deadline on a notification is ignored), LIMIT (too many
// calls under way, `out` is full) or MEMORY; nothing has changed then.
bool jrpc_calls_begin(jrpc_calls *calls, const jrpc_call_parts *parts, jrpc_buffer *out,
                      uint64_t *ret_id, jrpc_error *error);
// The same for a batch: `count` Requests, at least one (section 6), in one Array. `ret_ids` (may be
// NULL) has room for `count` ids. Either all are begun or none.
bool jrpc_calls_begin_batch(jrpc_calls *calls, const jrpc_call_parts *parts, size_t count,
                            jrpc_buffer *out, uint64_t *ret_ids, jrpc_error *error);

// What a deadline of 0 means for calls begun from now on; at first JRPC_DEADLINE_NEVER.
void jrpc_calls_set_default_deadline(jrpc_calls *calls, int64_t deadline_us);

// Takes one received text: see above. `scope` is the id of the first call of the message that the
// text is known to answer, as over HTTP: it answers no other (UINT64_MAX: none at all); 0 if that
// is not known. False with MEMORY: the text is lost.
bool jrpc_calls_take(jrpc_calls *calls, jrpc_slice text, uint64_t scope, jrpc_error *error);
// Ends every call whose deadline has passed, as TIMED_OUT.
void jrpc_calls_expire(jrpc_calls *calls, int64_t now_us);
// The next deadline (or an earlier point in time); JRPC_DEADLINE_NEVER if there is none.
int64_t jrpc_calls_next_deadline(const jrpc_calls *calls);
// Ends one call as CANCELLED. The server is not told: JSON-RPC has no message for that. False if it
// is not under way.
bool jrpc_calls_cancel(jrpc_calls *calls, uint64_t id);
// Ends all calls of the message whose first call is `scope` (0: of all messages) as MISSING or
// CLOSED, with a sentence that says why.
void jrpc_calls_conclude(jrpc_calls *calls, uint64_t scope, jrpc_answer_kind kind, const char *why);

// The id that the next call gets.
uint64_t jrpc_calls_next_id(const jrpc_calls *calls);
// How many calls are under way; how many of the message whose first call is `scope`.
size_t jrpc_calls_count(const jrpc_calls *calls);
size_t jrpc_calls_count_of(const jrpc_calls *calls, uint64_t scope);
// "result", "error", "refused", … Constant.
const char *jrpc_answer_kind_name(jrpc_answer_kind kind);

#endif
