// Runs on clients: the driver stands behind a scripted peer, and connects over a socket of its own
// with the client of this project.
#include "reference/client/client.h"
#include "reference/json/write.h"
#include "tests/unit/run/scripted_run.h"

// Calls have all the time of the world, but where a test waits for nothing.
enum { CALL_MS = 5000, BRIEF_MS = 40, COMMANDS_MAX = 512 };

// A command whose call is under way.
typedef struct command {
    struct driven *of;
    scripted *driver;
    int64_t tag;
} command;

typedef struct driven {
    scripted_run run; // first: what a scripted driver leads to
    char path[128];   // of the socket
    jrpc_client *client;
    const scripted *driver; // that is at work
    command commands[COMMANDS_MAX];
    size_t count;
    const char *fatal; // a method whose call ends the driver
    unsigned deaths;   // so often; 0: each time
    unsigned died;
    bool mute;  // it carries nothing out
    bool wrong; // … its greeting is none
} driven;

static void reply(scripted *c, int64_t tag, const char *member, jrpc_json value)
{
    jrpc_buffer line;
    jrpc_buffer_init(&line, jrpc_allocator_heap(), RUN_BYTES);
    (void)jrpc_buffer_printf(&line, "{\"tag\":%lld,\"%s\":", (long long)tag, member);
    if (jrpc_json_exists(value)) {
        (void)jrpc_json_compact(&line, value);
    } else {
        (void)jrpc_buffer_append_str(&line, "\"it failed\"");
    }
    assert_true(jrpc_buffer_append_str(&line, "}") && jrpc_buffer_append_char(&line, '\0'));
    script_say(c, 0, line.ptr);
    jrpc_buffer_done(&line);
}

static void answered(void *context, const jrpc_answer *answer)
{
    const command *of = context;
    if (of->driver != of->of->driver) {
        return; // it has ended since
    }
    switch (answer->kind) {
    case JRPC_ANSWER_RESULT:
        reply(of->driver, of->tag, "result", answer->value);
        break;
    case JRPC_ANSWER_ERROR:
    case JRPC_ANSWER_REFUSED:
        reply(of->driver, of->tag, "error", answer->value);
        break;
    case JRPC_ANSWER_BROKEN:
    case JRPC_ANSWER_MISSING:
    case JRPC_ANSWER_TIMED_OUT:
    case JRPC_ANSWER_CANCELLED:
    case JRPC_ANSWER_CLOSED:
        reply(of->driver, of->tag, "failed", JRPC_JSON_ABSENT);
        break;
    }
}

static bool connect_client(driven *d)
{
    const jrpc_endpoint endpoint = {.transport = JRPC_TRANSPORT_UNIX,
                                    .role = JRPC_ROLE_CLIENT,
                                    .framing = JRPC_FRAMING_LINE,
                                    .path = d->path,
                                    .max_message = RUN_BYTES,
                                    .interrupt_fd = -1,
                                    .allocator = jrpc_allocator_heap(),
                                    .clock = jrpc_clock_monotonic()};
    const jrpc_client_options options = {.endpoint = &endpoint, .timeout_ms = CALL_MS};
    if (d->client != NULL && !jrpc_client_is_open(d->client)) {
        jrpc_client_close(d->client);
        d->client = NULL;
    }
    if (d->client == NULL) {
        d->client = jrpc_client_open(&options, NULL);
    }
    return d->client != NULL;
}

static void request(driven *d, scripted *c, int64_t tag, jrpc_json method, jrpc_json params)
{
    jrpc_arena arena;
    jrpc_call_parts parts = {.answered = answered};
    jrpc_arena_init(&arena, jrpc_allocator_heap(), RUN_BYTES);
    assert_in_range(d->count, 0, COMMANDS_MAX - 1);
    command *of = &d->commands[d->count++];
    *of = (command){d, c, tag};
    parts.context = of;
    parts.params = jrpc_json_spelling(params);
    assert_true(jrpc_json_string(method, &arena, &parts.method));
    bool fatal = d->fatal != NULL && jrpc_slice_is(parts.method, d->fatal);
    if (fatal && (d->deaths == 0 || d->died < d->deaths)) {
        d->died++;
        DIES(c, 0);
    } else if (!connect_client(d) || !jrpc_client_start(d->client, &parts, NULL, NULL)) {
        reply(c, tag, "failed", JRPC_JSON_ABSENT);
    }
    jrpc_arena_done(&arena);
}

