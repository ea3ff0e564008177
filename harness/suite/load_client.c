// Steps of cases that test a client: what its driver does and reports, and what is sent both ways.
#include "harness/suite/load.h"
#include "harness/suite/nearest.h"
#include "harness/suite/parse.h"
#include "harness/suite/variables.h"

static const char *const actions[JCK_ACTION_COUNT] = {"connect", "call", "notify",
                                                      "batch",   "ping", "close"};

const char *jck_driver_action_name(jck_driver_action action)
{
    return actions[action];
}

#define ROUTING_MEMBERS "resource", "subresource", "parent", "target", "verb", "cache"
static const char *const routing_members[] = {ROUTING_MEMBERS, NULL};

const char *const *jck_routing_members(void)
{
    return routing_members;
}

static bool is_asked(const jck_scope *scope, jrpc_slice name)
{
    for (size_t i = 0; i < scope->asked_count; i++) {
        if (jrpc_slice_equal(scope->asked[i], name)) {
            return true;
        }
    }
    return false;
}

// Adds a name that later steps may use; `variable`: also as the variable of its id.
static void add_name(jck_reader *reader, jck_scope *scope, jrpc_json at, jrpc_slice name,
                     bool variable)
{
    bool number;
    jrpc_slice suffix;
    if (!jck_is_plain_name(name) || jck_is_id_variable(name, &number, &suffix) ||
        jrpc_slice_is(name, "absent")) {
        (void)jck_wrong(reader, at,
                        "\"%.*s\" cannot name a command; use a letter, then letters, digits, - and "
                        "_, and not id or absent",
                        JCK_WORD(name));
    } else if (is_asked(scope, name)) {
        (void)jck_wrong(reader, at,
                        "a step before this one is called \"%.*s\" already; name this one with "
                        "\"as\"",
                        JCK_WORD(name));
    } else if (scope->asked_count == JCK_LIMIT_CAPTURES ||
               scope->captured_count == JCK_LIMIT_CAPTURES) {
        (void)jck_wrong(reader, at, "more than %d names are given", JCK_LIMIT_CAPTURES);
    } else {
        scope->asked[scope->asked_count++] = name;
        if (variable) {
            scope->captured[scope->captured_count++] = name;
        }
    }
}

// A command is one line of a driver's standard input, and many libraries read lines of 64 KiB.
enum { LONG_PARAMS_BYTES = 50000 };

// Params that are too long to be written out: text with a repeated part.
static jrpc_json load_long_params(jck_reader *reader, const jck_scope *scope, jrpc_json object)
{
    jck_payload payload;
    jrpc_json value = jrpc_json_get(object, "params-repeat");
    jrpc_json params = JRPC_JSON_ABSENT;
    if (!jck_load_payload_of(reader, scope, object, "params", &payload) ||
        payload.kind != JCK_PAYLOAD_REPEAT) {
        return params;
    }
    jrpc_error error = {.code = JRPC_OK};
    jrpc_buffer text;
    jrpc_slice kept;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), LONG_PARAMS_BYTES);
    if (!jck_payload_expand(&payload, NULL, NULL, &text, &error)) {
        (void)(error.code == JRPC_ERROR_INVALID
                   ? jck_wrong(reader, value, "params-repeat has a variable: %s", error.message)
                   : jck_wrong(reader, value, "params-repeat spells more than %d bytes",
                               LONG_PARAMS_BYTES));
    } else if (!jrpc_arena_copy(reader->arena, jrpc_buffer_slice(&text), &kept) ||
               (!jck_parse(reader->arena, kept, &params, &error) &&
                error.code == JRPC_ERROR_MEMORY)) {
        (void)jck_reader_starve(reader);
    } else if (error.code != JRPC_OK) {
        (void)jck_wrong(reader, value, "params-repeat spells no JSON: %s", error.message);
    }
    jrpc_buffer_done(&text);
    return params;
}

static void load_params(jck_reader *reader, const jck_scope *scope, jrpc_json object,
                        jck_request *ret)
{
    ret->params = jrpc_json_exists(jrpc_json_get(object, "params-repeat"))
                      ? load_long_params(reader, scope, object)
                      : jrpc_json_get(object, "params");
    if (jrpc_json_exists(ret->params) && !jrpc_json_is(ret->params, JRPC_JSON_ARRAY) &&
        !jrpc_json_is(ret->params, JRPC_JSON_OBJECT)) {
        (void)jck_wrong(reader, ret->params,
                        "params is %s; it must be an Array or an Object, or be left out",
                        jck_kind_name(jrpc_json_kind_of(ret->params)));
    }
}

