// How a step is sent where the transport leaves a choice: its members `http` and `websocket`.
#include "harness/suite/load.h"
#include "harness/suite/nearest.h"
#include "reference/net/http_replies.h"
#include "reference/net/websocket_forms.h"

// A header's value or a method: printable, on one line. NULL after a diagnostic or if it is absent.
static const char *load_word(jck_reader *reader, jrpc_json object, const char *name)
{
    jrpc_json value = jrpc_json_get(object, name);
    const char *text;
    if (!jrpc_json_exists(value) || !jck_read_string_value(reader, value, name, &text)) {
        return NULL;
    }
    if (strpbrk(text, "\r\n") != NULL) {
        (void)jck_wrong(reader, value, "%s must be one line", name);
        return NULL;
    }
    return text;
}

// "headers" of a step as lines; null omits a header. NULL if there are none, or after a diagnostic.
static const char *const *load_headers(jck_reader *reader, jrpc_json manner)
{
    jrpc_json headers = jrpc_json_get(manner, "headers");
    if (!jrpc_json_exists(headers) ||
        !jck_read_kind(reader, headers, "headers", JRPC_JSON_OBJECT)) {
        return NULL;
    }
    const char **lines = jck_reader_array(reader, jrpc_json_count(headers) + 1, sizeof *lines);
    size_t count = 0;
    for (jrpc_json_iterator it = jrpc_json_iterate(headers);
         lines != NULL && jrpc_json_step(&it);) {
        const char *name = NULL;
        const char *value = "";
        if (!jck_read_string_value(reader, it.key, "the name of a header", &name) ||
            (!jrpc_json_is(it.value, JRPC_JSON_NULL) &&
             !jck_read_string_value(reader, it.value, name, &value))) {
            continue;
        }
        if (name[0] == '\0' || strpbrk(name, "\r\n:; ") != NULL || strpbrk(value, "\r\n") != NULL) {
            (void)jck_wrong(reader, it.key, "a header is one line, and its name one word");
            continue;
        }
        lines[count] =
            jrpc_arena_printf(reader->arena, "%s:%s%s", name, value[0] == '\0' ? "" : " ", value);
        if (lines[count++] == NULL) {
            (void)jck_reader_starve(reader);
            return NULL;
        }
    }
    return lines;
}

static void check_as(jck_reader *reader, jrpc_json value)
{
    jrpc_slice as;
    jrpc_slice name;
    jck_taken_as taken;
    if (!jrpc_json_string(value, reader->arena, &as)) {
        (void)jck_reader_starve(reader);
    } else if (!jck_taken_from_word(as, &taken, &name)) {
        (void)jck_wrong(reader, value, "as is \"%.*s\"; it must be %s", JCK_WORD(as),
                        JCK_TAKEN_WORDS);
    }
}

// "headers" of an HTTP response: a pattern for each.
static void check_answer_headers(jck_reader *reader, const jck_scope *scope, jrpc_json headers)
{
    if (!jrpc_json_exists(headers) ||
        !jck_read_kind(reader, headers, "headers", JRPC_JSON_OBJECT)) {
        return;
    }
    for (jrpc_json_iterator it = jrpc_json_iterate(headers); jrpc_json_step(&it);) {
        jck_check_pattern(reader, scope, it.value);
    }
}

// Members of an HTTP response that are patterns themselves.
static void check_answer_patterns(jck_reader *reader, const jck_scope *scope, jrpc_json answer)
{
    static const char *const members[] = {"status", "content-type"};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        jrpc_json pattern = jrpc_json_get(answer, members[i]);
        if (jrpc_json_exists(pattern)) {
            jck_check_pattern(reader, scope, pattern);
        }
    }
    check_answer_headers(reader, scope, jrpc_json_get(answer, "headers"));
}

