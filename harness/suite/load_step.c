// Steps: what happens in a case, in order.
#include "harness/suite/load.h"
#include "harness/suite/nearest.h"
#include "harness/suite/variables.h"

// "a" … "z"; one other than "a" is recorded.
static void load_connection(jck_reader *reader, jck_scope *scope, jrpc_json object, jck_step *ret)
{
    jrpc_slice on;
    ret->connection = 'a';
    if (!jck_read_text(reader, object, "on", false, &on)) {
        return;
    }
    if (on.len != 1 || on.ptr[0] < 'a' || on.ptr[0] > 'z') {
        (void)jck_wrong(reader, jrpc_json_get(object, "on"),
                        "on is \"%.*s\"; a connection has one letter from a to z", JCK_WORD(on));
        return;
    }
    ret->connection = on.ptr[0];
    scope->other_connection = scope->other_connection || on.ptr[0] != 'a';
}

void jck_load_chunks(jck_reader *reader, jrpc_json object, jck_payload *ret)
{
    jrpc_json chunks = jrpc_json_get(object, "chunks");
    if (!jrpc_json_exists(chunks) || !jck_read_kind(reader, chunks, "chunks", JRPC_JSON_ARRAY)) {
        return;
    }
    size_t *offsets = jck_reader_array(reader, jrpc_json_count(chunks), sizeof *offsets);
    if (offsets == NULL) {
        return;
    }
    int64_t last = 0;
    size_t count = 0;
    jrpc_json_iterator elements = jrpc_json_iterate(chunks);
    while (jrpc_json_step(&elements)) {
        int64_t offset;
        if (!jrpc_json_int64(elements.value, &offset) || offset <= last ||
            offset > JCK_LIMIT_PAYLOAD_BYTES) {
            (void)jck_wrong(reader, elements.value,
                            "chunks must be byte offsets that ascend, the first above 0");
            continue;
        }
        offsets[count++] = (size_t)offset;
        last = offset;
    }
    ret->chunks = offsets;
    ret->chunk_count = count;
}

// A capability's name may be captured: from then on it is the captured value.
static bool is_reserved(jrpc_slice name)
{
    bool number;
    jrpc_slice suffix;
    return jck_is_id_variable(name, &number, &suffix) || jrpc_slice_is(name, "absent");
}

static bool is_pointer(jrpc_slice text)
{
    return text.len == 0 || text.ptr[0] == '/';
}

// {"in": POINTER, "where": {POINTER: VALUE, …}, "take": POINTER}: a part of one element of an
// Array.
static bool load_selection(jck_reader *reader, jrpc_json object, jck_capture *ret)
{
    static const char *const known[] = {"in", "where", "take", NULL};
    bool read = jck_read_object(reader, object, "what is captured", known) &&
                jck_read_text(reader, object, "in", true, &ret->from) &&
                jck_read_text(reader, object, "take", true, &ret->take);
    ret->where = jrpc_json_get(object, "where");
    if (read && !jrpc_json_exists(ret->where)) {
        return jck_wrong(reader, object, "\"where\" must say which element is meant");
    }
    if (!read || !jck_read_kind(reader, ret->where, "where", JRPC_JSON_OBJECT)) {
        return false;
    }
    bool pointers = is_pointer(ret->from) && is_pointer(ret->take);
    for (jrpc_json_iterator it = jrpc_json_iterate(ret->where); pointers && jrpc_json_step(&it);) {
        jrpc_slice pointer = {NULL, 0};
        pointers = jrpc_json_string(it.key, reader->arena, &pointer) && is_pointer(pointer);
    }
    return pointers ||
           jck_wrong(reader, object,
                     "\"in\", \"take\" and the names in \"where\" are JSON Pointers, such as "
                     "\"/result/tools\"");
}

// Where a captured value comes from.
static bool load_source(jck_reader *reader, jrpc_json source, jck_capture *ret)
{
    if (jrpc_json_is(source, JRPC_JSON_OBJECT)) {
        return load_selection(reader, source, ret);
    }
    if (!jck_read_kind(reader, source, "what is captured", JRPC_JSON_STRING)) {
        return false;
    }
    if (!jrpc_json_string(source, reader->arena, &ret->from)) {
        return jck_reader_starve(reader);
    }
    return jrpc_slice_starts_with(ret->from, JRPC_SLICE("header:")) || is_pointer(ret->from) ||
           jck_wrong(reader, source,
                     "\"%.*s\" is neither a JSON Pointer into the Response, such as \"/result\", "
                     "nor \"header:NAME\"",
                     JCK_WORD(ret->from));
}