static void carry_out(scripted *c, const char *text, bool is_fence)
{
    driven *d = c->of->context;
    jrpc_json_document document;
    int64_t tag = 0;
    (void)is_fence;
    if (d->mute) {
        return;
    }
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    assert_true(jrpc_json_read(&document, jrpc_slice_str(text), SCRIPT_DEPTH, NULL));
    jrpc_json root = jrpc_json_root(&document);
    jrpc_json action = jrpc_json_get(root, "do");
    assert_true(jrpc_json_int64(jrpc_json_get(root, "tag"), &tag));
    if (jrpc_json_string_is(action, JRPC_SLICE("call"))) {
        request(d, c, tag, jrpc_json_get(root, "method"), jrpc_json_get(root, "params"));
    } else {
        reply(c, tag, "result", action);
    }
    jrpc_json_document_done(&document);
}

// Looks at what came to the client, until there is something to report.
static void look(scripted *c)
{
    driven *d = c->of->context;
    while (d->client != NULL && c->count == 0 && jrpc_client_is_open(d->client) &&
           jrpc_client_turn(d->client, 0, -1, NULL) == JRPC_CLIENT_MOVED) {
    }
}

static jrpc_peer *start(const jrpc_endpoint *endpoint, int64_t deadline_us, jrpc_error *error)
{
    static const char prefix[] = "JRPCHECK_URL=unix:";
    jrpc_peer *peer = scripted_dial(endpoint, deadline_us, error);
    driven *d = ((script *)endpoint->dial_context)->context;
    d->driver = NULL;
    jrpc_client_close(d->client); // of the driver before
    d->client = NULL;
    d->driver = peer == NULL ? NULL : scripted_of(peer);
    for (size_t i = 0; endpoint->environment[i] != NULL; i++) {
        if (strncmp(endpoint->environment[i], prefix, sizeof prefix - 1) == 0) {
            (void)snprintf(d->path, sizeof d->path, "%s",
                           endpoint->environment[i] + sizeof prefix - 1);
        }
    }
    if (peer != NULL) {
        script_say(scripted_of(peer), 0,
                   d->wrong ? "hello" : "{\"driver\":1,\"name\":\"n\",\"can\":[\"call\"]}");
    }
    return peer;
}

static void begin(driven *d)
{
    static char word[] = "driver";
    static char *const words[] = {word, NULL};
    memset(d, 0, sizeof *d);
    run_begin(&d->run, JRPC_TRANSPORT_UNIX);
    d->run.side.on_message = carry_out;
    d->run.side.on_idle = look;
    d->run.target.dial = start;
    d->run.target.command = words;
    d->run.options.side = JCK_SIDE_CLIENT;
    d->run.options.clock = jrpc_clock_monotonic();
    d->run.options.client = (jck_client_options){.target = &d->run.target,
                                                 .clock = jrpc_clock_monotonic(),
                                                 .interrupt_fd = -1,
                                                 .self = "jrpcheck",
                                                 .start_ms = 5000,
                                                 .call_ms = CALL_MS,
                                                 .brief_ms = CALL_MS,
                                                 .grace_ms = 10};
}

static void pick(driven *d, const char *prefix)
{
    for (size_t i = 0; i < jck_suite_case_count(run_suite); i++) {
        const jck_case *test_case = jck_suite_case(run_suite, i);
        d->run.selected[i] =
            d->run.selected[i] || (test_case->side == JCK_SIDE_CLIENT &&
                                   jrpc_slice_starts_with(test_case->id, jrpc_slice_str(prefix)));
    }
}

static void end(driven *d)
{
    d->driver = NULL;
    jrpc_client_close(d->client);
    run_end(&d->run);
}