static void load_answers(jck_reader *reader, jck_scope *scope, jrpc_json answers, jck_step *ret)
{
    static const char *const members[] = {
        "status",  "content-type", "reused", "empty", "headers", "continued", "closed",
        "surplus", "left",         "none",   "as",    "rule",    NULL};
    jrpc_json_iterator elements = jrpc_json_iterate(answers);
    while (jrpc_json_step(&elements)) {
        if (!jck_read_object(reader, elements.value, "an HTTP answer", members)) {
            continue;
        }
        check_answer_patterns(reader, scope, elements.value);
        jrpc_json as = jrpc_json_get(elements.value, "as");
        jrpc_json rule = jrpc_json_get(elements.value, "rule");
        jrpc_slice id;
        if (jrpc_json_exists(as) && jck_read_kind(reader, as, "as", JRPC_JSON_STRING)) {
            check_as(reader, as);
        }
        if (jrpc_json_exists(rule)) {
            (void)jck_check_rule(reader, scope, rule, &id);
        }
    }
    if (jrpc_json_count(answers) == 0) {
        (void)jck_wrong(reader, answers, "answer is empty; at least one alternative is needed");
    }
    ret->http_answers = answers;
    scope->judges = true;
}

// "names": how header names are spelled.
static void load_names(jck_reader *reader, jrpc_json http, jck_step *ret)
{
    jrpc_slice word;
    if (!jck_read_word(reader, http, "names", false, &word)) {
        return;
    }
    if (jrpc_slice_is(word, "lower") || jrpc_slice_is(word, "upper")) {
        ret->manner.names = jrpc_slice_is(word, "lower") ? JRPC_NAMES_LOWER : JRPC_NAMES_UPPER;
    } else {
        (void)jck_wrong(reader, jrpc_json_get(http, "names"),
                        "names is \"%.*s\"; it must be lower or upper", JCK_WORD(word));
    }
}

static const char *const bytes_words[] = {[JRPC_BYTES_USUAL] = "",
                                          [JRPC_BYTES_PIPELINED] = "pipelined",
                                          [JRPC_BYTES_EXTENSIONS] = "extensions",
                                          [JRPC_BYTES_EXPECT] = "expect",
                                          [JRPC_BYTES_CLOSE] = "close",
                                          [JRPC_BYTES_HEAD] = "head",
                                          [JRPC_BYTES_OLD] = "http-1.0",
                                          [JRPC_BYTES_HOSTLESS] = "hostless",
                                          [JRPC_BYTES_LENGTHS] = "lengths",
                                          [JRPC_BYTES_SPACED] = "spaced",
                                          [JRPC_BYTES_ABSOLUTE] = "absolute",
                                          [JRPC_BYTES_SIXTEENS] = "sixteens",
                                          [JRPC_BYTES_ZEROS] = "zeros",
                                          [JRPC_BYTES_BOTH] = "both-lengths",
                                          [JRPC_BYTES_IN_TURN] = "in-turn",
                                          [JRPC_BYTES_TRAILERS] = "trailers",
                                          [JRPC_BYTES_CLOSE_CASE] = "close-case",
                                          [JRPC_BYTES_CLOSE_LIST] = "close-list",
                                          [JRPC_BYTES_PIECES] = "pieces",
                                          [JRPC_BYTES_MANY] = "many",
                                          [JRPC_BYTES_LETTERS] = "letters",
                                          [JRPC_BYTES_UNSPACED] = "unspaced",
                                          [JRPC_BYTES_TABBED] = "tabbed",
                                          [JRPC_BYTES_EMPTY_LINE] = "empty-line"};

const char *jck_bytes_word(jrpc_bytes bytes)
{
    return bytes_words[bytes];
}

bool jck_bytes_from_word(jrpc_slice word, jrpc_bytes *ret_bytes)
{
    for (int i = JRPC_BYTES_PIPELINED; i <= JRPC_BYTES_EMPTY_LINE; i++) {
        if (jrpc_slice_is(word, bytes_words[i])) {
            *ret_bytes = (jrpc_bytes)i;
            return true;
        }
    }
    return false;
}