// Captured names become known to later steps.
static void load_captures(jck_reader *reader, jck_scope *scope, jrpc_json object, jck_step *ret)
{
    jrpc_json captures = jrpc_json_get(object, "capture");
    if (!jrpc_json_exists(captures) ||
        !jck_read_kind(reader, captures, "capture", JRPC_JSON_OBJECT)) {
        return;
    }
    if (ret->expect.kind == JCK_EXPECT_UNSTATED) {
        (void)jck_wrong(reader, captures, "capture needs an expect that names the Response");
    }
    jck_capture *array = jck_reader_array(reader, jrpc_json_count(captures), sizeof *array);
    if (array == NULL) {
        return;
    }
    size_t count = 0;
    jrpc_json_iterator members = jrpc_json_iterate(captures);
    while (jrpc_json_step(&members)) {
        jrpc_slice name;
        jck_capture capture = {.where = JRPC_JSON_ABSENT};
        if (!jrpc_json_string(members.key, reader->arena, &name)) {
            (void)jck_reader_starve(reader);
            return;
        }
        if (!jck_is_plain_name(name) || is_reserved(name)) {
            (void)jck_wrong(reader, members.key, "\"%.*s\" cannot name what is captured: %s",
                            JCK_WORD(name),
                            is_reserved(name) ? "it is a variable already"
                                              : "use a letter, then letters, digits, - and _");
            continue;
        }
        if (!load_source(reader, members.value, &capture)) {
            continue;
        }
        if (scope->captured_count == JCK_LIMIT_CAPTURES) {
            (void)jck_wrong(reader, members.key, "more than %d names are captured",
                            JCK_LIMIT_CAPTURES);
            return;
        }
        scope->captured[scope->captured_count++] = name;
        capture.name = name;
        array[count++] = capture;
    }
    ret->captures = array;
    ret->capture_count = count;
}

bool jck_load_send_step(jck_reader *reader, jck_scope *scope, jrpc_json object, jck_step *ret_step)
{
    jck_step step = {.kind = JCK_STEP_SEND};
    if (!jck_load_payload(reader, scope, object, &step.payload)) {
        return false;
    }
    jck_load_chunks(reader, object, &step.payload);
    (void)jck_read_flag(reader, object, "raw", &step.payload.raw);
    load_connection(reader, scope, object, &step);
    jck_load_manner(reader, scope, object, &step);
    jrpc_json expect = jrpc_json_get(object, "expect");
    if (jrpc_json_exists(expect)) {
        (void)jck_load_expect(reader, scope, expect, &step.expect);
        scope->judges = true;
    }
    load_captures(reader, scope, object, &step);
    *ret_step = step;
    return true;
}

// "$times": a count, or [least, most] where most may be "*".
static bool is_times(jrpc_json times)
{
    int64_t least;
    int64_t most;
    if (jrpc_json_is(times, JRPC_JSON_NUMBER)) {
        return jrpc_json_int64(times, &least) && least >= 0;
    }
    jrpc_json high = jrpc_json_element(times, 1);
    if (jrpc_json_count(times) != 2 || !jrpc_json_int64(jrpc_json_element(times, 0), &least) ||
        least < 0) {
        return false;
    }
    return jrpc_json_string_is(high, JRPC_SLICE("*")) ||
           (jrpc_json_int64(high, &most) && most >= least);
}

