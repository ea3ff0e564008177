// A client that runs by itself: it is started, each of its calls gets the replies of the step, and
// the step ends when the client does.
#include "harness/drive/exec.h"
#include "harness/drive/served_result.h"
#include "harness/judge/sight.h"
#include "reference/json/read.h"

#include <stdio.h>
#include <string.h>

enum {
    QUIET_MS = 50, // silence after which all calls made at once have arrived
    LAST_MS = 200, // to read what the client sent before it ended
    RUNNING_GRACE_MS = 100,
    RUN_TIMES = 10, // a client that does not end is stopped after this many timeouts of a call
};
#define RESULT_BYTES ((size_t)64 << 20)
#define WORDS_BYTES ((size_t)512 << 10)

// A message that needs replies.
typedef struct due {
    jck_caller *caller;
    char letter; // another connection may replace it
    jrpc_slice text;
    struct due *next;
} due;

struct jck_serving {
    jrpc_arena arena; // of the replies
    due *first, *last;
    jrpc_buffer spelled; // one expansion
};

static bool wants_reply(jrpc_json value)
{
    if (jrpc_json_is(value, JRPC_JSON_ARRAY) && jrpc_json_count(value) > 0) {
        bool wants = false;
        for (jrpc_json_iterator it = jrpc_json_iterate(value); !wants && jrpc_json_step(&it);) {
            wants = !jrpc_json_is(it.value, JRPC_JSON_ARRAY) && wants_reply(it.value);
        }
        return wants;
    }
    return !jrpc_json_is(value, JRPC_JSON_OBJECT) ||
           (jrpc_json_exists(jrpc_json_get(value, "id")) && !jck_asked_is_answer(value));
}

static void hear(jck_client_exec *exec, jck_caller *caller, jrpc_json message)
{
    struct jck_serving *serving = exec->serving;
    exec->client->ever_heard = true;
    if (jrpc_json_exists(message) && !wants_reply(message)) {
        return;
    }
    due *item = jrpc_arena_alloc(&serving->arena, sizeof *item);
    if (item == NULL ||
        !jrpc_arena_copy(&serving->arena, jrpc_json_spelling(message), &item->text)) {
        (void)jrpc_error_set(exec->error, JRPC_ERROR_MEMORY, "out of memory for calls");
        exec->status = JCK_CLIENT_FAULT;
        exec->over = true;
        return;
    }
    item->caller = caller;
    item->letter = caller->letter;
    *(serving->last == NULL ? &serving->first : &serving->last->next) = item;
    serving->last = item;
}

// Whether a reply answers one call; if not, it is sent unchanged.
static bool is_of_call(const jck_step *reply)
{
    static const char mark[] = "${" JCK_SERVED_ID "}";
    const jck_payload *payload = &reply->payload;
    jrpc_slice text =
        payload->kind == JCK_PAYLOAD_JSON ? jrpc_json_spelling(payload->json) : payload->text;
    return jrpc_slice_contains(text, jrpc_slice_str(mark)) ||
           jrpc_slice_contains(payload->prefix, jrpc_slice_str(mark)) ||
           jrpc_slice_contains(payload->suffix, jrpc_slice_str(mark));
}

static bool expand(jck_client_exec *exec, const jck_step *reply, jrpc_json call, jrpc_buffer *out)
{
    jrpc_buffer *result = &exec->serving->spelled;
    jrpc_slice id = jrpc_json_spelling(jrpc_json_get(call, "id"));
    jrpc_buffer_clear(result);
    if (!jck_served_result(exec->client->options.answers, call, result) ||
        !jck_variables_capture(exec->variables, JRPC_SLICE(JCK_SERVED_ID),
                               id.len == 0 ? JRPC_SLICE("null") : id) ||
        !jck_variables_capture(exec->variables, JRPC_SLICE(JCK_SERVED_RESULT),
                               jrpc_buffer_slice(result))) {
        return jrpc_error_set(exec->error, JRPC_ERROR_MEMORY, "out of memory for replies");
    }
    return jck_payload_expand(&reply->payload, jck_variables_resolve, exec->variables, out,
                              exec->error);
}

