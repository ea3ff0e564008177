// A driver and its client, both scripted, over a clock that the test moves: what `scripted_link.h`
// is for servers. Connection 1 of the script is the driver's standard input and output; those after
// it are the client's to the suite.
#ifndef JCK_TEST_SCRIPTED_CLIENT_H
#define JCK_TEST_SCRIPTED_CLIENT_H

#include "harness/drive/client.h"
#include "harness/drive/run_case.h"
#include "harness/suite/load.h"
#include "harness/suite/variables.h"
#include "reference/net/acceptor_private.h"
#include "tests/unit/net/scripted_peer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { CALL_MS = 1000, CALLERS_WAITING_MAX = 4 };

// The words of a driver that can do everything, and of one that does one thing at a time.
#define CAN_ALL                                                                                    \
    "\"call\",\"notify\",\"batch\",\"by-name\",\"concurrent\",\"connect\",\"close\",\"reports\""
#define CAN_ONE "\"call\",\"notify\",\"by-name\""

typedef struct stage stage;

// A listener whose connections the test makes.
typedef struct scripted_acceptor {
    jrpc_acceptor acceptor;
    jrpc_peer *waiting[CALLERS_WAITING_MAX];
    size_t count;
} scripted_acceptor;

struct stage {
    script side;
    jck_target target;
    scripted_acceptor listener;
    jck_client client;
    jrpc_arena arena;
    jck_variables variables;
    jck_evidence evidence;
    jck_case test_case;
    jrpc_error error;
    int64_t began_us;
    const char *greeting;
    scripted *caller; // of the client: the newest; NULL: none
    // What the driver does with a command; NULL: act.
    void (*command)(stage *s, scripted *driver, const char *do_, const char *tag, const char *text);
    // What the client does with a message from the suite; NULL: report it.
    void (*message)(stage *s, scripted *caller, const char *text);
};

static inline const char *acceptor_address(const jrpc_acceptor *acceptor)
{
    (void)acceptor;
    return "tcp://scripted:1";
}

static inline int acceptor_descriptor(const jrpc_acceptor *acceptor)
{
    (void)acceptor;
    return -1;
}

static inline jrpc_peer *acceptor_take(jrpc_acceptor *acceptor, jrpc_error *error)
{
    scripted_acceptor *self = (scripted_acceptor *)(void *)acceptor; // its first member
    (void)error;
    return self->count == 0 ? NULL : self->waiting[--self->count];
}

static inline void acceptor_free(jrpc_acceptor *acceptor)
{
    scripted_acceptor *self = (scripted_acceptor *)(void *)acceptor;
    while (self->count > 0) {
        jrpc_peer_close(self->waiting[--self->count], 0);
    }
}

// Instead of waiting: time goes on, a millisecond or to the deadline.
static inline int pass_time(struct pollfd *entries, size_t count, const jrpc_clock *clock,
                            int64_t deadline_us)
{
    script *of = clock->context;
    for (size_t i = 0; i < count; i++) {
        entries[i].revents = 0;
    }
    of->now_us = of->now_us + 1000 < deadline_us ? of->now_us + 1000 : deadline_us;
    return 0;
}

// The client connects.
static inline scripted *stage_connect(stage *s)
{
    const jrpc_endpoint endpoint = {.dial_context = &s->side};
    jrpc_error error = {.code = JRPC_OK};
    s->caller = scripted_of(scripted_dial(&endpoint, 0, &error));
    s->listener.waiting[s->listener.count++] = &s->caller->peer;
    return s->caller;
}

static inline scripted *stage_caller(stage *s)
{
    return s->caller != NULL ? s->caller : stage_connect(s);
}

// The driver reports the outcome of the command with this tag.
static inline void stage_report(scripted *driver, int64_t after_ms, const char *tag,
                                const char *members)
{
    char line[512];
    (void)snprintf(line, sizeof line, "{\"tag\":%s,%s}", tag, members);
    script_say(driver, after_ms, line);
}