static void load_receive(jck_reader *reader, jck_scope *scope, jrpc_json object, jck_step *ret)
{
    jrpc_json patterns = jrpc_json_get(object, "receive");
    if (!jck_read_kind(reader, patterns, "receive", JRPC_JSON_ARRAY)) {
        return;
    }
    jrpc_json within = jrpc_json_get(object, "within");
    bool pause = jrpc_json_string_is(within, JRPC_SLICE("pause")) ||
                 jrpc_json_string_is(within, JRPC_SLICE("rest"));
    if (!pause && jrpc_json_count(patterns) == 0) {
        (void)jck_wrong(reader, patterns, "receive is empty; name at least one message");
    } else if (pause && jrpc_json_count(patterns) > 0) {
        (void)jck_wrong(reader, patterns, "nothing is awaited in a pause; leave receive empty");
    }
    jrpc_json_iterator elements = jrpc_json_iterate(patterns);
    while (jrpc_json_step(&elements)) {
        if (!jck_read_kind(reader, elements.value, "a pattern of receive", JRPC_JSON_OBJECT)) {
            continue;
        }
        jrpc_json_iterator members = jrpc_json_iterate(elements.value);
        while (jrpc_json_step(&members)) {
            jrpc_slice rule;
            if (jrpc_json_string_is(members.key, JRPC_SLICE("$rule"))) {
                (void)jck_check_rule(reader, scope, members.value, &rule);
            } else if (jrpc_json_string_is(members.key, JRPC_SLICE("$rising"))) {
                (void)jck_read_kind(reader, members.value, "$rising", JRPC_JSON_STRING);
            } else if (!jrpc_json_string_is(members.key, JRPC_SLICE("$times"))) {
                jck_check_pattern(reader, scope, members.value);
            } else if (!is_times(members.value)) {
                (void)jck_wrong(reader, members.value,
                                "$times takes a count, or [least, most] where most may be \"*\"");
            }
        }
    }
    ret->patterns = patterns;
    scope->judges = true;
}

static void load_receive_options(jck_reader *reader, jrpc_json object, jck_step *ret)
{
    jrpc_slice order;
    if (jck_read_text(reader, object, "order", false, &order)) {
        ret->exact_order = jrpc_slice_is(order, "exact");
        if (!ret->exact_order && !jrpc_slice_is(order, "any")) {
            (void)jck_wrong(reader, jrpc_json_get(object, "order"),
                            "order is \"%.*s\"; it must be \"any\" or \"exact\"", JCK_WORD(order));
        }
    }
    ret->within = JRPC_SLICE("reply");
    if (jck_read_text(reader, object, "within", false, &ret->within) &&
        !jrpc_slice_is(ret->within, "reply") && !jrpc_slice_is(ret->within, "async") &&
        !jrpc_slice_is(ret->within, "unprompted") && !jrpc_slice_is(ret->within, "pause") &&
        !jrpc_slice_is(ret->within, "rest")) {
        (void)jck_wrong(reader, jrpc_json_get(object, "within"),
                        "within is \"%.*s\"; it must be \"reply\", \"async\", \"unprompted\", "
                        "\"pause\" or \"rest\"",
                        JCK_WORD(ret->within));
    }
}

static void load_reply(jck_reader *reader, const jck_scope *scope, jrpc_json object, jck_step *ret)
{
    static const char *const members[] = {"result", "error", "id", "jsonrpc", NULL};
    jrpc_json reply = jrpc_json_get(object, "reply");
    if (jck_read_object(reader, reply, "reply", members)) {
        ret->reply = reply;
        jck_check_pattern(reader, scope, reply);
    }
}

static void load_mark(jck_reader *reader, jrpc_json object, jck_step *ret)
{
    jrpc_json fence = jrpc_json_get(object, "fence");
    jrpc_json close = jrpc_json_get(object, "close");
    if (ret->kind == JCK_STEP_FENCE && !jrpc_json_is(fence, JRPC_JSON_TRUE)) {
        (void)jck_wrong(reader, fence, "fence takes true");
    }
    if (ret->kind != JCK_STEP_CLOSE) {
        return;
    }
    ret->half = jrpc_json_string_is(close, JRPC_SLICE("write"));
    if (!ret->half && !jrpc_json_string_is(close, JRPC_SLICE("both"))) {
        (void)jck_wrong(reader, close, "close takes \"write\" or \"both\"");
    } else if (!ret->half && ret->connection == 'a') {
        (void)jck_wrong(reader, close,
                        "close \"both\" needs a connection of its own: give the step "
                        "\"on\": \"b\"");
    }
}

// The kinds of step that have one naming member, and the members allowed beside it.
static const struct {
    const char *member;
    jck_step_kind kind;
    const char *const *members;
} kinds[] = {
    {"receive", JCK_STEP_RECEIVE, (const char *const[]){"receive", "order", "within", "on", NULL}},
    {"reply", JCK_STEP_REPLY, (const char *const[]){"reply", "on", NULL}},
    {"fence", JCK_STEP_FENCE, (const char *const[]){"fence", "on", NULL}},
    {"close", JCK_STEP_CLOSE, (const char *const[]){"close", "on", NULL}},
};

