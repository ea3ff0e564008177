// What would have been right: for a step of a case, an example of every answer that it takes.
#ifndef JCK_JUDGE_EXAMPLE_H
#define JCK_JUDGE_EXAMPLE_H

#include "reference/base/slice.h"

#include <stddef.h>

typedef enum jck_example_kind {
    JCK_EXAMPLE_RESPONSE, // one Response, spelled out in `text`
    JCK_EXAMPLE_BATCH,    // one Array of Responses, in any order unless the case says otherwise
    JCK_EXAMPLE_NOTHING,  // no answer
    JCK_EXAMPLE_CLOSED,   // the connection closed, without an answer
    JCK_EXAMPLE_MESSAGE,  // a message that belongs to the step; all of this kind are asked for
    JCK_EXAMPLE_HTTP,     // members of the HTTP answer
    JCK_EXAMPLE_ALIVE,    // whatever it answers, the target goes on
} jck_example_kind;
#define JCK_EXAMPLE_KINDS (JCK_EXAMPLE_ALIVE + 1)

typedef struct jck_example {
    jck_example_kind kind;
    // JSON, in which … stands for whatever the target likes; empty where the kind says it all.
    jrpc_slice text;
} jck_example;

// "response", "batch", … in the order of the kinds.
const char *jck_example_word(jck_example_kind kind);

// What came in the step of a finding.
typedef enum jck_came {
    JCK_CAME_NOTHING,
    JCK_CAME_ANSWER, // one message or more
    JCK_CAME_CLOSED, // nothing, and the connection ended
    JCK_CAME_EXITED, // nothing, and the process ended
} jck_came;
#define JCK_CAME_KINDS (JCK_CAME_EXITED + 1)

const char *jck_came_word(jck_came came); // "nothing", "answer", "closed", "exited"

// More examples than these are not given, nor longer ones.
#define JCK_EXAMPLES_MAX ((size_t)4)
#define JCK_EXAMPLE_BYTES ((size_t)4096)

#endif
