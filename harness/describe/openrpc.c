// Finds mistakes in a description.
#include "harness/describe/openrpc.h"

#include "harness/describe/located.h"
#include "harness/schema/fit.h"
#include "harness/schema/schema.h"
#include "reference/json/equal.h"

// The state while one aspect of a description is checked.
typedef struct checking {
    jck_looking looking;
    const char *flaw; // the first mistake; NULL: none so far
} checking;

#define FLAW(self, ...)                                                                            \
    ((self)->flaw = (self)->flaw != NULL ? (self)->flaw                                            \
                                         : jrpc_arena_printf((self)->looking.arena, __VA_ARGS__))

bool jck_openrpc_is(jrpc_json root, jrpc_error *error)
{
    const char *lacks = !jrpc_json_is(root, JRPC_JSON_OBJECT) ? "it is not an Object"
                        : !jrpc_json_exists(jrpc_json_get(root, "openrpc"))
                            ? "the member openrpc is missing"
                        : !jrpc_json_is(jrpc_json_get(root, "methods"), JRPC_JSON_ARRAY)
                            ? "the member methods is not an Array"
                            : NULL;
    return lacks == NULL || jrpc_error_set(error, JRPC_ERROR_INVALID, "%s", lacks);
}

static void want(checking *self, jck_located in, const char *key, jrpc_json_kind kind,
                 const char *kind_name)
{
    if (!jrpc_json_is(jck_locate(&self->looking, in, key).value, kind)) {
        (void)FLAW(self, "%s has no %s, %s", in.path, key, kind_name);
    }
}

static void check_descriptor_form(checking *self, jck_located descriptor)
{
    jrpc_json schema = jrpc_json_get(descriptor.value, "schema");
    want(self, descriptor, "name", JRPC_JSON_STRING, "a String");
    if (!jrpc_json_exists(schema)) {
        (void)FLAW(self, "%s has no schema", descriptor.path);
    }
}

static void check_method_form(checking *self, jck_located method)
{
    want(self, method, "name", JRPC_JSON_STRING, "a String");
    want(self, method, "params", JRPC_JSON_ARRAY, "an Array");
}

// One aspect, with the check for each kind of place; NULL: nothing to check there.
typedef struct check {
    const char *part;
    void (*document)(checking *self, jck_located root);
    void (*method)(checking *self, jck_located method);
    void (*descriptor)(checking *self, jck_located descriptor); // of a param, or of the result
    // A value in an example, and its descriptor.
    void (*example)(checking *self, jck_located value, jck_located descriptor);
} check;

static void check_document_form(checking *self, jck_located root)
{
    jck_located info = jck_locate(&self->looking, root, "info");
    want(self, root, "openrpc", JRPC_JSON_STRING, "a String");
    want(self, root, "info", JRPC_JSON_OBJECT, "an Object");
    want(self, root, "methods", JRPC_JSON_ARRAY, "an Array");
    want(self, info, "title", JRPC_JSON_STRING, "a String");
    want(self, info, "version", JRPC_JSON_STRING, "a String");
}

// Checks that no two elements of a list have the same value of a member.
static void check_different(checking *self, jck_located list, const char *key)
{
    unsigned count = jrpc_json_count(list.value);
    for (unsigned i = 0; i < count && self->flaw == NULL; i++) {
        jck_located one = jck_locate_element(&self->looking, list, i);
        jrpc_json name = jrpc_json_get(one.value, key);
        for (unsigned k = 0; k < i && jrpc_json_exists(name) && self->flaw == NULL; k++) {
            jck_located other = jck_locate_element(&self->looking, list, k);
            if (jrpc_json_equal(name, jrpc_json_get(other.value, key))) {
                jrpc_slice spelling = jrpc_json_spelling(name);
                (void)FLAW(self, "%s and %s have the same %s, %.*s", other.path, one.path, key,
                           (int)(spelling.len < 100 ? spelling.len : 100), spelling.ptr);
            }
        }
    }
}

static void check_method_names(checking *self, jck_located root)
{
    check_different(self, jck_locate(&self->looking, root, "methods"), "name");
}

static void check_names_in_method(checking *self, jck_located method)
{
    check_different(self, jck_locate(&self->looking, method, "params"), "name");
    check_different(self, jck_locate(&self->looking, method, "errors"), "code");
}

// Checks that every "$ref" within the document leads somewhere.
static void check_references(checking *self, jck_located root)
{
    const jrpc_json_document *document = root.value.document;
    uint32_t end = document->nodes[root.value.index].next;
    for (uint32_t i = root.value.index; i < end && self->flaw == NULL; i++) {
        jrpc_json reference = jrpc_json_get((jrpc_json){document, i}, "$ref");
        jrpc_slice text;
        if (jrpc_json_string(reference, self->looking.arena, &text) &&
            jck_reference_is_within(text) &&
            !jrpc_json_exists(jck_reference_find(root.value, text, self->looking.arena))) {
            (void)FLAW(self, "the reference %.*s leads nowhere", (int)text.len, text.ptr);
        }
    }
}

