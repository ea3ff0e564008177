#include "harness/generate/grammar.h"

#include "harness/generate/making.h"
#include "harness/generate/name.h"
#include "harness/generate/params.h"
#include "harness/generate/values.h"

#include <string.h>

// The first of the ids that a batch counts.
#define FIRST_ID_MOST 100000u

static const jck_method *pick_method(const jck_making *m)
{
    return m->grammar->method_count == 0
               ? NULL
               : &m->grammar->methods[jrpc_random_below(m->random, m->grammar->method_count)];
}

static void put_absent(const jck_making *m)
{
    jck_name_absent(m->grammar->absent, m->grammar->text_most, m->random, m->out);
}

// A valid call, or a notification.
static void put_request(const jck_making *m, bool call)
{
    const jck_method *method = jck_one_in(m, 2) ? pick_method(m) : NULL;
    bool id_first = jck_one_in(m, 6);
    jck_put(m, "{");
    if (call && id_first) {
        jck_put(m, "\"id\":");
        jck_value_id(m->random, false, m->out);
        jck_put(m, ",");
    }
    jck_put(m, "\"jsonrpc\":\"2.0\",\"method\":");
    if (method == NULL) {
        put_absent(m);
    } else if (jck_one_in(m, 6)) {
        jck_name_near(method->name, m->grammar->absent, m->random,
                      m->out); // what would fit the other method
    } else {
        (void)jrpc_buffer_append(m->out, method->name);
    }
    jck_params_any(m->grammar, method, m->random, m->out);
    if (jck_one_in(m, 40)) {
        jck_put(m, ",\"extra\":");
        jck_value_any(m->random, 1, m->out);
    }
    if (call && !id_first) {
        jck_put(m, ",\"id\":");
        jck_value_id(m->random, false, m->out);
    }
    jck_put(m, "}");
}

// A member of a message that may be wrong: right, of another type, absent, or duplicated.
typedef struct member {
    const char *name;
    void (*right)(const jck_making *m);
} member;

static void right_version(const jck_making *m)
{
    jck_put(m, "\"2.0\"");
}

static void right_params(const jck_making *m)
{
    jck_params_structure(m->grammar, m->random, m->out);
}

static void right_id(const jck_making *m)
{
    jck_value_id(m->random, true, m->out);
}

static const member members[] = {
    {"jsonrpc", right_version}, {"method", put_absent}, {"params", right_params}, {"id", right_id}};
#define MEMBERS (sizeof members / sizeof *members)

static void put_wrong_value(const jck_making *m, size_t index)
{
    static const char *const versions[] = {
        "\"1.0\"", "\"2\"",    "2",       "2.0",  "\"2.00\"",  "\"2.1\"",       "\"\"",
        "null",    "\"2.0 \"", "\"3.0\"", "true", "[\"2.0\"]", "\"2.0\\u0000\""};
    if (index == 0) {
        jck_put(m, JRPC_RANDOM_PICK(m->random, versions));
    } else {
        jck_value_any(m->random, 1, m->out);
    }
}

// An Object in which one member, sometimes more, is wrong.
static void put_wrong(const jck_making *m)
{
    size_t wrong = (size_t)jrpc_random_below(m->random, MEMBERS);
    size_t start = jck_one_in(m, 3) ? (size_t)jrpc_random_below(m->random, MEMBERS) : 0;
    bool first = true;
    jck_put(m, "{");
    for (size_t i = 0; i < MEMBERS; i++) {
        size_t index = (start + i) % MEMBERS;
        bool is_wrong = index == wrong || jck_one_in(m, 12);
        size_t how = is_wrong ? (size_t)jrpc_random_below(m->random, 8) : 0;
        if ((is_wrong && how < 2) || (!is_wrong && index == 2 && jck_one_in(m, 2))) {
            continue; // absent
        }
        for (size_t times = is_wrong && how == 2 ? 2 : 1; times > 0; times--) {
            jck_put(m, first ? "\"" : ",\"");
            jck_put(m, members[index].name);
            jck_put(m, "\":");
            first = false;
            if (is_wrong && (how > 2 || times == 1)) {
                put_wrong_value(m, index);
            } else {
                members[index].right(m);
            }
        }
    }
    jck_put(m, "}");
}

