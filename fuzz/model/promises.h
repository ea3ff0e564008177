// Profiles by the book (cases/README.md): the second opinion on what a profile and those that it
// extends say, and on what that does to a suite.
#ifndef JRPC_FUZZ_MODEL_PROMISES_H
#define JRPC_FUZZ_MODEL_PROMISES_H

#include "fuzz/model/tree.h"
#include "harness/suite/suite.h"

// A profile's text under the name of its file, without ".json".
typedef struct promise_file {
    jrpc_slice name;
    const tree *text;
} promise_file;

typedef struct promise_change {
    char kind; // 'l' levels, 'a' accept, 'o' leave-out
    const tree *object;
    jrpc_slice profile; // that brings it
} promise_change;

typedef struct promise_mapping {
    jrpc_slice capability;
    const tree *method; // a name or a template, see fuzz/model/manner.h
} promise_mapping;

// Members are NULL where no profile of the chain has them.
typedef struct promise {
    bool wrong; // something is not as the book says
    bool deep;  // there are steps, answers or variables, about which the model knows nothing
    jrpc_slice name, extends;
    const tree *title, *url;
    const tree *strict, *discover, *suites, *framing, *requests, *declares, *prelude, *postlude;
    const tree *headers, *request_params, *revision, *refusals;
    const tree *revisions;     // its own: those of the extended profile are not inherited
    promise_mapping *mappings; // for each capability the last that is said
    size_t mapping_count;
    promise_change *changes; // those of the extended profile first
    size_t change_count;
} promise;

// What the last file of that name says over what it extends.
promise promise_read(tree_pool *pool, const jck_suite *suite, const promise_file *files,
                     size_t count, const char *name);

// Whether the wildcards of a pattern (`*`, `?` within a segment, `**` across) can be filled to give
// the id.
bool promise_matches(jrpc_slice pattern, jrpc_slice id);
// Whether a pattern names the case: its id, SUITE/id, a rule or an alias.
bool promise_pattern_names(jrpc_slice pattern, const jck_case *test_case);
// Whether one of a change's patterns does.
bool promise_names_case(const promise_change *change, const jck_case *test_case);
// Whether a change of levels names the rule.
bool promise_names_rule(const promise_change *change, jrpc_slice rule);

#endif
