// Tools for the rows of the fault tables: making values, respelling members, and the row functions
// that turn most faults into plain data.
#ifndef JRPC_SERVER_BEND_H
#define JRPC_SERVER_BEND_H

#include "reference/server/fault.h"

#include <stddef.h>

// An empty buffer over the bend's arena; needs no done.
jrpc_buffer jrpc_bend_buffer(jrpc_bend *bend);
// A JSON text as a value that lives as long as the bend's arena; JRPC_JSON_ABSENT if it is none.
jrpc_json jrpc_bend_json(jrpc_bend *bend, jrpc_slice text);
// The content of a JSON string's spelling; false if it is not a string.
bool jrpc_bend_content(jrpc_bend *bend, jrpc_slice spelling, jrpc_slice *ret_content);
// Content as the spelling of a JSON string; `otherwise` when memory is out.
jrpc_slice jrpc_bend_quote(jrpc_bend *bend, jrpc_slice content, jrpc_slice otherwise);
// A copy that lives as long as the bend's arena.
jrpc_slice jrpc_bend_copy(jrpc_bend *bend, jrpc_slice bytes);
// Reads a message as if it were spelled thus, and classifies it anew. Nothing if that is not JSON.
void jrpc_bend_respell(jrpc_bend *bend, jrpc_message *message, jrpc_slice text);
// The same with one member spelled otherwise (every one of that name), added in front if it is not
// there; an empty spelling takes it out.
void jrpc_bend_member(jrpc_bend *bend, jrpc_message *message, const char *name,
                      jrpc_slice spelling);
// The offset after a JSON string that begins at `at`; the length of the text if it has no end.
size_t jrpc_bend_string_end(jrpc_slice text, size_t at);
// Whether the message at hand calls the method that is spelled thus.
bool jrpc_bend_calls(const jrpc_bend *bend, const char *spelling);
// Whether `number` is the spelling of a JSON number and which parts it has.
bool jrpc_bend_is_fraction(jrpc_slice number);
// Lets no Response go out for the message at hand.
void jrpc_bend_refuse(jrpc_message *message, int code, jrpc_json id);
// A message hook: notes whether the message at hand is a call with params. Faults that make a whole
// answer unreadable keep to those, since a target that never answers readably is never started.
void jrpc_bend_note_params(jrpc_bend *bend, jrpc_message *message);
// Whether such a call was noted since the last answer of this connection.
bool jrpc_bend_has_params(const jrpc_bend *bend);
jrpc_slice jrpc_bend_lower(jrpc_bend *bend, jrpc_slice bytes);
// Without the white space of JSON at its ends.
jrpc_slice jrpc_bend_trim(jrpc_slice bytes);
// An incoming hook: a connection whose first message comes when the server has lost the row's
// number of places is never served.
bool jrpc_bend_has_place(jrpc_bend *bend, jrpc_slice text);
// Records, each after its length, for what a fault remembers: appends one, takes one off the front
// (there must be one).
void jrpc_bend_put_record(jrpc_buffer *out, jrpc_slice bytes);
jrpc_slice jrpc_bend_take_record(jrpc_slice *from);

// Row functions. Each reads its data from bend->fault.
void jrpc_row_message(jrpc_bend *bend, jrpc_message *message);               // is, deed
void jrpc_row_input(jrpc_bend *bend, jrpc_json root, jrpc_input_kind *kind); // is_input, deed
void jrpc_row_code(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response);
void jrpc_row_member(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response);
void jrpc_row_id(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response);
void jrpc_row_result(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response);
void jrpc_row_null_result(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response);
void jrpc_row_withhold(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response);
void jrpc_row_crash(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response);

// The columns that all rows begin with.
#define JRPC_ROW(name_, rule_, text_) .name = name_, .rule = rule_, .description = text_
// A message that meets `cond` gets `deed_`.
#define JRPC_ROW_MESSAGE(cond, deed_) .message = jrpc_row_message, .is = cond, .deed = deed_
// A whole input that meets `cond` gets `deed_`.
#define JRPC_ROW_INPUT(cond, deed_) .input = jrpc_row_input, .is_input = cond, .deed = deed_
// A Response of these outcomes has this code.
#define JRPC_ROW_CODE(when_, code) .response = jrpc_row_code, .when = when_, .spelling = code
// A Response of these outcomes has this spelling for one member ("" leaves it out).
#define JRPC_ROW_MEMBER(when_, member_, text)                                                      \
    .response = jrpc_row_member, .when = when_, .member = offsetof(jrpc_response, member_),        \
    .spelling = text
// The id of every Response passes through a function.
#define JRPC_ROW_ID(function) .response = jrpc_row_id, .respell = function
// The result of every Response passes through a function.
#define JRPC_ROW_RESULT(function)                                                                  \
    .response = jrpc_row_result, .when = JRPC_OUTCOME_SUCCESS, .respell = function
#define JRPC_OUTCOME_ERRORS (0x7fu)     // all but SUCCESS
#define JRPC_OUTCOME_OF_REQUEST (0x7cu) // errors of a message that could be read

#endif