static void put_response(const jck_making *m)
{
    jck_put(m, jck_one_in(m, 2) ? "{\"jsonrpc\":\"2.0\",\"result\":"
                                : "{\"jsonrpc\":\"2.0\",\"error\":");
    if (jck_one_in(m, 2)) {
        jck_put(m, "{\"code\":-32603,\"message\":\"x\"}");
    } else {
        jck_value_any(m->random, 1, m->out);
    }
    jck_put(m, ",\"id\":");
    jck_value_id(m->random, false, m->out);
    jck_put(m, "}");
}

// A call whose answer is known, with this number as its id; NULL: with any id.
static void put_call(const jck_making *m, const size_t *number)
{
    const jck_method *method = jck_one_in(m, 3) ? pick_method(m) : NULL;
    jck_put(m, "{\"jsonrpc\":\"2.0\",\"method\":");
    (void)jrpc_buffer_append(m->out, method == NULL ? m->grammar->absent : method->name);
    jck_params_fit(m->grammar, method, m->random, m->out);
    jck_put(m, ",\"id\":");
    if (number != NULL) {
        jck_put_index(m, *number);
    } else {
        jck_value_id(m->random, true, m->out);
    }
    jck_put(m, "}");
}

// One element of a batch. `tame`: its answer is known.
static void put_element(const jck_making *m, bool tame)
{
    switch (jrpc_random_below(m->random, tame ? 6 : 10)) {
    case 0:
    case 1:
    case 2:
        put_call(m, NULL);
        break;
    case 3:
        put_request(m, false);
        break;
    case 4:
        jck_value_small(m->random, m->out);
        break;
    case 5:
        put_request(m, true);
        break;
    case 6:
        put_wrong(m);
        break;
    case 7:
        put_response(m);
        break;
    default:
        jck_value_any(m->random, 2, m->out);
        break;
    }
}

static void put_batch(const jck_making *m)
{
    // All of one kind, or a mixture. Only batches of plain calls are long: one element with an
    // uncertain answer makes the answer to the whole batch uncertain.
    static const unsigned char clear[] = {0, 1, 2, 3, 6};
    uint64_t kind =
        m->grammar->clear ? JRPC_RANDOM_PICK(m->random, clear) : jrpc_random_below(m->random, 7);
    size_t most = m->grammar->batch_most;
    // Other batches count from elsewhere: no two messages in flight have an id in common.
    size_t base = jck_one_in(m, 4) ? 0 : (size_t)jrpc_random_below(m->random, FIRST_ID_MOST);
    size_t count = jck_value_size(m->random, kind == 6 ? most : most / 2);
    jck_put(m, "[");
    for (size_t i = 0; i < count; i++) {
        size_t number = base + i;
        jck_put(m, i == 0 ? "" : ",");
        if (kind == 6) {
            jck_put(m, "{\"jsonrpc\":\"2.0\",\"method\":");
            (void)jrpc_buffer_append(m->out, m->grammar->absent);
            jck_put(m, ",\"params\":[],\"id\":");
            jck_put_index(m, number);
            jck_put(m, "}");
        } else if (kind < 2) {
            // Random ids repeat in a long batch, and answers to equal ids are not certain.
            put_call(m, kind == 0 ? &number : NULL);
        } else if (kind == 2) {
            put_request(m, false);
        } else {
            put_element(m, kind < 5);
        }
    }
    jck_put(m, "]");
}

// A long, deep or wide message.
static void put_size(const jck_making *m)
{
    size_t size = jck_value_size(m->random, m->grammar->text_most);
    uint64_t kind = jrpc_random_below(m->random, 4);
    static const char *const opens[] = {"[", "{\"a\":", "0,", "x"};
    static const char *const closes[] = {"]", "}", "", ""};
    jck_put(m, "{\"jsonrpc\":\"2.0\",\"method\":");
    put_absent(m);
    jck_put(m, kind == 3 ? ",\"params\":[\"" : ",\"params\":[");
    for (size_t i = 0; i < size; i++) {
        jck_put(m, opens[kind]);
    }
    jck_put(m, kind == 3 ? "\"" : "0");
    for (size_t i = 0; i < size; i++) {
        jck_put(m, closes[kind]);
    }
    jck_put(m, "],\"id\":");
    jck_value_id(m->random, true, m->out);
    jck_put(m, "}");
}