// The client writes a Request whose id is the tag of the command.
static inline void stage_request(stage *s, int64_t after_ms, const char *tag, const char *text)
{
    char method[256];
    char params[256];
    char request[768];
    script_member(text, "method", method, sizeof method);
    script_member(text, "params", params, sizeof params);
    (void)snprintf(request, sizeof request, "{\"jsonrpc\":\"2.0\",\"method\":%s%s%s%s%s}", method,
                   params[0] != '\0' ? ",\"params\":" : "", params,
                   tag[0] != '\0' ? ",\"id\":" : "", tag);
    script_say(stage_caller(s), after_ms, request);
}

// As it should: what the driver does by itself at once, what the client writes a millisecond later.
static inline void stage_act(stage *s, scripted *driver, const char *do_, const char *tag,
                             const char *text)
{
    if (strcmp(do_, "\"ping\"") == 0) {
        stage_report(driver, 0, tag, "\"result\":\"pong\"");
    } else if (strcmp(do_, "\"call\"") == 0) {
        stage_request(s, 1, tag, text);
    } else {
        if (strcmp(do_, "\"notify\"") == 0) {
            stage_request(s, 1, "", text);
        } else if (strcmp(do_, "\"connect\"") == 0) {
            (void)stage_caller(s);
        }
        stage_report(driver, 0, tag, "\"result\":null");
    }
}

static inline scripted *stage_driver(stage *s)
{
    return scripted_of(s->client.driver.peer);
}

// An answer ends its call; a notification is reported.
static inline void stage_read(stage *s, const char *text)
{
    char id[256];
    char method[256];
    char result[256];
    char line[768];
    script_member(text, "id", id, sizeof id);
    script_member(text, "method", method, sizeof method);
    script_member(text, "result", result, sizeof result);
    if (method[0] != '\0') {
        (void)snprintf(line, sizeof line, "{\"event\":\"notification\",\"method\":%s}", method);
        script_say(stage_driver(s), 1, line);
    } else if (result[0] != '\0') {
        (void)snprintf(line, sizeof line, "\"result\":%s", result);
        stage_report(stage_driver(s), 1, id, line);
    }
}

static inline void stage_hear(scripted *c, const char *text, bool is_fence)
{
    stage *s = c->of->context;
    (void)is_fence;
    if (c->number > 1) {
        if (s->message != NULL) {
            s->message(s, c, text);
        } else {
            stage_read(s, text);
        }
        return;
    }
    char do_[256];
    char tag[256];
    script_member(text, "do", do_, sizeof do_);
    script_member(text, "tag", tag, sizeof tag);
    (s->command == NULL ? stage_act : s->command)(s, c, do_, tag, text);
}

static inline void stage_greet(scripted *c)
{
    stage *s = c->of->context;
    if (c->number == 1 && s->greeting != NULL) {
        script_say(c, 0, s->greeting);
        s->greeting = NULL;
    }
}

// A client whose driver lists these words.
static inline void stage_begin(stage *s, const char *greeting)
{
    static const jrpc_acceptor_operations operations = {acceptor_address, acceptor_descriptor,
                                                        acceptor_take, acceptor_free};
    memset(s, 0, sizeof *s);
    script_init(&s->side);
    s->side.context = s;
    s->side.on_message = stage_hear;
    s->side.on_idle = stage_greet;
    s->greeting = greeting;
    s->target = (jck_target){
        .transport = JRPC_TRANSPORT_TCP, .dial = scripted_dial, .dial_context = &s->side};
    s->listener.acceptor.operations = &operations;
    const jck_client_options options = {.target = &s->target,
                                        .clock = &s->side.clock,
                                        .interrupt_fd = -1,
                                        .self = "jrpcheck",
                                        .start_ms = (int64_t)5 * CALL_MS,
                                        .call_ms = CALL_MS,
                                        .brief_ms = CALL_MS,
                                        .grace_ms = 100,
                                        .poll = pass_time};
    jck_client_init(&s->client, &options);
    s->client.listening = true;
    s->client.reception.acceptor = &s->listener.acceptor;
    s->client.reception.endpoint.max_message = (size_t)1 << 20;
}

