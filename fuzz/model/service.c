#include "fuzz/model/service.h"

enum { LINKS_MOST = 32 };

static bool is_kind(const tree *value, char kind)
{
    return value != NULL && value->kind == kind;
}

static size_t count_of(const tree *array)
{
    return is_kind(array, 'a') ? array->count : 0;
}

bool service_is_plain(const tree *value)
{
    if (value->kind != 'a' && value->kind != 'o') {
        return true;
    }
    const tree *reference = value->kind == 'o' ? tree_member(value, "$ref") : NULL;
    for (size_t i = 0; is_kind(reference, 's') && i < reference->content.len; i++) {
        char c = reference->content.ptr[i];
        if (c == '%' || c == '~' || c == '\0') {
            return false;
        }
    }
    for (size_t i = 0; i < value->count; i++) {
        if (!service_is_plain(value->items[i])) {
            return false;
        }
    }
    return true;
}

// The element of an Array whose index the word is; NULL if there is none.
static const tree *element_of(const tree *array, jrpc_slice word)
{
    size_t index = 0;
    if (word.len == 0 || word.len > 9 || (word.len > 1 && word.ptr[0] == '0')) {
        return NULL;
    }
    for (size_t i = 0; i < word.len; i++) {
        if (word.ptr[i] < '0' || word.ptr[i] > '9') {
            return NULL;
        }
        index = index * 10 + (size_t)(word.ptr[i] - '0');
    }
    return index < array->count ? array->items[index] : NULL;
}

// The last member with this name.
static const tree *named(const tree *object, jrpc_slice name)
{
    const tree *found = NULL;
    for (size_t i = 0; i < object->count; i++) {
        found = jrpc_slice_equal(object->names[i]->content, name) ? object->items[i] : found;
    }
    return found;
}

const tree *service_find(const tree *root, jrpc_slice reference)
{
    if (reference.len == 0 || reference.ptr[0] != '#') {
        return NULL;
    }
    jrpc_slice rest = jrpc_slice_from(reference, 1);
    const tree *at = root;
    while (rest.len > 0 && at != NULL) {
        if (rest.ptr[0] != '/') {
            return NULL;
        }
        size_t len = 1;
        while (len < rest.len && rest.ptr[len] != '/') {
            len++;
        }
        jrpc_slice word = jrpc_slice_of(rest.ptr + 1, len - 1);
        at = at->kind == 'o' ? named(at, word) : at->kind == 'a' ? element_of(at, word) : NULL;
        rest = jrpc_slice_from(rest, len);
    }
    return at;
}

// A value, or what it refers to.
static const tree *follow(const tree *root, const tree *value)
{
    for (int i = 0; i < LINKS_MOST; i++) {
        const tree *reference = is_kind(value, 'o') ? tree_member(value, "$ref") : NULL;
        if (!is_kind(reference, 's')) {
            return value;
        }
        value = service_find(root, reference->content);
    }
    return NULL;
}

const tree *service_member(const tree *root, const tree *object, const char *name)
{
    return is_kind(object, 'o') ? follow(root, tree_member(object, name)) : NULL;
}

const tree *service_element(const tree *root, const tree *array, size_t index)
{
    return index < count_of(array) ? follow(root, array->items[index]) : NULL;
}

// A member itself: a reference is not followed.
static const tree *own(const tree *object, const char *name)
{
    return is_kind(object, 'o') ? tree_member(object, name) : NULL;
}

void service_each_descriptor(const tree *root, void (*take)(void *context, const tree *descriptor),
                             void *context)
{
    const tree *methods = service_member(root, root, "methods");
    for (size_t i = 0; i < count_of(methods); i++) {
        const tree *method = service_element(root, methods, i);
        const tree *params = service_member(root, method, "params");
        const tree *result = service_member(root, method, "result");
        for (size_t k = 0; k < count_of(params); k++) {
            const tree *param = service_element(root, params, k);
            if (param != NULL) {
                take(context, param);
            }
        }
        if (result != NULL) {
            take(context, result);
        }
    }
}

void service_each_value(const tree *root,
                        void (*take)(void *context, const tree *value, const tree *descriptor),
                        void *context)
{
    const tree *methods = service_member(root, root, "methods");
    for (size_t i = 0; i < count_of(methods); i++) {
        const tree *method = service_element(root, methods, i);
        const tree *params = service_member(root, method, "params");
        const tree *examples = service_member(root, method, "examples");
        for (size_t e = 0; e < count_of(examples); e++) {
            const tree *example = service_element(root, examples, e);
            const tree *given = service_member(root, example, "params");
            for (size_t k = 0; k < count_of(given); k++) {
                const tree *param = service_element(root, given, k);
                take(context, service_member(root, param, "value"),
                     service_element(root, params, k));
            }
            const tree *printed = service_member(root, example, "result");
            take(context, service_member(root, printed, "value"),
                 service_member(root, method, "result"));
        }
    }
}

typedef struct checking {
    const tree *root;
    service_flaws flaws;
} checking;

static void check_descriptor(void *context, const tree *descriptor)
{
    checking *self = context;
    bool right = is_kind(service_member(self->root, descriptor, "name"), 's') &&
                 own(descriptor, "schema") != NULL;
    self->flaws.form = self->flaws.form || !right;
}

