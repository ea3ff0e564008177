// What the files that fit a value into a schema share. Private to the schema room.
#ifndef JCK_SCHEMA_FIT_PRIVATE_H
#define JCK_SCHEMA_FIT_PRIVATE_H

#include "harness/schema/fit.h"
#include "harness/schema/reference.h"

#include <stdbool.h>
#include <stddef.h>

// Where in the value something is looked at: a list from the last segment to the first.
typedef struct jck_place {
    const struct jck_place *above;
    jrpc_slice key; // of a member; {NULL, 0}: an element
    unsigned index; // of an element
} jck_place;

// A reference that is being followed: a list from the innermost to the outermost.
typedef struct jck_followed {
    const struct jck_followed *above;
    jrpc_json target, value, base;
} jck_followed;

// The answers that following a reference gave: a table, or nothing as long as few steps were taken.
typedef struct jck_answers {
    struct jck_answer *slots; // owned, or NULL
    unsigned round;           // in which unsure answers are of use
    unsigned sure;            // answers of this round that are sure
} jck_answers;

typedef struct jck_fitting {
    jrpc_json base;  // what "#" leads to
    bool is_2020_12; // the dialect: that draft, or draft 7
    jrpc_arena *arena;
    unsigned steps_left;
    int depth;
    int quiet; // above 0: within a schema that may refuse the value while the whole accepts it
    const jck_place *place;
    const jck_followed *followed;
    jck_answers answers;
    bool is_cut; // a reference was not followed because it leads back, or because of the depth
    jck_misfit *misfit; // or NULL
} jck_fitting;

typedef struct jck_keyword {
    const char *name;
    jrpc_json_kind kind; // of values that it says something of; NONE: of all
    jck_fit (*fit)(jck_fitting *self, jrpc_json schema, jrpc_json argument, jrpc_json value);
} jck_keyword;

// The keywords that say something of a value as it stands.
const jck_keyword *jck_assertions(size_t *ret_count);
// Whether `string` matches a regular expression.
jck_fit jck_fit_pattern(jck_fitting *self, jrpc_json pattern, jrpc_json string);
// Whether an Object has a member.
bool jck_has_member(jck_fitting *self, jrpc_json object, jrpc_json name);
// Whether an Object has all members that are named.
jck_fit jck_fit_required(jck_fitting *self, jrpc_json names, jrpc_json object);

// Looks an answer up. An unsure one is of use in its own round only, and where no more depth is
// left than there was when it was given.
bool jck_answers_find(const jck_fitting *self, jrpc_json target, jrpc_json value, jck_fit *ret_fit);
// Keeps an answer in the place of an older one. Without memory, nothing is kept.
void jck_answers_keep(jck_fitting *self, jrpc_json target, jrpc_json value, jck_fit fit);
void jck_answers_done(jck_answers *answers);

static inline jck_fit jck_fit_and(jck_fit a, jck_fit b)
{
    return a < b ? a : b;
}

static inline jck_fit jck_fit_or(jck_fit a, jck_fit b)
{
    return a > b ? a : b;
}

static inline jck_fit jck_fit_not(jck_fit fit)
{
    return fit == JCK_FIT_YES ? JCK_FIT_NO : fit == JCK_FIT_NO ? JCK_FIT_YES : JCK_FIT_UNSURE;
}

static inline jck_fit jck_fit_of(bool holds)
{
    return holds ? JCK_FIT_YES : JCK_FIT_NO;
}

static inline bool jck_is_same(jrpc_json a, jrpc_json b)
{
    return a.document == b.document && a.index == b.index;
}

// Takes one of the steps that are left; false if none is.
static inline bool jck_fit_step(jck_fitting *self)
{
    if (self->steps_left > 0) {
        self->steps_left--;
    }
    return self->steps_left > 0;
}

#endif
