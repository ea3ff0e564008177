// One call whose result is known, sent to a target before the run.
#ifndef JCK_RUN_QUESTION_H
#define JCK_RUN_QUESTION_H

#include "harness/link/link.h"

// Bytes of an unexpected result that are quoted.
#define JCK_QUESTION_SHOWN 40

// The reply to one question.
typedef enum jck_reply {
    JCK_REPLY_UNASKED,
    JCK_REPLY_NONE,  // nothing came in time
    JCK_REPLY_ERROR, // an error
    JCK_REPLY_OTHER, // a result, but not the one that is printed
    JCK_REPLY_RIGHT,
} jck_reply;

// How params are passed in a question.
typedef enum jck_passing {
    JCK_PASSED_BY_POSITION,
    JCK_PASSED_BY_NAME,
    JCK_PASSED_EITHER,   // there are none, or they do not matter
    JCK_PASSED_NONE,     // an empty Array, to a method that refused its call without `params`
    JCK_PASSED_VARIADIC, // by position, more of them than section 7 prints
    JCK_PASSED_WRAPPED,  // all of them inside a single param of the method
} jck_passing;

// One question: a call whose result is known.
typedef struct jck_question {
    const char *capability; // also the method's name
    const char *params;     // JSON spelling; NULL: none
    const char *result;     // JSON spelling; NULL: null, or none at all
    jck_passing passing;
    bool printed; // in section 7
} jck_question;

// The questions to one target, and how patiently they are asked.
typedef struct jck_asking {
    jck_link *link;
    int64_t slowest_us; // answer so far
    bool waited;        // an answer was once waited for in vain, for as long as one may take
    const jck_mapping
        *candidate; // called instead of the method with the capability's name; or NULL
    char seen[JCK_QUESTION_SHOWN * 4 + 8]; // the result that came instead of the printed one
    jrpc_buffer *result;                   // where the last result is to be copied; NULL: nowhere
    bool coded;                            // the code of the last error is an integer: …
    int64_t code;                          // … this one
    jrpc_json ahead; // the Responses to what was asked in a batch (jck_ask_ahead); or absent
} jck_asking;

#define JCK_QUESTION_ID_BYTES 48
// Bytes of the longest call, with a name from a description.
#define JCK_QUESTION_BYTES ((size_t)1 << 16)

// The id of a question, and the call itself, which is appended to `text`.
void jck_question_id(const jck_asking *asking, size_t number, char *out);
void jck_question_write(const jck_asking *asking, const jck_question *asked, const char *id,
                        jrpc_buffer *text);

// Asks on connection 'a', which is opened again if it is not in order; *ret_reply is the reply.
// What was answered ahead is not asked again, unless the answer is neither right nor "no such
// method". `number` becomes part of the call's id, so that a late answer is not mistaken for that
// of another call. False if the target is gone.
bool jck_ask(jck_asking *asking, const jck_question *asked, size_t number, jck_reply *ret_reply);

#endif