// "bytes": what of the request is written by hand.
static void load_bytes(jck_reader *reader, jrpc_json http, jck_step *ret)
{
    jrpc_slice word;
    if (jck_read_word(reader, http, "bytes", false, &word) &&
        !jck_bytes_from_word(word, &ret->manner.bytes)) {
        (void)jck_wrong(reader, jrpc_json_get(http, "bytes"),
                        "bytes is \"%.*s\"; it must be pipelined, extensions, expect, close, head, "
                        "http-1.0, hostless, lengths, spaced, absolute, sixteens, zeros, "
                        "both-lengths, in-turn, trailers, close-case, close-list, pieces, many, "
                        "letters, unspaced, tabbed or empty-line",
                        JCK_WORD(word));
    }
}

// "status": that of an answer to a client.
static void load_status(jck_reader *reader, jrpc_json http, jck_step *ret)
{
    enum { FIRST = 200, LAST = 599 };
    jrpc_json value = jrpc_json_get(http, "status");
    int64_t status = 0;
    if (!jrpc_json_exists(value)) {
        return;
    }
    if (ret->kind != JCK_STEP_ANSWER || !jrpc_json_int64(value, &status) || status < FIRST ||
        status > LAST) {
        (void)jck_wrong(reader, value,
                        "status is that of an answer to a client, a whole number from 200 to 599");
        return;
    }
    ret->manner.status = (unsigned)status;
}

// "reply": the form of an answer to a client.
static void load_reply_form(jck_reader *reader, jrpc_json http, jck_step *ret)
{
    jrpc_slice word;
    if (!jck_read_word(reader, http, "reply", false, &word)) {
        return;
    }
    ret->manner.reply = jrpc_http_reply_find(word);
    if (ret->kind != JCK_STEP_ANSWER || ret->manner.reply == NULL) {
        (void)jck_wrong(reader, jrpc_json_get(http, "reply"),
                        "reply is \"%.*s\"; it is the form of an answer to a client, and must be "
                        "%s",
                        JCK_WORD(word), jrpc_http_reply_words());
    }
}

static void load_credential(jck_reader *reader, jrpc_json http, jck_step *ret)
{
    jrpc_slice word;
    if (!jck_read_word(reader, http, "credential", false, &word)) {
        return;
    }
    if (!jck_credential_from_word(word, &ret->credential)) {
        (void)jck_wrong(reader, jrpc_json_get(http, "credential"),
                        "credential is \"%.*s\"; it must be " JCK_CREDENTIAL_WORDS, JCK_WORD(word));
    } else if (ret->manner.headers != NULL) {
        (void)jck_wrong(reader, http,
                        "a step can have headers of its own or another credential, not both");
    }
}

enum { CODE_LEAST = 1000, CODE_MOST = 4999 }; // of a Close (RFC 6455, section 7.4)

// "close": true (the status code 1000), another status code, or "empty": without one.
static void load_close(jck_reader *reader, jrpc_json websocket, jck_step *ret)
{
    jrpc_json close = jrpc_json_get(websocket, "close");
    if (jrpc_json_is(close, JRPC_JSON_NUMBER)) {
        int64_t code = 0;
        if (ret->kind != JCK_STEP_ANSWER || !jrpc_json_int64(close, &code) || code < CODE_LEAST ||
            code > CODE_MOST) {
            (void)jck_wrong(reader, close,
                            "a status code is for a Close to a client, and from 1000 to 4999");
        }
        ret->manner.close = true;
        ret->manner.close_code = (unsigned)code;
        return;
    }
    if (!jrpc_json_is(close, JRPC_JSON_STRING)) {
        (void)jck_read_flag(reader, websocket, "close", &ret->manner.close);
        ret->manner.close_code = ret->manner.close ? CODE_LEAST : 0;
        return;
    }
    jrpc_slice word;
    if (jck_read_word(reader, websocket, "close", false, &word) && !jrpc_slice_is(word, "empty")) {
        (void)jck_wrong(reader, close,
                        "close is \"%.*s\"; it must be true, \"empty\" or a status code",
                        JCK_WORD(word));
    }
    ret->manner.close = true;
}

