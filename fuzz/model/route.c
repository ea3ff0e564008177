#include "fuzz/model/route.h"

#include "fuzz/model/grammar.h"

// What a member is: '-' absent, 'e' an empty String, '.' a String with a dot, else as tree.kind.
static char kind_of(const tree *message, const char *name)
{
    const tree *member = tree_member(message, name);
    if (member == NULL) {
        return '-';
    }
    if (member->kind != 's') {
        return member->kind;
    }
    return member->content.len == 0                                ? 'e'
           : memchr(member->content.ptr, '.', member->content.len) ? '.'
                                                                   : 's';
}

static const char *const names[] = {"resource", "subresource", "verb"};

jrpc_slice route_name(tree_pool *pool, const tree *message)
{
    size_t len = 0;
    for (size_t i = 0; i < 3; i++) {
        const tree *member = tree_member(message, names[i]);
        len += member == NULL ? 0 : member->content.len + 1;
    }
    char *joined = tree_alloc(pool, len + 1);
    size_t at = 0;
    for (size_t i = 0; i < 3; i++) {
        const tree *member = tree_member(message, names[i]);
        if (member == NULL && i == 1) {
            continue;
        }
        if (member == NULL || member->kind != 's') {
            return (jrpc_slice){NULL, 0};
        }
        if (i != 0) {
            joined[at++] = '.';
        }
        if (member->content.len != 0) {
            memcpy(joined + at, member->content.ptr, member->content.len);
        }
        at += member->content.len;
    }
    return jrpc_slice_of(joined, at);
}

static bool among(char kind, const char *kinds)
{
    return strchr(kinds, kind) != NULL;
}

jrpc_resource_reason route_reason(tree_pool *pool, const tree *message, bool result_message)
{
    char resource = kind_of(message, "resource");
    char verb = kind_of(message, "verb");
    char sub = kind_of(message, "subresource");
    char target = kind_of(message, "target");
    char parent = kind_of(message, "parent");
    // In the order in which they are reported.
    if (!among(resource, "-s.")) {
        return JRPC_RESOURCE_TYPE;
    }
    if (!among(verb, "-s.")) {
        return JRPC_RESOURCE_VERB_TYPE;
    }
    if (!among(sub, "-s.")) {
        return JRPC_RESOURCE_SUBRESOURCE_TYPE;
    }
    if (!among(target, "-se.0")) {
        return JRPC_RESOURCE_TARGET_TYPE;
    }
    if (!among(parent, "-se.0")) {
        return JRPC_RESOURCE_PARENT_TYPE;
    }
    if (resource == '-') {
        return verb != '-'     ? JRPC_RESOURCE_VERB_ALONE
               : sub != '-'    ? JRPC_RESOURCE_SUBRESOURCE_ALONE
               : parent != '-' ? JRPC_RESOURCE_PARENT_ALONE
                               : JRPC_RESOURCE_VALID;
    }
    if (verb == '-') {
        return JRPC_RESOURCE_WITHOUT_VERB;
    }
    if (parent != '-' && sub == '-') {
        return JRPC_RESOURCE_PARENT_WITHOUT_SUB;
    }
    if (!jrpc_slice_equal(route_name(pool, message), tree_member(message, "method")->content)) {
        return JRPC_RESOURCE_MISMATCH;
    }
    if (resource == '.' || verb == '.' || sub == '.') {
        return JRPC_RESOURCE_DOT;
    }
    const tree *said = tree_member(message, "verb");
    bool reserved = tree_is_text(said, "yield") || tree_is_text(said, "return");
    return reserved && !result_message ? JRPC_RESOURCE_RESERVED_VERB : JRPC_RESOURCE_VALID;
}

bool route_name_is_good(const char *what, jrpc_slice name)
{
    char *quoted = NULL;
    tree_pool pool = {NULL};
    quoted = tree_alloc(&pool, name.len + 3);
    size_t len = 0;
    quoted[len++] = '"';
    // As the content of a JSON string, where only the encoding can be wrong.
    for (size_t i = 0; i < name.len; i++) {
        char byte = name.ptr[i];
        quoted[len++] = (unsigned char)byte < 0x20 || byte == '"' || byte == '\\' ? '?' : byte;
    }
    quoted[len++] = '"';
    bool encoded = grammar_check(jrpc_slice_of(quoted, len), 1).verdict == GRAMMAR_JSON;
    tree_pool_done(&pool);
    bool dot = name.len != 0 && memchr(name.ptr, '.', name.len) != NULL;
    bool rpc = strcmp(what, "resource") == 0 && jrpc_slice_is(name, "rpc");
    return name.len != 0 && encoded && !dot && !rpc;
}