// One Request: of `call`, of `notify`, or an element of a batch.
static void load_request(jck_reader *reader, jck_scope *scope, jrpc_json object,
                         const char *usual_name, jck_request *ret)
{
    ret->method = jrpc_json_get(object, "method");
    if (!jrpc_json_exists(ret->method)) {
        (void)jck_wrong(reader, object, "the member \"method\" is missing");
    } else {
        (void)jck_read_kind(reader, ret->method, "method", JRPC_JSON_STRING);
    }
    load_params(reader, scope, object, ret);
    for (size_t i = 0; routing_members[i] != NULL; i++) {
        ret->routing =
            jrpc_json_exists(jrpc_json_get(object, routing_members[i])) ? object : ret->routing;
    }
    ret->name = jrpc_slice_str(usual_name);
    bool named = jck_read_text(reader, object, "as", false, &ret->name);
    if (named || ret->name.len > 0) {
        add_name(reader, scope, named ? jrpc_json_get(object, "as") : object, ret->name,
                 !ret->notify);
    }
}

static void load_batch(jck_reader *reader, jck_scope *scope, jrpc_json object,
                       jck_driver_command *ret)
{
    static const char *const members[] = {"method", "params", "notify", "as", NULL};
    jrpc_json list = jrpc_json_get(object, "list");
    if (!jrpc_json_exists(list)) {
        (void)jck_wrong(reader, object, "a batch needs \"list\", the Array of its elements");
        return;
    }
    if (!jck_read_kind(reader, list, "list", JRPC_JSON_ARRAY)) {
        return;
    }
    jck_request *requests = jck_reader_array(reader, jrpc_json_count(list), sizeof *requests);
    if (requests == NULL) {
        return;
    }
    for (jrpc_json_iterator it = jrpc_json_iterate(list); jrpc_json_step(&it);) {
        jck_request request = {.notify = false};
        if (jck_read_object(reader, it.value, "an element of a batch", members)) {
            (void)jck_read_flag(reader, it.value, "notify", &request.notify);
            load_request(reader, scope, it.value, "", &request);
            requests[ret->request_count++] = request;
        }
    }
    ret->requests = requests;
}

static bool action_from_word(jck_reader *reader, jrpc_json object, jck_driver_action *ret)
{
    jrpc_slice word;
    jck_nearest nearest;
    char hint[160];
    if (!jck_read_word(reader, object, "do", true, &word)) {
        return false;
    }
    jck_nearest_init(&nearest, word);
    for (size_t i = 0; i < JCK_ACTION_COUNT; i++) {
        if (jrpc_slice_is(word, actions[i])) {
            *ret = (jck_driver_action)i;
            return true;
        }
        jck_nearest_offer(&nearest, jrpc_slice_str(actions[i]));
    }
    const char *remedy = jck_nearest_hint(&nearest, hint, sizeof hint);
    return jck_wrong(
        reader, jrpc_json_get(object, "do"), "a driver has no command \"%.*s\"%s", JCK_WORD(word),
        remedy[0] != '\0' ? remedy : "; it knows connect, call, notify, batch, ping and close");
}

static void load_do(jck_reader *reader, jck_scope *scope, jrpc_json object, jck_step *ret)
{
    static const char *const of_one[] = {
        "do", "as", "method", "params", "params-repeat", "listen", ROUTING_MEMBERS, NULL};
    static const char *const of_batch[] = {"do", "as", "list", NULL};
    static const char *const of_none[] = {"do", "as", "listen", NULL};
    jck_driver_command *command = &ret->command;
    if (!action_from_word(reader, object, &command->action)) {
        return;
    }
    bool one = command->action == JCK_ACTION_CALL || command->action == JCK_ACTION_NOTIFY;
    bool batch = command->action == JCK_ACTION_BATCH;
    (void)jck_read_object(reader, object, actions[command->action],
                          one     ? of_one
                          : batch ? of_batch
                                  : of_none);
    jck_load_welcome(reader, object, ret);
    command->name = jrpc_slice_str(actions[command->action]);
    bool named = jck_read_text(reader, object, "as", false, &command->name);
    if (one) {
        jck_request *request = jck_reader_array(reader, 1, sizeof *request);
        if (request == NULL) {
            return;
        }
        request->notify = command->action == JCK_ACTION_NOTIFY;
        load_request(reader, scope, object, actions[command->action], request);
        command->requests = request;
        command->request_count = 1;
        return;
    }
    add_name(reader, scope, named ? jrpc_json_get(object, "as") : object, command->name, false);
    if (batch) {
        load_batch(reader, scope, object, command);
    }
}

