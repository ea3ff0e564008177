#include "fuzz/model/manner.h"

static bool holds(jrpc_slice text, const char *any)
{
    for (; *any != '\0'; any++) {
        if (text.len != 0 && memchr(text.ptr, *any, text.len) != NULL) {
            return true;
        }
    }
    return text.len != 0 && memchr(text.ptr, '\0', text.len) != NULL;
}

static bool is_pointer(const tree *value)
{
    return value->kind == 's' && (value->content.len == 0 || value->content.ptr[0] == '/');
}

static bool is_result(const tree *result)
{
    static const char *const members[] = {"at", "as", NULL};
    if (result == NULL || result->kind != 'o') {
        return result == NULL || is_pointer(result);
    }
    const tree *at = tree_member(result, "at");
    const tree *as = tree_member(result, "as");
    return tree_has_only(result, members) && (at == NULL || is_pointer(at)) &&
           (as == NULL || tree_is_text(as, "json-text"));
}

static bool is_by_name(const tree *by_name)
{
    if (by_name == NULL) {
        return true;
    }
    for (size_t i = 0; by_name->kind == 'o' && i < by_name->count; i++) {
        if (by_name->items[i]->kind != 's' || holds(by_name->items[i]->content, "")) {
            return false;
        }
    }
    return by_name->kind == 'o';
}

static bool is_mapping(const tree *mapping, bool *ret_deep)
{
    static const char *const members[] = {"method", "by-position", "by-name",
                                          "params", "result",      NULL};
    const tree *method = tree_member(mapping, "method");
    const tree *by_position = tree_member(mapping, "by-position");
    const tree *params = tree_member(mapping, "params");
    *ret_deep = *ret_deep || params != NULL;
    return tree_has_only(mapping, members) && method != NULL && method->kind == 's' &&
           (by_position == NULL || by_position->kind == 'a') &&
           is_by_name(tree_member(mapping, "by-name")) &&
           (params == NULL || params->kind == 'o' || params->kind == 'a') &&
           is_result(tree_member(mapping, "result"));
}

bool manner_is_methods(const tree *methods, bool *ret_deep)
{
    if (methods == NULL) {
        return true;
    }
    if (methods->kind != 'o' || !tree_has_only(methods, jck_capabilities())) {
        return false;
    }
    for (size_t i = 0; i < methods->count; i++) {
        const tree *mapping = methods->items[i];
        if (mapping->kind != 's' && (mapping->kind != 'o' || !is_mapping(mapping, ret_deep))) {
            return false;
        }
    }
    return true;
}

static bool is_of_message(const tree *value)
{
    return value->kind == 's' &&
           jrpc_slice_starts_with(value->spelling, JRPC_SLICE("\"${message/"));
}

static bool is_header(const tree *value, bool *ret_deep)
{
    for (size_t i = 0; value->kind == 'a' && i < value->count; i++) {
        if (!is_of_message(value->items[i])) {
            return false;
        }
    }
    if (value->kind == 'a') {
        *ret_deep = *ret_deep || value->count != 0;
        return value->count != 0;
    }
    bool filled = value->kind == 's' && holds(value->spelling, "$");
    *ret_deep = *ret_deep || filled;
    return filled || (value->kind == 's' && !holds(value->content, "\r\n"));
}

bool manner_is_headers(const tree *headers, bool *ret_deep)
{
    for (size_t i = 0; headers != NULL && headers->kind == 'o' && i < headers->count; i++) {
        jrpc_slice name = headers->names[i]->content;
        if (name.len == 0 || holds(name, "=:\r\n") || !is_header(headers->items[i], ret_deep)) {
            return false;
        }
    }
    return headers == NULL || headers->kind == 'o';
}

bool manner_is_framing(const tree *framing)
{
    return tree_is_text(framing, "line") || tree_is_text(framing, "content-length") ||
           tree_is_text(framing, "concatenated") || tree_is_text(framing, "length32");
}

static bool wraps(const tree *mapping)
{
    const tree *by_name = mapping->kind == 's' ? NULL : tree_member(mapping, "by-name");
    const tree *result = mapping->kind == 's' ? NULL : tree_member(mapping, "result");
    const tree *at = result != NULL && result->kind == 'o' ? tree_member(result, "at") : result;
    for (size_t i = 0; by_name != NULL && i < by_name->count; i++) {
        if (!jrpc_slice_equal(by_name->names[i]->content, by_name->items[i]->content)) {
            return true;
        }
    }
    return (mapping->kind == 'o' && tree_member(mapping, "params") != NULL) ||
           (at != NULL && at->content.len != 0) ||
           (result != NULL && result->kind == 'o' && tree_member(result, "as") != NULL);
}

bool manner_agrees(tree_pool *pool, const jck_mapping *mapping, const tree *expected)
{
    bool plain = expected->kind == 's';
    const tree *method = plain ? expected : tree_member(expected, "method");
    // It is kept as it is spelled in JSON.
    return jrpc_slice_equal(tree_read(pool, mapping->method)->content, method->content) &&
           mapping->by_position == (plain || tree_member(expected, "by-position") != NULL) &&
           mapping->by_name == (plain || tree_member(expected, "by-name") != NULL) &&
           (mapping->call != NULL) == wraps(expected);
}
