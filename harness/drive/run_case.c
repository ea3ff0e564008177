#include "harness/drive/run_case.h"

#include "harness/drive/exec.h"
#include "reference/json/write.h"
#include "reference/wire/framing.h"

#include <stdio.h>
#include <string.h>

#define LINE_BYTES ((size_t)16 << 20)
#define PAYLOAD_BYTES ((size_t)80 << 20)

static jck_given_command *send_ping(jck_client_exec *exec)
{
    return jck_client_command(exec, (jrpc_slice){NULL, 0}, JRPC_SLICE("\"do\":\"ping\""));
}

// Connects first if the driver needs the command.
static void connect_driver(jck_client_exec *exec, jck_driver_action action)
{
    jck_client *client = exec->client;
    bool needed =
        action == JCK_ACTION_CALL || action == JCK_ACTION_NOTIFY || action == JCK_ACTION_BATCH;
    if (needed && !client->connected && client->driver.can[JCK_CAN_CONNECT]) {
        const jck_given_command *given =
            jck_client_command(exec, (jrpc_slice){NULL, 0}, JRPC_SLICE("\"do\":\"connect\""));
        if (given != NULL) {
            (void)jck_client_await(exec, given, jck_client_deadline(exec));
        }
    }
    client->connected =
        action == JCK_ACTION_CLOSE ? false : client->connected || action != JCK_ACTION_PING;
}

static void run_do(jck_client_exec *exec, const jck_step *step)
{
    if (step->welcome != NULL) {
        exec->client->reception.endpoint.welcome = step->welcome;
        exec->spoilt = true;
    }
    if (!jck_client_probe(exec, &step->command)) {
        return;
    }
    connect_driver(exec, step->command.action);
    jrpc_buffer_clear(&exec->payload);
    jck_client_append_command(&exec->payload, &step->command);
    jck_asked_add(&exec->asked, step, exec->step);
    if (jck_client_command(exec, step->command.name, jrpc_buffer_slice(&exec->payload)) != NULL) {
        jck_client_settle(exec, JCK_SETTLED);
    }
}

static const jck_given_command *find_command(const jck_client_exec *exec, jrpc_slice name)
{
    for (size_t i = 0; i < exec->command_count; i++) {
        if (exec->commands[i].name.len > 0 && jrpc_slice_equal(exec->commands[i].name, name)) {
            return &exec->commands[i];
        }
    }
    return NULL;
}

// Whether the command of a Request is over: then the Request will not come any more.
static bool is_over(const jck_client_exec *exec, const jck_asked *asked)
{
    const jck_given_command *command =
        find_command(exec, exec->test_case->steps[asked->step].command.name);
    return command != NULL && command->settled;
}

// Whether the driver, which does one thing at a time, is still waiting for a call that it has made.
static bool is_held_up(const jck_client_exec *exec)
{
    bool under_way = false;
    for (size_t i = 0; i < exec->asked.count; i++) {
        const jck_asked *asked = &exec->asked.items[i];
        under_way = under_way || (asked->heard && !asked->request->notify && !is_over(exec, asked));
    }
    return under_way && !exec->client->driver.can[JCK_CAN_CONCURRENT];
}

// How many of a step's Requests can still come.
static size_t count_awaited(jck_client_exec *exec, const jck_step *step)
{
    size_t awaited = 0;
    for (size_t i = 0; i < step->name_count; i++) {
        const jck_asked *asked = jck_asked_named(&exec->asked, step->names[i]);
        // A notification may still be in transit when the driver reports that it was sent.
        bool sent = asked != NULL && asked->request->notify;
        awaited += asked != NULL && !asked->heard && (sent || !is_over(exec, asked));
    }
    return awaited;
}

static void run_hear(jck_client_exec *exec, const jck_step *step)
{
    int64_t deadline = jck_client_deadline(exec);
    while (count_awaited(exec, step) > 0 && jck_client_turn(exec, deadline)) {
    }
    jck_client_settle(exec, count_awaited(exec, step) == 0 ? JCK_SETTLED : JCK_MUTE);
}