static void a_right_client_is_accused_of_nothing(void **state)
{
    (void)state;
    static driven d;
    begin(&d);
    pick(&d, "client-error/");
    pick(&d, "client-id/");
    pick(&d, "client-stranger/");
    pick(&d, "client-batch/two-calls");
    jck_run(&d.run.options, &d.run.result);
    assert_int_equal(d.run.result.end, JCK_RUN_FINISHED);
    assert_true(d.run.result.conformant);
    assert_true(d.run.result.judged > 50);
    assert_int_equal(d.run.result.counts[JCK_OUTCOME_PASS] +
                         d.run.result.counts[JCK_OUTCOME_OBSERVE],
                     d.run.result.judged);
    // One driver does for all but the case that is about the first call.
    assert_int_equal(d.run.side.opened, 2);
    assert_true(jrpc_slice_is(d.run.target.implementation.name, "n"));
    end(&d);
}

static void a_case_about_the_first_call_gets_a_driver_of_its_own(void **state)
{
    (void)state;
    static driven d;
    begin(&d);
    pick(&d, "client-stranger/boolean");
    jck_run(&d.run.options, &d.run.result);
    expect_of(&d.run, "client-stranger/boolean", "pass", "");
    assert_int_equal(d.run.side.opened, 2); // the ground case was the first on the other
    end(&d);
    begin(&d);
    pick(&d, "client-id/same-again");
    jck_run(&d.run.options, &d.run.result);
    expect_of(&d.run, "client-id/same-again", "pass", "");
    assert_int_equal(d.run.side.opened, 1);
    end(&d);
}

// The cases of client-id/ call "two", the ground case does not.
static void a_driver_that_ends_is_tried_alone(void **state)
{
    (void)state;
    static driven d;
    begin(&d);
    d.fatal = "two";
    pick(&d, "client-id/one-after-the-other");
    pick(&d, "client-error/not-found");
    jck_run(&d.run.options, &d.run.result);
    expect_of(&d.run, "client-id/one-after-the-other", "crash", "");
    assert_int_equal(run_reported(&d.run, "client-id/one-after-the-other")->attempts, 1);
    assert_int_equal(d.run.result.ways[JCK_WAY_ALONE], 1);
    expect_of(&d.run, "client-error/not-found", "pass", "");
    assert_int_equal(d.died, 2);
    end(&d);
}

static void what_is_not_seen_alone_is_reported_as_seen_once(void **state)
{
    (void)state;
    static driven d;
    begin(&d);
    d.fatal = "two";
    d.deaths = 1;
    pick(&d, "client-id/one-after-the-other");
    jck_run(&d.run.options, &d.run.result);
    expect_of(&d.run, "client-id/one-after-the-other", "pass", "once");
    assert_int_equal(d.run.result.ways[JCK_WAY_ONCE], 1);
    end(&d);
}

static void a_driver_that_carries_nothing_out_ends_the_run(void **state)
{
    (void)state;
    static driven d;
    begin(&d);
    d.mute = true;
    d.run.options.client.call_ms = d.run.options.client.brief_ms = BRIEF_MS;
    pick(&d, "client-call/");
    pick(&d, "client-method/");
    jck_run(&d.run.options, &d.run.result);
    assert_int_equal(d.run.result.end, JCK_RUN_MUTE);
    assert_int_equal(d.run.result.counts[JCK_OUTCOME_HANG], 3);
    expect_of(&d.run, "client-call/result", "hang", "");
    assert_non_null(strstr(d.run.result.error.message, "in 3 cases in a row"));
    end(&d);
}

static void what_is_no_driver_is_not_tested(void **state)
{
    (void)state;
    static driven d;
    begin(&d);
    d.wrong = true;
    pick(&d, "client-call/");
    jck_run(&d.run.options, &d.run.result);
    assert_int_equal(d.run.result.end, JCK_RUN_UNOPENED);
    assert_non_null(strstr(d.run.result.error.message, "is not a JSON Object; it wrote: hello"));
    assert_int_equal(d.run.count, 0);
    end(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_right_client_is_accused_of_nothing),
        cmocka_unit_test(a_case_about_the_first_call_gets_a_driver_of_its_own),
        cmocka_unit_test(a_driver_that_ends_is_tried_alone),
        cmocka_unit_test(what_is_not_seen_alone_is_reported_as_seen_once),
        cmocka_unit_test(a_driver_that_carries_nothing_out_ends_the_run),
        cmocka_unit_test(what_is_no_driver_is_not_tested),
    };
    return cmocka_run_group_tests(tests, run_load_suite, run_free_suite);
}