// One Array for all calls of a batch.
static bool expand_batch(jck_client_exec *exec, const jck_step *reply, jrpc_json calls,
                         bool reversed)
{
    bool any = false;
    bool done = jrpc_buffer_append_char(&exec->payload, '[');
    uint32_t count = jrpc_json_count(calls);
    for (uint32_t i = 0; i < count && done; i++) {
        jrpc_json call = jrpc_json_element(calls, reversed ? count - 1 - i : i);
        if (wants_reply(call)) {
            done = (!any || jrpc_buffer_append_char(&exec->payload, ',')) &&
                   expand(exec, reply, call, &exec->payload);
            any = true;
        }
    }
    return done && jrpc_buffer_append_char(&exec->payload, ']');
}

// Whether the client has closed the connection of the message.
static bool is_closed(const due *item)
{
    return item->caller->peer == NULL || item->caller->letter != item->letter;
}

static void leave(jck_client_exec *exec, const jck_step *reply, jck_caller *caller)
{
    if (caller == &exec->client->talks || reply->half) {
        jrpc_peer_close_write(caller->peer);
    } else {
        jck_reception_drop(caller);
    }
}

static void give(jck_client_exec *exec, const jck_step *step, const due *item, jrpc_json message)
{
    bool batch = jrpc_json_is(message, JRPC_JSON_ARRAY);
    for (size_t i = 0; i < step->reply_count && !exec->over; i++) {
        const jck_step *reply = &step->replies[i];
        if (is_closed(item)) {
            return;
        }
        if (reply->kind == JCK_STEP_LEAVE) {
            leave(exec, reply, item->caller);
            continue;
        }
        jrpc_buffer_clear(&exec->payload);
        if (batch && is_of_call(reply) ? expand_batch(exec, reply, message, step->reversed)
                                       : expand(exec, reply, message, &exec->payload)) {
            jck_client_reply(exec, reply, item->caller);
        } else {
            exec->status = JCK_CLIENT_FAULT;
            exec->over = true;
        }
    }
}

// The response to something that is not a call: as any server answers it.
static void refuse(jck_client_exec *exec, const due *item, const char *answer)
{
    static const jck_step plain = {.kind = JCK_STEP_ANSWER};
    if (!is_closed(item)) {
        jrpc_buffer_clear(&exec->payload);
        (void)jrpc_buffer_append_str(&exec->payload, answer);
        jck_client_reply(exec, &plain, item->caller);
    }
}

static void reply(jck_client_exec *exec, const jck_step *step, const due *item)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    bool read =
        item->text.len > 0 && jrpc_json_read(&document, item->text, JCK_MESSAGE_DEPTH, NULL);
    jrpc_json message = jrpc_json_root(&document);
    bool calls = jrpc_json_is(message, JRPC_JSON_OBJECT) ||
                 (jrpc_json_is(message, JRPC_JSON_ARRAY) && jrpc_json_count(message) > 0);
    if (!read) {
        refuse(exec, item,
               "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700,\"message\":\"Parse error\"},"
               "\"id\":null}");
    } else if (!calls) {
        refuse(exec, item,
               "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600,\"message\":\"Invalid Request\"},"
               "\"id\":null}");
    } else {
        give(exec, step, item, message);
    }
    jrpc_json_document_done(&document);
}

static void reply_to_all(jck_client_exec *exec, const jck_step *step)
{
    struct jck_serving *serving = exec->serving;
    due *items = serving->first;
    if (step->reversed) {
        due *turned = NULL;
        while (items != NULL) {
            due *next = items->next;
            items->next = turned;
            turned = items;
            items = next;
        }
        items = turned;
    }
    for (; items != NULL && !exec->over; items = items->next) {
        reply(exec, step, items);
    }
    serving->first = serving->last = NULL;
    jrpc_arena_clear(&serving->arena);
}