// The connection for an answer: that of the Request it names, else of the one with its id, else the
// one on which the case received something last, else any.
static jck_caller *choose_caller(jck_client_exec *exec, const jck_step *step)
{
    jck_reception *reception = &exec->client->reception;
    const jck_asked *asked =
        step->name_count == 0 ? exec->meant : jck_asked_named(&exec->asked, step->names[0]);
    char letter = asked != NULL && asked->heard ? asked->connection : exec->last_heard;
    jck_caller *caller = letter == '\0' ? NULL : jck_reception_find(reception, letter);
    for (size_t i = 0; caller == NULL && letter == '\0' && i < JCK_CALLERS_MAX; i++) {
        caller = reception->callers[i].peer == NULL ? NULL : &reception->callers[i];
    }
    return caller;
}

// Resolves the variables of a case, and records the first Request whose id is among them.
static bool resolve(void *context, jrpc_slice name, jrpc_slice *ret_spelling)
{
    jck_client_exec *exec = context;
    const jck_asked *asked = jck_asked_named(&exec->asked, name);
    if (exec->meant == NULL && asked != NULL && asked->heard) {
        exec->meant = asked;
    }
    return jck_variables_resolve(exec->variables, name, ret_spelling);
}

static void run_answer(jck_client_exec *exec, const jck_step *step)
{
    jrpc_buffer_clear(&exec->payload);
    exec->meant = NULL;
    if (!jck_payload_expand(&step->payload, resolve, exec, &exec->payload, exec->error)) {
        // An id that was not received cannot be used in an answer: the judge reports that it was
        // not.
        if (exec->error->code == JRPC_ERROR_INVALID) {
            jrpc_error_clear(exec->error);
            jck_client_settle(exec, JCK_GONE);
        } else {
            exec->status = JCK_CLIENT_FAULT;
            exec->over = true;
        }
        return;
    }
    jck_caller *caller = choose_caller(exec, step);
    if (caller == NULL) {
        jck_client_settle(exec, JCK_GONE); // the client has closed it
        return;
    }
    jck_client_reply(exec, step, caller);
}

enum { MEANWHILE_TIMES = 4 }; // during the timeout of a call

// Waits until the driver has reported the outcome of a command, twice as long as usual, while
// sending the step's message again and again: this distinguishes a timeout that is restarted by
// each message from a late one.
static bool await_meanwhile(jck_client_exec *exec, const jck_step *step,
                            const jck_given_command *command)
{
    const jrpc_clock *clock = exec->client->options.clock;
    int64_t deadline = jrpc_deadline_in_ms(clock, 2 * jck_client_patience_ms(exec->client));
    while (!command->settled && !exec->over && jrpc_clock_now_us(clock) < deadline) {
        int64_t next = jrpc_deadline_in_ms(clock, exec->client->timeout_ms / MEANWHILE_TIMES);
        if (!jck_client_await(exec, command, next < deadline ? next : deadline) && !exec->over) {
            run_answer(exec, step);
            // Messages sent meanwhile do not settle the step; the outcome does.
            exec->evidence->settled[exec->step] = JCK_NOT_RUN;
        }
    }
    return command->settled;
}

static void run_outcome(jck_client_exec *exec, const jck_step *step)
{
    int64_t deadline = jck_client_deadline(exec);
    if (step->event) {
        // After an event that did not come in time, the next one does not get the full time.
        deadline = exec->events < exec->events_awaited ? 0 : deadline;
        while (exec->events <= exec->events_awaited && jck_client_turn(exec, deadline)) {
        }
        jck_client_settle(exec, exec->events > exec->events_awaited ? JCK_SETTLED : JCK_MUTE);
        exec->events_awaited++;
        return;
    }
    const jck_given_command *command =
        step->name_count == 0 ? NULL : find_command(exec, step->names[0]);
    bool settled = command != NULL && (jrpc_json_exists(step->payload.json)
                                           ? await_meanwhile(exec, step, command)
                                           : jck_client_await(exec, command, deadline));
    jck_client_settle(exec, settled ? JCK_SETTLED : JCK_MUTE);
    exec->over = exec->over || (!settled && is_held_up(exec)); // it reads no other command
}

