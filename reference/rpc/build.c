#include "reference/rpc/build.h"

#include "reference/base/limits.h"
#include "reference/base/utf8.h"
#include "reference/json/read.h"
#include "reference/json/write.h"

enum { SHOWN_BYTES = 64 }; // of a name or value in an error

static int shown(jrpc_slice bytes)
{
    return bytes.len < SHOWN_BYTES ? (int)bytes.len : SHOWN_BYTES;
}

bool jrpc_build_check_name(const char *what, jrpc_slice name, jrpc_error *error)
{
    if (name.len == 0) {
        return jrpc_error_set(error, JRPC_ERROR_INVALID, "the %s is empty", what);
    }
    if (!jrpc_utf8_is_valid(name.ptr, name.len)) {
        return jrpc_error_set(error, JRPC_ERROR_INVALID, "the %s is no UTF-8", what);
    }
    if (memchr(name.ptr, '.', name.len) != NULL) {
        return jrpc_error_set(error, JRPC_ERROR_INVALID,
                              "the %s %.*s holds a dot, which separates names in a method", what,
                              shown(name), name.ptr);
    }
    if (strcmp(what, "resource") == 0 && jrpc_slice_is(name, "rpc")) {
        return jrpc_error_set(error, JRPC_ERROR_INVALID,
                              "the resource rpc is reserved: section 8 of JSON-RPC 2.0 keeps all "
                              "methods that begin with rpc.");
    }
    return true;
}

// The kinds that a spelling may have, as bits.
enum {
    STRING = 1 << JRPC_JSON_STRING,
    NUMBER = 1 << JRPC_JSON_NUMBER,
    NULLS = 1 << JRPC_JSON_NULL,
    ARRAY = 1 << JRPC_JSON_ARRAY,
    OBJECT = 1 << JRPC_JSON_OBJECT,
    ANY = 0x1fe,
};

// A message on its way: every part is checked where it is written; after a failure nothing more is.
typedef struct build {
    jrpc_buffer *out;
    size_t before; // out->len at the start
    jrpc_json_writer writer;
    jrpc_json_document document; // the value at hand
    jrpc_error *error;
    bool ok;
} build;

static void begin(build *at, jrpc_buffer *out, jrpc_error *error)
{
    *at = (build){.out = out, .before = out->len, .error = error, .ok = true};
    jrpc_json_document_init(&at->document, out->allocator);
    jrpc_json_writer_init(&at->writer, out);
    jrpc_json_write_begin_object(&at->writer);
}

static bool finish(build *at)
{
    jrpc_json_write_end_object(&at->writer);
    jrpc_json_document_done(&at->document);
    if (at->ok && at->out->failed) {
        at->ok = jrpc_error_set(at->error, JRPC_ERROR_LIMIT,
                                "memory is out, or the message is longer than %zu bytes",
                                at->out->maximum);
    }
    if (!at->ok) {
        jrpc_buffer_truncate(at->out, at->before);
    }
    return at->ok;
}

// Reads a value and checks its kind; what it is, or JRPC_JSON_ABSENT.
static jrpc_json read_value(build *at, const char *name, jrpc_slice spelling, int kinds,
                            const char *expected)
{
    if (spelling.len == 0 || !at->ok) {
        return JRPC_JSON_ABSENT;
    }
    jrpc_error unread = {.code = JRPC_OK};
    if (!jrpc_json_read(&at->document, spelling, JRPC_LIMIT_DEPTH, &unread)) {
        bool memory = unread.code == JRPC_ERROR_MEMORY;
        at->ok = jrpc_error_set(at->error, memory ? JRPC_ERROR_LIMIT : JRPC_ERROR_INVALID,
                                "the %s %.*s is not JSON: %s", name, shown(spelling), spelling.ptr,
                                unread.message);
        return JRPC_JSON_ABSENT;
    }
    jrpc_json value = jrpc_json_root(&at->document);
    if ((kinds & (1 << jrpc_json_kind_of(value))) == 0) {
        at->ok = jrpc_error_set(at->error, JRPC_ERROR_INVALID, "the %s %.*s is not %s", name,
                                shown(spelling), spelling.ptr, expected);
        return JRPC_JSON_ABSENT;
    }
    return value;
}

static void write_member(build *at, const char *name, jrpc_slice spelling, int kinds,
                         const char *expected)
{
    jrpc_json value = read_value(at, name, spelling, kinds, expected);
    if (jrpc_json_exists(value)) {
        jrpc_json_write_key(&at->writer, name);
        jrpc_json_write_value(&at->writer, value);
    }
}

static void write_name(build *at, const char *name, jrpc_slice content, bool required)
{
    if (at->ok && (required || content.len != 0)) {
        at->ok = jrpc_build_check_name(name, content, at->error);
        jrpc_json_write_key(&at->writer, name);
        jrpc_json_write_string(&at->writer, content);
    }
}

// The method as one quoted string: each name quoted on its own, without the quotes between them.
static void write_method(build *at, const jrpc_request_parts *parts)
{
    jrpc_json_write_key(&at->writer, "method");
    jrpc_json_write_string(&at->writer, parts->resource);
    const jrpc_slice more[] = {parts->subresource, parts->verb};
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
        if (more[i].len == 0 || at->out->failed) {
            continue;
        }
        jrpc_buffer_truncate(at->out, at->out->len - 1);
        size_t joint = at->out->len;
        if (jrpc_json_quote(at->out, more[i])) {
            at->out->ptr[joint] = '.';
        }
    }
}