#define GREETING(words) "{\"driver\":1,\"name\":\"scripted\",\"can\":[" words "]}"

static inline void stage_open(stage *s)
{
    assert_int_equal(jck_client_open(&s->client, CALL_MS, &s->error), JCK_CLIENT_OK);
}

// Steps, written with ' for ".
#define CALL "{'do':'call','as':'one','method':'one','params':[1]}"
#define HEAR "{'hear':'one'}"
#define RIGHT "{'answer':{'jsonrpc':'2.0','result':'right','id':'${one}'}}"
#define OUTCOME "{'outcome':{'result':'right'},'of':'one'}"
#define FAILS "{'outcome':{'failed':true},'of':'one'}"

// Loads such steps.
static inline void stage_load(stage *s, const char *steps)
{
    jrpc_arena_done(&s->arena);
    jrpc_arena_init(&s->arena, jrpc_allocator_heap(), (size_t)64 << 20);
    jrpc_slice text;
    assert_true(jrpc_arena_copy(&s->arena, jrpc_slice_str(steps), &text));
    char *letters = (char *)(uintptr_t)text.ptr; // ours, in the arena
    for (size_t i = 0; i < text.len; i++) {
        letters[i] = letters[i] == '\'' ? '"' : letters[i];
    }
    jck_reader reader;
    jck_scope scope = {0};
    jrpc_json root;
    jck_reader_init(&reader, &s->arena, NULL, NULL, &s->error);
    reader.text = text;
    reader.file = "steps";
    assert_true(jck_reader_parse(&reader, &root));
    s->test_case = (jck_case){.id = JRPC_SLICE("a/case"),
                              .side = JCK_SIDE_CLIENT,
                              .undriven = s->client.options.undriven};
    assert_true(jck_load_client_steps(&reader, &scope, root, &s->test_case.steps,
                                      &s->test_case.step_count));
    assert_int_equal(reader.wrong, 0);
}

// Runs these steps, with a driver that has been started.
static inline jck_client_status stage_run(stage *s, const char *steps)
{
    if (s->client.driver.peer == NULL) {
        stage_open(s);
    }
    stage_load(s, steps);
    jck_variables_init(&s->variables, &s->arena, &s->target, 0xabcdu, 1);
    assert_true(jck_evidence_init(&s->evidence, &s->arena, s->test_case.step_count));
    jrpc_error_clear(&s->error);
    s->began_us = s->side.now_us;
    return jck_client_run_case(&s->client, &s->test_case, &s->variables, &s->evidence, &s->error);
}

static inline int64_t stage_ms(const stage *s)
{
    return (s->side.now_us - s->began_us) / 1000;
}

static inline void stage_end(stage *s)
{
    jck_client_done(&s->client);
    jrpc_arena_done(&s->arena);
    script_done(&s->side);
    assert_int_equal(s->side.opened, s->side.closed);
}

// How many messages of this kind were recorded.
static inline size_t stage_count(const stage *s, jck_direction direction, jck_role_of_message role)
{
    size_t n = 0;
    for (size_t i = 0; i < s->evidence.count; i++) {
        const jck_message *message = &s->evidence.messages[i];
        n += message->direction == direction && message->role == role;
    }
    return n;
}

// How many commands of this kind the driver was given.
static inline size_t stage_commands(const stage *s, const char *do_)
{
    size_t n = 0;
    for (size_t i = 0; i < s->evidence.count; i++) {
        const jck_message *message = &s->evidence.messages[i];
        char text[1024];
        char found[256];
        (void)snprintf(text, sizeof text, "%.*s", (int)message->bytes.len, message->bytes.ptr);
        script_member(text, "do", found, sizeof found);
        n += message->direction == JCK_SENT && message->role == JCK_MESSAGE_OF_DRIVER &&
             strcmp(found, do_) == 0;
    }
    return n;
}

#endif