// Sends our own notification after everything that was sent to the client. False: nobody is
// connected to read it.
static bool send_fence(jck_client_exec *exec, const jck_step *step)
{
    jck_caller *caller = choose_caller(exec, step);
    if (caller == NULL) {
        return false;
    }
    (void)snprintf(exec->fence, sizeof exec->fence, "jck-fence-%d", exec->step);
    exec->fence_read = false;
    jrpc_buffer_clear(&exec->payload);
    (void)jrpc_buffer_printf(&exec->payload, "{\"jsonrpc\":\"2.0\",\"method\":\"%s\"}",
                             exec->fence);
    jck_client_record(exec, &(jck_message){.direction = JCK_SENT,
                                           .role = JCK_MESSAGE_OF_FENCE,
                                           .connection = caller->letter,
                                           .bytes = jrpc_buffer_slice(&exec->payload),
                                           .true_len = exec->payload.len});
    return jrpc_peer_send(caller->peer, jrpc_buffer_slice(&exec->payload),
                          jck_client_deadline(exec), exec->error) == JRPC_PEER_MESSAGE;
}

// Waits until the client has sent what the transport requires after what was sent to it.
static void await_debt(jck_client_exec *exec, const jck_step *step)
{
    int64_t deadline = jck_client_deadline(exec);
    jrpc_flaw of;
    const jck_caller *caller = choose_caller(exec, step);
    while (caller != NULL && jrpc_peer_debt(caller->peer, &of) != NULL &&
           jck_client_turn(exec, deadline)) {
        caller = choose_caller(exec, step);
    }
    if (caller != NULL && !exec->over) {
        jck_client_note_debt(exec, caller);
    }
    jck_client_settle(exec, JCK_SETTLED);
}

// Commands and messages reach a client on different paths, so a command may overtake an earlier
// message. A driver that reports what the server sends shows when it was read; about others we only
// know that they still answer.
static void run_fence(jck_client_exec *exec, const jck_step *step)
{
    if (step->owed) {
        await_debt(exec, step);
        return;
    }
    const jck_client *client = exec->client;
    int64_t deadline = jck_client_deadline(exec);
    if (client->driver.can[JCK_CAN_REPORTS] &&
        !jck_target_traits(client->options.target)->exchanges && send_fence(exec, step)) {
        while (!exec->fence_read && jck_client_turn(exec, deadline)) {
        }
    } else {
        const jck_given_command *ping = send_ping(exec);
        (void)(ping != NULL && jck_client_await(exec, ping, deadline));
    }
    jck_client_settle(exec, JCK_SETTLED);
}

static void run_leave(jck_client_exec *exec, const jck_step *step)
{
    exec->spoilt = true;
    jck_caller *caller = choose_caller(exec, step);
    if (caller != NULL && step->half) {
        jrpc_peer_close_write(caller->peer);
    } else if (caller != NULL) {
        jck_reception_drop(caller);
    }
    jck_client_settle(exec, JCK_SETTLED);
}

static void run_step(jck_client_exec *exec, const jck_step *step)
{
    switch (step->kind) {
    case JCK_STEP_DO:
        run_do(exec, step);
        break;
    case JCK_STEP_HEAR:
        run_hear(exec, step);
        break;
    case JCK_STEP_ANSWER:
        run_answer(exec, step);
        break;
    case JCK_STEP_OUTCOME:
        run_outcome(exec, step);
        break;
    case JCK_STEP_LEAVE:
        run_leave(exec, step);
        break;
    case JCK_STEP_FENCE:
        run_fence(exec, step);
        break;
    case JCK_STEP_SERVE:
        jck_client_serve(exec, step);
        break;
    case JCK_STEP_SEND:
    case JCK_STEP_RECEIVE:
    case JCK_STEP_REPLY:
    case JCK_STEP_CLOSE:
        break;
    }
}