static bool load_step(jck_reader *reader, jck_scope *scope, jrpc_json object, jck_step *ret)
{
    static const char *const sending[] = {"send",    "send-text", "send-hex",  "send-repeat",
                                          "chunks",  "raw",       "on",        "expect",
                                          "capture", "http",      "websocket", NULL};
    size_t kind = 0;
    size_t kind_count = sizeof kinds / sizeof kinds[0];
    if (!jck_read_kind(reader, object, "a step", JRPC_JSON_OBJECT)) {
        return false;
    }
    while (kind < kind_count && !jrpc_json_exists(jrpc_json_get(object, kinds[kind].member))) {
        kind++;
    }
    if (kind == kind_count) {
        (void)jck_read_object(reader, object, "a sending step", sending);
        return jck_load_send_step(reader, scope, object, ret) ||
               jck_wrong(reader, object,
                         "the step does nothing; it needs send, send-text, send-hex, send-repeat, "
                         "receive, reply, fence or close");
    }
    *ret = (jck_step){.kind = kinds[kind].kind};
    (void)jck_read_object(reader, object, kinds[kind].member, kinds[kind].members);
    load_connection(reader, scope, object, ret);
    if (ret->kind == JCK_STEP_RECEIVE) {
        load_receive(reader, scope, object, ret);
        load_receive_options(reader, object, ret);
    } else if (ret->kind == JCK_STEP_REPLY) {
        load_reply(reader, scope, object, ret);
    } else {
        load_mark(reader, object, ret);
    }
    return true;
}

// How often the steps of a group are repeated; 1 if the object is a single step, and after errors.
static size_t rounds_of(jrpc_json object)
{
    int64_t rounds = 1;
    return jrpc_json_int64(jrpc_json_get(object, "repeat"), &rounds) && rounds > 1 &&
                   rounds <= JCK_LIMIT_ROUNDS
               ? (size_t)rounds
               : 1;
}

static jrpc_json steps_of_group(jrpc_json object)
{
    return jrpc_json_get(object, "steps");
}

static bool is_group(jrpc_json object)
{
    return jrpc_json_exists(jrpc_json_get(object, "repeat"));
}

// {"repeat": N, "steps": […]}: N rounds of these steps. Returns how many steps were made.
static size_t load_group(jck_reader *reader, jck_scope *scope, jrpc_json object, jck_step *steps)
{
    static const char *const members[] = {"repeat", "steps", NULL};
    size_t rounds = rounds_of(object);
    size_t count = 0;
    if (!jck_read_object(reader, object, "a repeated group", members)) {
        return 0;
    }
    if (!jrpc_json_exists(steps_of_group(object))) {
        (void)jck_wrong(reader, object, "a repeated group needs \"steps\"");
        return 0;
    }
    if (!jck_read_kind(reader, steps_of_group(object), "steps", JRPC_JSON_ARRAY)) {
        return 0;
    }
    if (rounds == 1) {
        (void)jck_wrong(reader, jrpc_json_get(object, "repeat"),
                        "repeat needs a whole number from 2 to %d", JCK_LIMIT_ROUNDS);
    }
    for (jrpc_json_iterator it = jrpc_json_iterate(steps_of_group(object)); jrpc_json_step(&it);) {
        count += load_step(reader, scope, it.value, &steps[count]);
    }
    for (size_t i = 0; i < rounds * count; i++) {
        steps[i] = steps[i % count];
        steps[i].round = (jck_repetition){.index = (unsigned)(i / count),
                                          .count = (unsigned)rounds,
                                          .place = (unsigned)(i % count),
                                          .steps = (unsigned)count};
    }
    return rounds * count;
}

bool jck_load_steps(jck_reader *reader, jck_scope *scope, jrpc_json array, const jck_step **ret,
                    size_t *ret_count)
{
    if (!jck_read_kind(reader, array, "steps", JRPC_JSON_ARRAY)) {
        return false;
    }
    size_t room = 0;
    for (jrpc_json_iterator it = jrpc_json_iterate(array); jrpc_json_step(&it);) {
        room += is_group(it.value) ? rounds_of(it.value) * jrpc_json_count(steps_of_group(it.value))
                                   : 1;
    }
    jck_step *steps = jck_reader_array(reader, room, sizeof *steps);
    if (steps == NULL) {
        return false;
    }
    size_t count = 0;
    jrpc_json_iterator elements = jrpc_json_iterate(array);
    while (jrpc_json_step(&elements)) {
        count += is_group(elements.value) ? load_group(reader, scope, elements.value, &steps[count])
                                          : load_step(reader, scope, elements.value, &steps[count]);
    }
    *ret = steps;
    *ret_count = count;
    return true;
}