// Names given by earlier steps: a String or an Array of them.
static void load_names(jck_reader *reader, const jck_scope *scope, jrpc_json value, jck_step *ret)
{
    bool list = jrpc_json_is(value, JRPC_JSON_ARRAY);
    size_t most = list ? jrpc_json_count(value) : 1;
    jrpc_slice *names = jck_reader_array(reader, most, sizeof *names);
    if (names == NULL) {
        return;
    }
    for (size_t i = 0; i < most; i++) {
        jrpc_json at = list ? jrpc_json_element(value, (uint32_t)i) : value;
        jrpc_slice name;
        if (!jck_read_kind(reader, at, "a name", JRPC_JSON_STRING)) {
            continue;
        }
        if (!jrpc_json_string(at, reader->arena, &name)) {
            (void)jck_reader_starve(reader);
            return;
        }
        if (!is_asked(scope, name)) {
            jck_nearest nearest;
            char hint[160];
            jck_nearest_init(&nearest, name);
            for (size_t k = 0; k < scope->asked_count; k++) {
                jck_nearest_offer(&nearest, scope->asked[k]);
            }
            (void)jck_wrong(reader, at, "no step before this one is called \"%.*s\"%s",
                            JCK_WORD(name), jck_nearest_hint(&nearest, hint, sizeof hint));
            continue;
        }
        names[ret->name_count++] = name;
    }
    ret->names = names;
}

// The header part of an answer, line by line.
static void load_head(jck_reader *reader, jrpc_json head, jck_step *ret)
{
    if (!jrpc_json_exists(head) || !jck_read_kind(reader, head, "head", JRPC_JSON_ARRAY)) {
        return;
    }
    const char **lines = jck_reader_array(reader, jrpc_json_count(head) + 1, sizeof *lines);
    size_t count = 0;
    for (jrpc_json_iterator it = jrpc_json_iterate(head); lines != NULL && jrpc_json_step(&it);) {
        if (jck_read_string_value(reader, it.value, "a line of head", &lines[count])) {
            count++;
        }
    }
    ret->head = lines;
    if (ret->payload.raw || ret->payload.chunk_count > 0 || ret->held) {
        (void)jck_wrong(reader, head, "head cannot be combined with raw, chunks or held");
    }
}

static void load_answer(jck_reader *reader, jck_scope *scope, jrpc_json object, jck_step *ret)
{
    if (!jck_load_payload_of(reader, scope, object, "answer", &ret->payload)) {
        return;
    }
    jck_load_chunks(reader, object, &ret->payload);
    (void)jck_read_flag(reader, object, "raw", &ret->payload.raw);
    ret->payload.tokens = true; // a client's id may be a String as well as a Number
    (void)jck_read_flag(reader, object, "held", &ret->held);
    load_head(reader, jrpc_json_get(object, "head"), ret);
    jck_load_manner(reader, scope, object, ret);
    jrpc_json to = jrpc_json_get(object, "to");
    if (jrpc_json_exists(to) && jck_read_kind(reader, to, "to", JRPC_JSON_STRING)) {
        load_names(reader, scope, to, ret);
    }
}