// Answers until the client ends, is silent for a time, or has run long enough.
static void serve(jck_client_exec *exec, const jck_step *step)
{
    const jck_client *client = exec->client;
    const jrpc_clock *clock = client->options.clock;
    size_t heard = exec->heard_count;
    int64_t most_us = jrpc_deadline_in_ms(clock, client->options.start_ms);
    int64_t quiet_us = most_us;
    while (!exec->over && !exec->ended && !exec->cut) {
        if (heard == 0 && exec->heard_count > 0) {
            most_us = jrpc_deadline_in_ms(clock, RUN_TIMES * client->timeout_ms);
        }
        if (exec->heard_count > heard) {
            heard = exec->heard_count;
            quiet_us = jrpc_deadline_in_ms(clock, jck_client_patience_ms(client));
        }
        bool asked = exec->serving->first != NULL;
        int64_t until = quiet_us < most_us ? quiet_us : most_us;
        if (asked && step->reversed) {
            until = jrpc_deadline_in_ms(clock, QUIET_MS);
        }
        if (asked && (!step->reversed || !jck_client_turn(exec, until))) {
            reply_to_all(exec, step);
        } else if (!asked && !jck_client_turn(exec, until)) {
            return;
        }
    }
}

// Reads what the client had sent before it ended.
static void take_rest(jck_client_exec *exec)
{
    int64_t deadline = jrpc_deadline_in_ms(exec->client->options.clock, LAST_MS);
    while (jck_client_take(exec)) {
    }
    while (jck_reception_is_visited(&exec->client->reception) && jck_client_turn(exec, deadline)) {
    }
}

// An argument of the command with {url}, {host}, {port} and {path} replaced.
static char *fill_word(const char *word, const char *address, jrpc_arena *arena)
{
    const char *rest = strstr(address, "://");
    rest = rest != NULL ? rest + 3 : strchr(address, ':') + 1;
    const char *port = strrchr(rest, ':');
    size_t host_len = port == NULL ? strlen(rest) : (size_t)(port - rest);
    size_t port_len = port == NULL ? 0 : strcspn(port + 1, "/");
    const struct {
        const char *name;
        jrpc_slice value;
    } known[] = {{"{url}", jrpc_slice_str(address)},
                 {"{host}", jrpc_slice_of(rest, host_len)},
                 {"{port}", port == NULL ? (jrpc_slice){"", 0} : jrpc_slice_of(port + 1, port_len)},
                 {"{path}", jrpc_slice_str(rest)}};
    char *filled = jrpc_arena_printf(arena, "%s", word);
    for (size_t i = 0; i < sizeof known / sizeof *known && filled != NULL; i++) {
        char *at = strstr(filled, known[i].name);
        while (at != NULL && filled != NULL) {
            size_t after = (size_t)(at - filled) + known[i].value.len;
            filled = jrpc_arena_printf(arena, "%.*s%.*s%s", (int)(at - filled), filled,
                                       (int)known[i].value.len, known[i].value.ptr,
                                       at + strlen(known[i].name));
            at = filled == NULL ? NULL : strstr(filled + after, known[i].name);
        }
    }
    return filled;
}

static char *const *fill_words(char *const *words, const char *address, jrpc_arena *arena)
{
    size_t count = 0;
    while (words[count] != NULL) {
        count++;
    }
    char **filled = jrpc_arena_array(arena, count + 1, sizeof *filled);
    for (size_t i = 0; i < count && filled != NULL; i++) {
        filled[i] = fill_word(words[i], address, arena);
        if (filled[i] == NULL) {
            return NULL;
        }
    }
    return filled;
}

