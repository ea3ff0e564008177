// How one message travels, if the transport leaves a choice: in pieces, with other headers, with
// another HTTP method. Pure.
// Most ways must make no difference to the server, so the same answer is due. For the `open` ways
// the specifications do not say which answer is right: the server only has to keep working.
#ifndef JCK_LIVE_TRAVEL_H
#define JCK_LIVE_TRAVEL_H

#include "harness/suite/case.h"
#include "harness/suite/target.h"
#include "reference/base/buffer.h"
#include "reference/base/random.h"

#define JCK_TRAVEL_PIECES 6u

// Zeroed: as usual.
typedef struct jck_travel {
    const char *http_method;    // as in jrpc_manner; static, like all words here
    const char *content_type;   // likewise
    const char *const *headers; // likewise
    bool chunked, binary, ping;
    bool open; // any answer is allowed, or none
    size_t pieces[JCK_TRAVEL_PIECES];
    size_t piece_count;
} jck_travel;

// What a target is known to accept.
typedef struct jck_travel_limits {
    bool chunked; // a body without a length
    bool headers; // neither the target's description nor its profile sets any
} jck_travel_limits;

// Chooses a way for a message of `len` bytes. `open`: one of the open ways may be chosen.
jck_travel jck_travel_pick(const jck_target *target, const jck_travel_limits *limits, size_t len,
                           bool open, jrpc_random *random);
bool jck_travel_is_usual(const jck_travel *travel);
// A number for what is special about it; 0: nothing.
unsigned jck_travel_class(const jck_travel *travel);
// The same way without one of its special features, number `index`; false past the last.
bool jck_travel_without(const jck_travel *travel, size_t index, jck_travel *ret);
// Moves the pieces so that they fit a message of `len` bytes.
void jck_travel_fit(jck_travel *travel, size_t len);
// What is special about the way, in words for a title (", in pieces"); empty if nothing is.
const char *jck_travel_words(const jck_travel *travel);
// For sending. The pieces are borrowed from `travel`.
jrpc_manner jck_travel_manner(const jck_travel *travel);
// Appends the members of a step that describe the way, each with a comma before it.
void jck_travel_write(const jck_travel *travel, jrpc_buffer *out);

#endif