static bool all_settled(const jck_client_exec *exec)
{
    bool all = true;
    for (size_t i = 0; i < exec->command_count; i++) {
        all = all && exec->commands[i].settled;
    }
    return all;
}

// After the last step: all of the driver's commands end, and it has nothing more to report. A
// driver that does not even answer the ping hangs.
static void conclude(jck_client_exec *exec)
{
    int64_t deadline = jck_client_deadline(exec);
    while (!all_settled(exec) && jck_client_turn(exec, deadline)) {
    }
    exec->spoilt = exec->spoilt || !all_settled(exec);
    if (is_held_up(exec)) {
        return; // by a call that does not end: that is the finding
    }
    const jck_given_command *ping = send_ping(exec);
    if (ping != NULL && !jck_client_await(exec, ping, jck_client_deadline(exec)) && !exec->over) {
        exec->evidence->muteness = JCK_HUNG;
        exec->spoilt = true;
    }
}

// Leaves the client as the next case needs it: connected and in order, or not connected at all.
static void tidy(jck_client_exec *exec)
{
    jck_client *client = exec->client;
    const bool *can = client->driver.can;
    bool dead = exec->evidence->process_gone || exec->evidence->muteness != JCK_NOT_MUTE ||
                exec->over || !all_settled(exec);
    if (!exec->spoilt && !dead) {
        return;
    }
    jck_client_keep_stderr(exec);
    bool left = exec->evidence->caller_left; // by itself: not because we close it now
    const jck_given_command *close = NULL;
    if (!dead && can[JCK_CAN_CLOSE] && can[JCK_CAN_CONNECT]) {
        close = jck_client_command(exec, (jrpc_slice){NULL, 0}, JRPC_SLICE("\"do\":\"close\""));
    }
    bool closed = close != NULL && jck_client_await(exec, close, jck_client_deadline(exec));
    exec->evidence->caller_left = left;
    if (!closed) {
        jck_client_stop(client);
        return;
    }
    client->connected = false;
    jck_reception_drop_all(&client->reception);
}

jck_client_status jck_client_run_case(jck_client *client, const jck_case *test_case,
                                      jck_variables *variables, jck_evidence *evidence,
                                      jrpc_error *error)
{
    jck_client_exec exec = {
        .client = client,
        .test_case = test_case,
        .variables = variables,
        .evidence = evidence,
        .began_us = jrpc_clock_now_us(client->options.clock),
        .error = error,
    };
    evidence->call_us = client->driver.keeps_timeout ? client->timeout_ms * 1000 : 0;
    jrpc_buffer_init(&exec.line, jrpc_allocator_heap(), LINE_BYTES);
    jrpc_buffer_init(&exec.payload, jrpc_allocator_heap(), PAYLOAD_BYTES);
    jrpc_buffer_init(&exec.held, jrpc_allocator_heap(), PAYLOAD_BYTES);
    jck_reception_begin(&client->reception);
    for (size_t i = 0; i < test_case->step_count && !exec.over; i++) {
        exec.step = (int)i;
        jck_variables_set_step(variables, (int)i);
        run_step(&exec, &test_case->steps[i]);
    }
    bool reached = !exec.over;
    if (!test_case->undriven && (reached || exec.status == JCK_CLIENT_OK)) {
        conclude(&exec);
        tidy(&exec);
    }
    evidence->duration_us = jrpc_clock_now_us(client->options.clock) - exec.began_us;
    jrpc_buffer_done(&exec.line);
    jrpc_buffer_done(&exec.payload);
    jrpc_buffer_done(&exec.held);
    return exec.status;
}