// Whether a member has the same value in two elements of a list.
static bool has_same(service_flaws *flaws, const tree *root, const tree *list, const char *key)
{
    for (size_t i = 0; i < count_of(list); i++) {
        const tree *one = own(service_element(root, list, i), key);
        for (size_t k = 0; k < i && one != NULL; k++) {
            const tree *other = own(service_element(root, list, k), key);
            tree_answer same = other == NULL ? TREE_DIFFERENT : tree_equal(one, other);
            flaws->unsure = flaws->unsure || same == TREE_UNKNOWN;
            if (same == TREE_EQUAL) {
                return true;
            }
        }
    }
    return false;
}

// Whether all references within the document lead somewhere.
static bool leads_somewhere(const tree *root, const tree *value)
{
    const tree *reference = own(value, "$ref");
    if (is_kind(reference, 's')) {
        jrpc_slice text = reference->content;
        bool within = text.len > 0 && text.ptr[0] == '#' && (text.len == 1 || text.ptr[1] == '/');
        if (within && service_find(root, text) == NULL) {
            return false;
        }
    }
    for (size_t i = 0; (value->kind == 'a' || value->kind == 'o') && i < value->count; i++) {
        if (!leads_somewhere(root, value->items[i])) {
            return false;
        }
    }
    return true;
}

static void check_method(service_flaws *flaws, const tree *root, const tree *method)
{
    const tree *params = service_member(root, method, "params");
    bool optional = false;
    flaws->form =
        flaws->form || !is_kind(service_member(root, method, "name"), 's') || !is_kind(params, 'a');
    flaws->names = has_same(flaws, root, params, "name") ||
                   has_same(flaws, root, service_member(root, method, "errors"), "code") ||
                   flaws->names;
    for (size_t i = 0; i < count_of(params); i++) {
        const tree *required = own(service_element(root, params, i), "required");
        bool must = is_kind(required, 'b') && jrpc_slice_is(required->spelling, "true");
        flaws->order = flaws->order || (must && optional);
        optional = optional || !must;
    }
}

service_flaws service_check(const tree *root)
{
    service_flaws flaws = {.form = false};
    const tree *info = service_member(root, root, "info");
    const tree *methods = service_member(root, root, "methods");
    flaws.form = !is_kind(service_member(root, root, "openrpc"), 's') || !is_kind(info, 'o') ||
                 !is_kind(methods, 'a') || !is_kind(service_member(root, info, "title"), 's') ||
                 !is_kind(service_member(root, info, "version"), 's');
    flaws.names = has_same(&flaws, root, methods, "name");
    flaws.references = !leads_somewhere(root, root);
    for (size_t i = 0; i < count_of(methods); i++) {
        check_method(&flaws, root, service_element(root, methods, i));
    }
    checking descriptors = {.root = root, .flaws = flaws};
    service_each_descriptor(root, check_descriptor, &descriptors);
    return descriptors.flaws;
}

// The descriptor for a param of an example: the one with its name, or else the one at its place.
static const tree *descriptor_of(const tree *root, const tree *params, const tree *param,
                                 size_t place)
{
    const tree *name = own(param, "name");
    for (size_t i = 0; is_kind(name, 's') && i < count_of(params); i++) {
        const tree *one = service_element(root, params, i);
        const tree *other = own(one, "name");
        if (is_kind(other, 's') && jrpc_slice_equal(other->content, name->content)) {
            return one;
        }
    }
    return service_element(root, params, place);
}

// Fills in the params; false if they cannot be passed in this way.
static bool pass(tree_pool *pool, const tree *root, const tree *params, const tree *given,
                 service_case *one)
{
    const tree **values = tree_alloc(pool, (given->count + 1) * sizeof *values);
    const tree **names = tree_alloc(pool, (given->count + 1) * sizeof *names);
    for (size_t i = 0; i < given->count; i++) {
        const tree *param = service_element(root, given, i);
        const tree *descriptor = descriptor_of(root, params, param, i);
        values[i] = service_member(root, param, "value");
        names[i] = own(descriptor, "name");
        if (values[i] == NULL || !is_kind(names[i], 's') ||
            (!one->by_name && descriptor != service_element(root, params, i))) {
            return false;
        }
    }
    one->count = given->count;
    one->values = values;
    one->names = names;
    return true;
}

void service_each_case(tree_pool *pool, const tree *root,
                       void (*take)(void *context, const service_case *one), void *context)
{
    const tree *methods = service_member(root, root, "methods");
    for (size_t i = 0; i < count_of(methods); i++) {
        const tree *method = service_element(root, methods, i);
        const tree *params = service_member(root, method, "params");
        const tree *examples = service_member(root, method, "examples");
        const tree *how = own(method, "paramStructure");
        bool only_by_name = is_kind(how, 's') && tree_is_text(how, "by-name");
        bool never_by_name = is_kind(how, 's') && tree_is_text(how, "by-position");
        service_case one = {.method = i, .name = own(method, "name"), .said = is_kind(how, 's')};
        one.schema = own(service_member(root, method, "result"), "schema");
        for (size_t k = 0; is_kind(one.name, 's') && k < count_of(examples); k++) {
            const tree *example = service_element(root, examples, k);
            const tree *given = service_member(root, example, "params");
            const tree *error = service_member(root, example, "error");
            one.example = k;
            one.notified = own(example, "result") == NULL && own(example, "error") == NULL;
            one.value = service_member(root, service_member(root, example, "result"), "value");
            one.code = own(service_member(root, error, "value"), "code");
            bool names =
                is_kind(given, 'a') && (only_by_name || (!never_by_name && given->count > 0));
            one.by_name = false;
            if (is_kind(given, 'a') && !only_by_name && pass(pool, root, params, given, &one)) {
                take(context, &one);
            }
            one.by_name = true;
            if (names && pass(pool, root, params, given, &one)) {
                take(context, &one);
            }
        }
    }
}