static bool start(jck_client_exec *exec)
{
    jck_client *client = exec->client;
    const jck_client_options *options = &client->options;
    const jck_target *target = options->target;
    bool talks = jck_target_traits(target)->is_child;
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), WORDS_BYTES);
    const char *const *environment = jck_client_environment(client, client->timeout_ms, &arena);
    char *const *words =
        fill_words(target->command, jrpc_acceptor_address(client->reception.acceptor), &arena);
    bool started = false;
    if (environment == NULL || words == NULL) {
        (void)jrpc_error_set(exec->error, JRPC_ERROR_MEMORY, "out of memory for a client");
    } else {
        const jrpc_endpoint endpoint = {
            .transport = JRPC_TRANSPORT_STDIO,
            .role = JRPC_ROLE_SERVER,
            .framing = talks ? target->framing : JRPC_FRAMING_LINE,
            .argv = words,
            .directory = target->directory,
            .environment = environment,
            .dial = target->dial,
            .dial_context = target->dial_context,
            .memory = target->memory,
            .max_message = client->reception.endpoint.max_message,
            .interrupt_fd = options->interrupt_fd,
            .allocator = jrpc_allocator_heap(),
            .clock = options->clock,
        };
        client->starts++;
        started = jck_client_driver_open(&client->driver, &endpoint,
                                         jrpc_deadline_in_ms(options->clock, options->start_ms),
                                         exec->error);
    }
    jrpc_arena_done(&arena);
    if (!started) {
        exec->status = exec->error->code == JRPC_ERROR_INTERRUPTED ? JCK_CLIENT_INTERRUPTED
                                                                   : JCK_CLIENT_UNOPENED;
        exec->over = true;
        return false;
    }
    client->talks = (jck_caller){.peer = talks ? client->driver.peer : NULL, .letter = 'a'};
    if (!talks) {
        jrpc_peer_close_write(client->driver.peer); // its standard input stays empty
    }
    return true;
}

// Whether another run is needed to see whether a difference is chance.
static bool is_needed(jck_client_exec *exec)
{
    const jck_case *test_case = exec->test_case;
    bool needed = false;
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), RESULT_BYTES);
    for (int i = 1; i < exec->step && !needed; i++) {
        jck_sight first;
        jck_sight odd;
        needed = jck_sight_of(exec->evidence, 0, &arena, &first) &&
                 jck_sight_of(exec->evidence, i, &arena, &odd) &&
                 jck_sight_difference(&first, &odd, test_case->steps[i].same, &arena) != NULL;
    }
    jrpc_arena_done(&arena);
    return needed;
}

static void note_nothing(jck_client_exec *exec)
{
    const jrpc_peer_ending *end = &exec->evidence->ends[exec->step];
    char how[48];
    (void)snprintf(how, sizeof how,
                   end->kind == JRPC_END_EXITED     ? "it ended with status %d"
                   : end->kind == JRPC_END_SIGNALED ? "signal %d ended it"
                                                    : "it did nothing in time",
                   end->value);
    (void)jrpc_error_set(
        exec->error, JRPC_ERROR_CLOSED,
        "the client sent nothing: %s. The address to connect to is in JRPCHECK_URL, "
        "and replaces {url}, {host}, {port} and {path} in its command "
        "(docs/testing-a-client.md)",
        how);
    exec->status = JCK_CLIENT_UNOPENED;
}

void jck_client_serve(jck_client_exec *exec, const jck_step *step)
{
    jck_client *client = exec->client;
    if (step->again && !is_needed(exec)) {
        return;
    }
    struct jck_serving serving = {.first = NULL};
    jrpc_arena_init(&serving.arena, jrpc_allocator_heap(), RESULT_BYTES * 2);
    jrpc_buffer_init(&serving.spelled, jrpc_allocator_heap(), RESULT_BYTES);
    exec->serving = &serving;
    exec->heard = hear;
    exec->ended = false;
    exec->cut = false;
    exec->heard_count = 0;
    exec->heard_bytes = 0;
    jck_reception_begin(&client->reception);
    if (start(exec)) {
        serve(exec, step);
        if (exec->ended) {
            take_rest(exec);
        }
        if (exec->evidence->settled[exec->step] != JCK_FLOODED) {
            exec->evidence->settled[exec->step] = exec->ended ? JCK_GONE : JCK_SETTLED;
        }
        if (exec->evidence->ends[exec->step].kind == JRPC_END_SIGNALED) {
            exec->evidence->end = exec->evidence->ends[exec->step];
            exec->evidence->process_gone = true;
        }
        if (!client->ever_heard && exec->status == JCK_CLIENT_OK) {
            note_nothing(exec);
        }
    }
    client->talks.peer = NULL;
    jck_client_keep_stderr(exec);
    if (!exec->ended) {
        jck_client_driver_stop(&client->driver, RUNNING_GRACE_MS); // it would not stop by itself
    }
    jck_client_stop(client);
    exec->serving = NULL;
    jrpc_arena_done(&serving.arena);
    jrpc_buffer_done(&serving.spelled);
}
