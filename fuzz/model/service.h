// A description of a service in OpenRPC as a tree: where its references lead, what is wrong with
// it, and which cases its examples give. Written from the manual, apart from harness/describe.
#ifndef JRPC_FUZZ_MODEL_SERVICE_H
#define JRPC_FUZZ_MODEL_SERVICE_H

#include "fuzz/model/tree.h"

// False if a reference contains escapes or U+0000, which this model does not read.
bool service_is_plain(const tree *value);

// What "#" or "#/…" refers to in the document; NULL if there is no such place.
const tree *service_find(const tree *root, jrpc_slice reference);
// A member or an element, or what its references lead to; NULL if there is no such value.
const tree *service_member(const tree *root, const tree *object, const char *name);
const tree *service_element(const tree *root, const tree *array, size_t index);

// The parts of a description that are wrong, by rules that need no schema.
typedef struct service_flaws {
    bool form, names, references, order;
    bool unsure; // two names could not be compared
} service_flaws;
service_flaws service_check(const tree *root);

// One case of an example.
typedef struct service_case {
    size_t method, example; // their numbers
    const tree *name;       // of the method
    bool by_name;
    bool said;     // the method says how params are passed
    bool notified; // the example has neither a result nor an error
    size_t count;  // of params
    const tree *const *values;
    const tree *const *names;   // of params, if they are passed by name
    const tree *value, *schema; // of the result; NULL if there is none
    const tree *code;           // of the error; NULL if there is none
} service_case;

// Makes each case, in order.
void service_each_case(tree_pool *pool, const tree *root,
                       void (*take)(void *context, const service_case *one), void *context);

// A value of an example, with the descriptor that contains its schema.
void service_each_value(const tree *root,
                        void (*take)(void *context, const tree *value, const tree *descriptor),
                        void *context);
// Each descriptor of a param or a result.
void service_each_descriptor(const tree *root, void (*take)(void *context, const tree *descriptor),
                             void *context);

#endif