// What requests and result messages share.
static void write_route(build *at, const jrpc_request_parts *parts)
{
    static const char instance[] = "a String or Number";
    jrpc_json_write_key(&at->writer, "jsonrpc");
    jrpc_json_write_str(&at->writer, "2.0");
    write_method(at, parts);
    write_name(at, "resource", parts->resource, true);
    if (at->ok && parts->parent.len != 0 && parts->subresource.len == 0) {
        at->ok = jrpc_error_set(at->error, JRPC_ERROR_INVALID,
                                "a parent needs a subresource that it owns; for an instance of "
                                "the resource itself there is target");
    }
    write_member(at, "parent", parts->parent, STRING | NUMBER, instance);
    write_name(at, "subresource", parts->subresource, false);
    write_member(at, "target", parts->target, STRING | NUMBER, instance);
    write_name(at, "verb", parts->verb, true);
}

static void check_request(build *at, const jrpc_request_parts *parts)
{
    if (at->ok && jrpc_resource_verb_is_reserved(parts->verb)) {
        at->ok = jrpc_error_set(at->error, JRPC_ERROR_INVALID,
                                "the verb %.*s is reserved for result messages", shown(parts->verb),
                                parts->verb.ptr);
    }
    if (at->ok && parts->cache.len != 0 && !jrpc_slice_is(parts->cache, "no-cache")) {
        at->ok = jrpc_error_set(at->error, JRPC_ERROR_INVALID,
                                "the cache %.*s is not no-cache, the one hint of a request",
                                shown(parts->cache), parts->cache.ptr);
    }
}

bool jrpc_build_request(jrpc_buffer *out, const jrpc_request_parts *parts, jrpc_error *error)
{
    build at;
    begin(&at, out, error);
    write_route(&at, parts);
    check_request(&at, parts);
    write_member(&at, "params", parts->params, ARRAY | OBJECT, "an Array or Object");
    if (parts->cache.len != 0) {
        jrpc_json_write_key(&at.writer, "cache");
        jrpc_json_write_string(&at.writer, parts->cache);
    }
    write_member(&at, "id", parts->id, STRING | NUMBER | NULLS, "a String, Number or null");
    return finish(&at);
}

static bool check_status(jrpc_status status, bool final, jrpc_error *error)
{
    switch (status) {
    case JRPC_STATUS_NONE:
        return true;
    case JRPC_STATUS_ACCEPTED:
    case JRPC_STATUS_PENDING:
        if (!final) {
            return true;
        }
        return jrpc_error_set(error, JRPC_ERROR_INVALID,
                              "a return carries the status done or error, not %s",
                              jrpc_status_word(status));
    case JRPC_STATUS_DONE:
    case JRPC_STATUS_ERROR:
        if (final) {
            return true;
        }
        return jrpc_error_set(error, JRPC_ERROR_INVALID,
                              "a yield carries the status accepted or pending, not %s",
                              jrpc_status_word(status));
    case JRPC_STATUS_UNKNOWN:
        break;
    }
    return jrpc_error_set(error, JRPC_ERROR_INVALID,
                          "the status is none of accepted, pending, done and error");
}

// The result with the status in front of its members.
static void write_with_status(build *at, jrpc_status status, jrpc_json result)
{
    jrpc_json_write_begin_object(&at->writer);
    jrpc_json_write_key(&at->writer, "status");
    jrpc_json_write_str(&at->writer, jrpc_status_word(status));
    for (jrpc_json_iterator it = jrpc_json_iterate(result); jrpc_json_step(&it);) {
        // The key as spelled: a member of a result may be named as it likes.
        jrpc_buffer_append_char(at->out, ',');
        jrpc_buffer_append(at->out, jrpc_json_spelling(it.key));
        jrpc_buffer_append_char(at->out, ':');
        (void)jrpc_json_compact(at->out, it.value);
    }
    jrpc_json_write_end_object(&at->writer);
}

static void write_result(build *at, const jrpc_result_parts *parts)
{
    bool given = parts->status != JRPC_STATUS_NONE;
    if (at->ok && !given && parts->result.len == 0) {
        at->ok = jrpc_error_set(at->error, JRPC_ERROR_INVALID,
                                "a result message needs a result or a status");
    }
    jrpc_json result = read_value(at, "result", parts->result, given ? OBJECT : ANY,
                                  "an Object, which takes a status");
    if (!at->ok) {
        return;
    }
    jrpc_status own = jrpc_status_of(result);
    if (given && own != JRPC_STATUS_NONE) {
        at->ok = jrpc_error_set(at->error, JRPC_ERROR_INVALID,
                                "the result has a status beside the one given");
    }
    at->ok = at->ok && check_status(given ? parts->status : own, parts->final, at->error);
    if (!at->ok) {
        return;
    }
    jrpc_json_write_key(&at->writer, "result");
    if (given) {
        write_with_status(at, parts->status, result);
    } else {
        jrpc_json_write_value(&at->writer, result);
    }
}

bool jrpc_build_result(jrpc_buffer *out, const jrpc_result_parts *parts, jrpc_error *error)
{
    const jrpc_request_parts route = {
        .resource = parts->resource,
        .subresource = parts->subresource,
        .verb = parts->final ? JRPC_SLICE("return") : JRPC_SLICE("yield"),
        .target = parts->target,
        .parent = parts->parent,
    };
    build at;
    begin(&at, out, error);
    write_route(&at, &route);
    write_result(&at, parts);
    write_member(&at, "request_id", parts->request_id, STRING | NUMBER | NULLS,
                 "a String, Number or null");
    return finish(&at);
}