static void load_outcome(jck_reader *reader, jck_scope *scope, jrpc_json object, jck_step *ret)
{
    jrpc_json value = jrpc_json_get(object, "outcome");
    scope->judges = true;
    if (jrpc_json_string_is(value, JRPC_SLICE("anything"))) {
        ret->expect.kind = JCK_EXPECT_ANYTHING;
    } else if (!jck_read_kind(reader, value, "outcome", JRPC_JSON_OBJECT) ||
               !jck_load_expect(reader, scope, value, &ret->expect)) {
        return;
    }
    const jck_expect *expect = &ret->expect;
    if (expect->kind == JCK_EXPECT_RESPONSE) {
        jck_check_outcome(reader, scope, expect->pattern);
        ret->event = jrpc_json_exists(jrpc_json_get(expect->pattern, "event"));
    }
    for (size_t i = 0; i < expect->alternative_count; i++) {
        if (expect->alternatives[i].kind == JCK_EXPECT_RESPONSE) {
            jck_check_outcome(reader, scope, expect->alternatives[i].pattern);
            ret->event = ret->event ||
                         jrpc_json_exists(jrpc_json_get(expect->alternatives[i].pattern, "event"));
        }
    }
    if (jck_load_payload_of(reader, scope, object, "meanwhile", &ret->payload) && ret->event) {
        (void)jck_wrong(reader, object, "meanwhile is for the outcome of a command");
    }
    ret->payload.tokens = true;
    jrpc_json of = jrpc_json_get(object, "of");
    if (jrpc_json_exists(of) && jck_read_kind(reader, of, "of", JRPC_JSON_STRING)) {
        load_names(reader, scope, of, ret);
    } else if (!ret->event) {
        (void)jck_wrong(reader, object, "outcome needs \"of\", the name of an earlier step");
    }
}

static void load_leave(jck_reader *reader, const jck_scope *scope, jrpc_json object, jck_step *ret)
{
    jrpc_json close = jrpc_json_get(object, "close");
    ret->half = jrpc_json_string_is(close, JRPC_SLICE("write"));
    if (!ret->half && !jrpc_json_string_is(close, JRPC_SLICE("connection"))) {
        (void)jck_wrong(reader, close, "close takes \"connection\" or \"write\"");
    }
    jrpc_json of = jrpc_json_get(object, "of");
    if (jrpc_json_exists(of) && jck_read_kind(reader, of, "of", JRPC_JSON_STRING)) {
        load_names(reader, scope, of, ret);
    }
}

static bool load_step(jck_reader *reader, jck_scope *scope, jrpc_json object, jck_step *ret);

// What each call gets: messages, or the end of the connection.
static void load_replies(jck_reader *reader, jck_scope *scope, jrpc_json list, jck_step *ret)
{
    if (!jck_read_kind(reader, list, "serve", JRPC_JSON_ARRAY)) {
        return;
    }
    jck_step *replies = jck_reader_array(reader, jrpc_json_count(list), sizeof *replies);
    for (jrpc_json_iterator it = jrpc_json_iterate(list); replies != NULL && jrpc_json_step(&it);) {
        jck_step *reply = &replies[ret->reply_count];
        if (!load_step(reader, scope, it.value, reply)) {
            continue;
        }
        if (reply->kind != JCK_STEP_ANSWER && reply->kind != JCK_STEP_LEAVE) {
            (void)jck_wrong(reader, it.value, "serve takes answers, and close");
        }
        ret->reply_count++;
    }
    ret->replies = replies;
}

static void load_serve(jck_reader *reader, jck_scope *scope, jrpc_json object, jck_step *ret)
{
    scope->judges = true;
    if (scope->captured_count == 0) {
        scope->captured[scope->captured_count++] = JRPC_SLICE(JCK_SERVED_ID);
        scope->captured[scope->captured_count++] = JRPC_SLICE(JCK_SERVED_RESULT);
    }
    (void)jck_read_flag(reader, object, "reversed", &ret->reversed);
    (void)jck_read_flag(reader, object, "again", &ret->again);
    jrpc_slice same;
    if (jck_read_text(reader, object, "same", false, &same)) {
        static const char *const words[] = {[JCK_SAME_ENDING] = "ending",
                                            [JCK_SAME_AT_LEAST] = "at-least",
                                            [JCK_SAME_EVERYTHING] = "everything"};
        ret->same = JCK_SAME_EVERYTHING;
        while (ret->same > JCK_SAME_NOTHING && !jrpc_slice_is(same, words[ret->same])) {
            ret->same--;
        }
        if (ret->same == JCK_SAME_NOTHING) {
            (void)jck_wrong(reader, jrpc_json_get(object, "same"),
                            "same is \"%.*s\"; it takes \"everything\", \"at-least\" or "
                            "\"ending\"",
                            JCK_WORD(same));
        }
    }
    load_replies(reader, scope, jrpc_json_get(object, "serve"), ret);
}