static void check_schema(checking *self, jck_located descriptor)
{
    jrpc_json schema = jrpc_json_get(descriptor.value, "schema");
    if (jrpc_json_exists(schema) && !jck_is_json_schema(schema, self->looking.arena)) {
        (void)FLAW(self, "%s/schema is not a JSON Schema", descriptor.path);
    }
}

static void check_order(checking *self, jck_located method)
{
    jck_located params = jck_locate(&self->looking, method, "params");
    const char *optional = NULL;
    for (unsigned i = 0; i < jrpc_json_count(params.value); i++) {
        jck_located one = jck_locate_element(&self->looking, params, i);
        bool required = jrpc_json_is(jrpc_json_get(one.value, "required"), JRPC_JSON_TRUE);
        if (required && optional != NULL) {
            (void)FLAW(self, "%s/params/%u is required and comes after %s, which is not",
                       method.path, i, optional);
        }
        optional = required ? optional : one.path;
    }
}

static void check_example(checking *self, jck_located value, jck_located descriptor)
{
    jrpc_json schema = jrpc_json_get(descriptor.value, "schema");
    jck_misfit misfit;
    if (jrpc_json_exists(schema) && jrpc_json_exists(value.value) &&
        jck_schema_fit(schema, self->looking.root, value.value, self->looking.arena, &misfit) ==
            JCK_FIT_NO) {
        jrpc_slice argument = jrpc_json_spelling(misfit.argument);
        (void)FLAW(self, "%s%s does not fit %s/schema: %.*s %.*s", value.path, misfit.where,
                   descriptor.path, (int)misfit.keyword.len, misfit.keyword.ptr,
                   (int)(argument.len < 100 ? argument.len : 100), argument.ptr);
    }
}

static const check checks[] = {
    {.part = "form",
     .document = check_document_form,
     .method = check_method_form,
     .descriptor = check_descriptor_form},
    {.part = "names", .document = check_method_names, .method = check_names_in_method},
    {.part = "references", .document = check_references},
    {.part = "schemas", .descriptor = check_schema},
    {.part = "order", .method = check_order},
    {.part = "examples", .example = check_example},
};

const char *const *jck_openrpc_parts(void)
{
    static const char *const parts[] = {"form",  "names",    "references", "schemas",
                                        "order", "examples", NULL};
    return parts;
}

static void walk_examples(checking *self, const check *one, jck_located method)
{
    jck_located params = jck_locate(&self->looking, method, "params");
    jck_located result = jck_locate(&self->looking, method, "result");
    jck_located examples = jck_locate(&self->looking, method, "examples");
    for (unsigned i = 0; i < jrpc_json_count(examples.value) && self->flaw == NULL; i++) {
        jck_located example = jck_locate_element(&self->looking, examples, i);
        jck_located given = jck_locate(&self->looking, example, "params");
        for (unsigned k = 0; k < jrpc_json_count(given.value); k++) {
            jck_located param = jck_locate_element(&self->looking, given, k);
            one->example(self, jck_locate(&self->looking, param, "value"),
                         jck_locate_element(&self->looking, params, k));
        }
        jck_located printed = jck_locate(&self->looking, example, "result");
        one->example(self, jck_locate(&self->looking, printed, "value"), result);
    }
}

static void walk_method(checking *self, const check *one, jck_located method)
{
    jck_located params = jck_locate(&self->looking, method, "params");
    jck_located result = jck_locate(&self->looking, method, "result");
    if (one->method != NULL) {
        one->method(self, method);
    }
    for (unsigned i = 0; one->descriptor != NULL && i < jrpc_json_count(params.value); i++) {
        jck_located param = jck_locate_element(&self->looking, params, i);
        if (jrpc_json_exists(param.value)) {
            one->descriptor(self, param);
        }
    }
    if (one->descriptor != NULL && jrpc_json_exists(result.value)) {
        one->descriptor(self, result);
    }
    if (one->example != NULL) {
        walk_examples(self, one, method);
    }
}

const char *jck_openrpc_flaw(jrpc_json root, jrpc_slice part, jrpc_arena *arena)
{
    checking self = {.looking = {root, arena}};
    jck_located document = jck_locate_root(&self.looking);
    const check *one = NULL;
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        one = jrpc_slice_is(part, checks[i].part) ? &checks[i] : one;
    }
    if (one == NULL) {
        return NULL;
    }
    if (!jrpc_json_exists(root)) {
        return "there is no description";
    }
    if (one->document != NULL) {
        one->document(&self, document);
    }
    jck_located methods = jck_locate(&self.looking, document, "methods");
    for (unsigned i = 0; i < jrpc_json_count(methods.value) && self.flaw == NULL; i++) {
        walk_method(&self, one, jck_locate_element(&self.looking, methods, i));
    }
    return self.flaw;
}