void jck_load_welcome(jck_reader *reader, jrpc_json object, jck_step *ret)
{
    jrpc_slice word;
    if (!jck_read_word(reader, object, "listen", false, &word)) {
        return;
    }
    ret->welcome = jrpc_websocket_welcome_find(word);
    if (ret->welcome == NULL) {
        (void)jck_wrong(reader, jrpc_json_get(object, "listen"),
                        "listen is \"%.*s\"; it must be %s", JCK_WORD(word),
                        jrpc_websocket_welcome_words());
    }
}

// "form": the frames of a message to a client.
static void load_form(jck_reader *reader, jrpc_json websocket, jck_step *ret)
{
    jrpc_slice word;
    if (!jck_read_word(reader, websocket, "form", false, &word)) {
        return;
    }
    ret->manner.form = jrpc_websocket_form_find(word);
    if (ret->kind != JCK_STEP_ANSWER || ret->manner.form == NULL) {
        (void)jck_wrong(reader, jrpc_json_get(websocket, "form"),
                        "form is \"%.*s\"; it is the form of a message to a client, and must be %s",
                        JCK_WORD(word), jrpc_websocket_form_words());
    }
}

void jck_load_manner(jck_reader *reader, jck_scope *scope, jrpc_json object, jck_step *ret)
{
    static const char *const http_members[] = {"method",  "content-type", "headers",    "names",
                                               "chunked", "answer",       "credential", "query",
                                               "bytes",   "status",       "reply",      NULL};
    static const char *const websocket_members[] = {"binary",  "ping", "close", "credential",
                                                    "headers", "form", NULL};
    jrpc_json http = jrpc_json_get(object, "http");
    jrpc_json websocket = jrpc_json_get(object, "websocket");
    if (jrpc_json_exists(http) && jck_read_object(reader, http, "http", http_members)) {
        jrpc_json answers = jrpc_json_get(http, "answer");
        ret->manner.http_method = load_word(reader, http, "method");
        ret->manner.content_type = load_word(reader, http, "content-type");
        ret->manner.headers = load_headers(reader, http);
        load_names(reader, http, ret);
        load_bytes(reader, http, ret);
        load_status(reader, http, ret);
        load_reply_form(reader, http, ret);
        load_credential(reader, http, ret);
        (void)jck_read_flag(reader, http, "chunked", &ret->manner.chunked);
        (void)jck_read_flag(reader, http, "query", &ret->in_query);
        ret->manner.http_method = ret->in_query ? "GET" : ret->manner.http_method;
        if (jrpc_json_exists(answers) &&
            jck_read_kind(reader, answers, "answer", JRPC_JSON_ARRAY)) {
            load_answers(reader, scope, answers, ret);
        }
    }
    if (jrpc_json_exists(websocket) &&
        jck_read_object(reader, websocket, "websocket", websocket_members)) {
        (void)jck_read_flag(reader, websocket, "binary", &ret->manner.binary);
        (void)jck_read_flag(reader, websocket, "ping", &ret->manner.ping);
        load_close(reader, websocket, ret);
        load_form(reader, websocket, ret);
        load_credential(reader, websocket, ret);
        ret->handshake = load_headers(reader, websocket);
        ret->shakes_anew = ret->credential != JCK_CREDENTIAL_RIGHT || ret->handshake != NULL;
        if (ret->shakes_anew && ret->connection == 'a') {
            (void)jck_wrong(reader, websocket,
                            "%s needs a connection of its own: give the step \"on\": \"b\"",
                            ret->handshake != NULL ? "headers" : "credential");
        }
    }
}