// The kinds of step, each with the member that names it and the members allowed beside it.
static const struct {
    const char *member;
    jck_step_kind kind;
    const char *const *members; // NULL: checked by its loader
} kinds[] = {
    {"do", JCK_STEP_DO, NULL},
    {"hear", JCK_STEP_HEAR, (const char *const[]){"hear", "maybe", NULL}},
    {"outcome", JCK_STEP_OUTCOME, (const char *const[]){"outcome", "of", "meanwhile", NULL}},
    {"close", JCK_STEP_LEAVE, (const char *const[]){"close", "of", NULL}},
    {"fence", JCK_STEP_FENCE, (const char *const[]){"fence", NULL}},
    {"serve", JCK_STEP_SERVE, (const char *const[]){"serve", "reversed", "again", "same", NULL}},
    {"answer", JCK_STEP_ANSWER, NULL},
    {"answer-text", JCK_STEP_ANSWER, NULL},
    {"answer-hex", JCK_STEP_ANSWER, NULL},
    {"answer-repeat", JCK_STEP_ANSWER, NULL},
};

static bool load_step(jck_reader *reader, jck_scope *scope, jrpc_json object, jck_step *ret)
{
    static const char *const answering[] = {"answer", "answer-text", "answer-hex", "answer-repeat",
                                            "chunks", "raw",         "held",       "to",
                                            "head",   "http",        "websocket",  NULL};
    size_t count = sizeof kinds / sizeof kinds[0];
    size_t kind = 0;
    if (!jck_read_kind(reader, object, "a step", JRPC_JSON_OBJECT)) {
        return false;
    }
    while (kind < count && !jrpc_json_exists(jrpc_json_get(object, kinds[kind].member))) {
        kind++;
    }
    if (kind == count) {
        return jck_wrong(reader, object,
                         "the step does nothing; a step of a client's case needs do, hear, answer "
                         "(answer-text, answer-hex, answer-repeat), outcome, fence, close or "
                         "serve");
    }
    *ret = (jck_step){.kind = kinds[kind].kind, .connection = 'a'};
    if (kinds[kind].members != NULL) {
        (void)jck_read_object(reader, object, kinds[kind].member, kinds[kind].members);
    }
    switch (ret->kind) {
    case JCK_STEP_DO:
        load_do(reader, scope, object, ret);
        break;
    case JCK_STEP_HEAR:
        load_names(reader, scope, jrpc_json_get(object, "hear"), ret);
        (void)jck_read_flag(reader, object, "maybe", &ret->maybe);
        scope->judges = true;
        break;
    case JCK_STEP_ANSWER:
        (void)jck_read_object(reader, object, "answer", answering);
        load_answer(reader, scope, object, ret);
        break;
    case JCK_STEP_OUTCOME:
        load_outcome(reader, scope, object, ret);
        break;
    case JCK_STEP_LEAVE:
        load_leave(reader, scope, object, ret);
        break;
    case JCK_STEP_FENCE:
        ret->owed = jrpc_json_string_is(jrpc_json_get(object, "fence"), JRPC_SLICE("owed"));
        if (!ret->owed && !jrpc_json_is(jrpc_json_get(object, "fence"), JRPC_JSON_TRUE)) {
            (void)jck_wrong(reader, object, "fence takes true or \"owed\"");
        }
        break;
    case JCK_STEP_SERVE:
        load_serve(reader, scope, object, ret);
        break;
    case JCK_STEP_SEND:
    case JCK_STEP_RECEIVE:
    case JCK_STEP_REPLY:
    case JCK_STEP_CLOSE:
        break;
    }
    return true;
}

bool jck_load_client_steps(jck_reader *reader, jck_scope *scope, jrpc_json array,
                           const jck_step **ret, size_t *ret_count)
{
    if (!jck_read_kind(reader, array, "steps", JRPC_JSON_ARRAY)) {
        return false;
    }
    jck_step *steps = jck_reader_array(reader, jrpc_json_count(array), sizeof *steps);
    if (steps == NULL) {
        return false;
    }
    size_t count = 0;
    for (jrpc_json_iterator it = jrpc_json_iterate(array); jrpc_json_step(&it);) {
        if (load_step(reader, scope, it.value, &steps[count])) {
            count++;
        }
    }
    *ret = steps;
    *ret_count = count;
    return true;
}