// A call with a value that only extensions of JSON allow. It may be served, but the answer must be
// JSON.
static void put_extension(const jck_making *m)
{
    static const char *const values[] = {"NaN",   "Infinity", "-Infinity", "+1",     "01",
                                         ".5",    "1.",       "0x1F",      "1e",     "undefined",
                                         "None",  "True",     "'a'",       "[1,]",   "{\"a\":1,}",
                                         "{a:1}", "/*x*/1",   "\"\\x41\"", "\"\t\"", "`a`"};
    const jck_method *method = pick_method(m);
    jck_put(m, "{\"jsonrpc\":\"2.0\",\"method\":");
    (void)jrpc_buffer_append(m->out, method == NULL ? m->grammar->absent : method->name);
    jck_put(m, ",\"params\":[");
    jck_put(m, JRPC_RANDOM_PICK(m->random, values));
    jck_put(m, "],\"id\":");
    jck_value_id(m->random, true, m->out);
    jck_put(m, "}");
}

// A text that is not valid JSON: truncated, or with something that JSON does not have.
static void put_text(const jck_making *m)
{
    static const char *const junk[] = {",",        ":",
                                       "}",        "]",
                                       "\"",       "'",
                                       "/*x*/",    "NaN",
                                       "+1",       "01",
                                       ".5",       "1.",
                                       "\\",       "\x01",
                                       "\xff",     "tru",
                                       "//x",      "0x1",
                                       "{",        "undefined",
                                       "\xC0\xAF", "\xED\xA0\x80",
                                       "Infinity", "\\x41",
                                       "-"};
    static const char *const words[] = {"hello",
                                        "{",
                                        "}",
                                        "[",
                                        "]",
                                        "<x/>",
                                        "\"",
                                        "GET / HTTP/1.1",
                                        "{]",
                                        "[}",
                                        ":",
                                        ",",
                                        "{\"jsonrpc\":\"2.0\",\"method\""};
    bool clear = m->grammar->clear;
    if (!clear && jck_one_in(m, 6)) {
        jck_put(m, JRPC_RANDOM_PICK(m->random, words));
        return;
    }
    if (!clear && jck_one_in(m, 4)) {
        put_extension(m);
        return;
    }
    size_t begin = m->out->len;
    put_request(m, !jck_one_in(m, 4));
    size_t len = m->out->len - begin;
    size_t at = begin + 1 + (size_t)jrpc_random_below(m->random, len > 1 ? len - 1 : 1);
    if (m->out->failed || clear || jck_one_in(m, 2)) {
        jrpc_buffer_truncate(m->out, at < m->out->len ? at : m->out->len);
        return;
    }
    char tail[256];
    size_t tail_len = m->out->len - at;
    if (tail_len <= sizeof tail) {
        memcpy(tail, m->out->ptr + at, tail_len);
        jrpc_buffer_truncate(m->out, at);
        jck_put(m, JRPC_RANDOM_PICK(m->random, junk));
        (void)jrpc_buffer_append(m->out, jrpc_slice_of(tail, tail_len));
    }
}

bool jck_grammar_call(const jck_grammar *grammar, jrpc_random *random, jrpc_buffer *out)
{
    const jck_making m = {grammar, random, out};
    put_call(&m, NULL);
    return !out->failed;
}

bool jck_grammar_renamed(const jck_grammar *grammar, const jck_method *method, jrpc_slice name,
                         size_t id, jrpc_random *random, jrpc_buffer *out)
{
    const jck_making m = {grammar, random, out};
    jck_put(&m, "{\"jsonrpc\":\"2.0\",\"method\":\"");
    (void)jrpc_buffer_append(out, name);
    jck_put(&m, "\"");
    jck_params_fit(grammar, method, random, out);
    jck_put(&m, ",\"id\":");
    jck_put_index(&m, id);
    jck_put(&m, "}");
    return !out->failed;
}

bool jck_grammar_message(const jck_grammar *grammar, jrpc_random *random, jrpc_buffer *out)
{
    const jck_making m = {grammar, random, out};
    uint64_t kind = jrpc_random_below(random, 100);
    if (kind < 40) {
        put_request(&m, true);
    } else if (kind < 50) {
        put_request(&m, false);
    } else if (kind < 66) {
        put_wrong(&m);
    } else if (kind < 80 && grammar->batches) {
        put_batch(&m);
    } else if (kind < 88 && grammar->texts) {
        put_text(&m);
    } else if (kind < 92) {
        jck_value_any(random, 2, out);
    } else if (kind < 95 && !grammar->clear) {
        put_response(&m);
    } else {
        put_size(&m);
    }
    return !out->failed;
}
