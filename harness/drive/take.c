// Takes what arrives from the driver and the client, and records it.
#include "harness/drive/exec.h"
#include "harness/suite/redirect.h"
#include "reference/json/read.h"
#include "reference/json/write.h"

enum {
    LOOK_MS = 100,        // how often we check a silent driver, which may have died
    CALLS_MAX = 2000,     // of a client that runs by itself, in one run
    MESSAGES_MAX = 10000, // of a client, or a driver, in one case: more is a flood
    NOT_FOUND = 404,
    AT_ONCE = 256, // messages taken in a row before others get their turn
};
#define BYTES_MAX ((size_t)64 << 20)
#define ANSWER_BYTES ((size_t)1 << 20)

static jck_given_command *find_command(jck_client_exec *exec, int64_t tag)
{
    for (size_t i = 0; i < exec->command_count; i++) {
        if (exec->commands[i].tag == tag) {
            return &exec->commands[i];
        }
    }
    return NULL;
}

// What is wrong with a line of the driver; NULL: nothing. *ret_command is the command it settles.
static const char *check_line(jck_client_exec *exec, jrpc_json root,
                              jck_given_command **ret_command)
{
    int64_t tag = 0;
    if (!jrpc_json_is(root, JRPC_JSON_OBJECT)) {
        return "a line of the driver that is not a JSON Object";
    }
    if (jrpc_json_exists(jrpc_json_get(root, "event"))) {
        return exec->events++ > MESSAGES_MAX ? "the driver writes events without end" : NULL;
    }
    if (!jrpc_json_int64(jrpc_json_get(root, "tag"), &tag)) {
        return "a line of the driver without the tag of a command";
    }
    jck_given_command *command = find_command(exec, tag);
    if (command == NULL) {
        return "the driver answers a tag that no command of this case has";
    }
    if (command->settled) {
        return "the driver answers a tag for the second time";
    }
    *ret_command = command;
    return NULL;
}

// Whether a line reports the notification of the latest fence.
static bool reports_fence(const jck_client_exec *exec, jrpc_json line)
{
    return exec->fence[0] != '\0' && jrpc_json_exists(jrpc_json_get(line, "event")) &&
           jrpc_json_string_is(jrpc_json_get(line, "method"), jrpc_slice_str(exec->fence));
}

// Records what a client that runs by itself prints.
static void take_print(jck_client_exec *exec, const jrpc_received *received)
{
    jck_client_record(exec, &(jck_message){.direction = JCK_RECEIVED,
                                           .role = JCK_MESSAGE_OF_DRIVER,
                                           .connection = JCK_DRIVER_CONNECTION,
                                           .bytes = received->bytes,
                                           .true_len = received->true_len});
}

// Why the driver says that it cannot read a command, as it spells the reason; empty: it does not. A
// ping before a command fails for no other reason.
static jrpc_slice refusal(const jck_client_exec *exec, jrpc_json line,
                          const jck_given_command *command)
{
    jrpc_json failed = jrpc_json_get(line, "failed");
    bool probe = command != NULL && command == exec->probe && jrpc_json_exists(failed);
    return jrpc_json_spelling(command == NULL ? JRPC_JSON_ABSENT
                              : probe         ? failed
                                              : jrpc_json_get(line, "unreadable"));
}

static void take_line(jck_client_exec *exec, const jrpc_received *received)
{
    if (exec->heard != NULL) {
        take_print(exec, received);
        return;
    }
    jrpc_json_document document;
    jck_given_command *command = NULL;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    bool read = jrpc_json_read(&document, received->bytes, JCK_MESSAGE_DEPTH, NULL);
    bool fence = read && reports_fence(exec, jrpc_json_root(&document));
    exec->spoilt = exec->spoilt ||
                   (read && jrpc_json_exists(jrpc_json_get(jrpc_json_root(&document), "failed")));
    const char *why = received->why != NULL ? received->why
                      : !read               ? "a line of the driver that is not JSON"
                      : fence               ? NULL
                                            : check_line(exec, jrpc_json_root(&document), &command);
    jck_client_note_echo(exec, command, jrpc_json_root(&document));
    jrpc_slice unreadable = refusal(exec, jrpc_json_root(&document), command);
    jrpc_json_document_done(&document);
    if (why != NULL && jck_client_may_be_unread(exec)) {
        jck_client_give_up_command(exec, "it answers with ", received->bytes);
        return;
    }
    if (why != NULL) {
        jck_client_blame_driver(exec, why, received->bytes);
        return;
    }
    exec->fence_read = exec->fence_read || fence;
    jck_client_record(exec,
                      &(jck_message){.direction = JCK_RECEIVED,
                                     .role = fence ? JCK_MESSAGE_OF_FENCE : JCK_MESSAGE_OF_DRIVER,
                                     .connection = JCK_DRIVER_CONNECTION,
                                     .bytes = received->bytes,
                                     .true_len = received->true_len});
    if (command != NULL) {
        command->settled = true;
    }
    if (unreadable.len > 0) {
        jck_client_give_up_command(exec, "it says ", unreadable);
    }
}

static void note_end_of_driver(jck_client_exec *exec)
{
    const jck_client_options *options = &exec->client->options;
    jrpc_peer_ending end = jrpc_peer_end(exec->client->driver.peer,
                                         jrpc_deadline_in_ms(options->clock, options->grace_ms));
    if (exec->heard != NULL) {
        exec->evidence->ends[exec->step] = end;
        exec->ended = true;
        return;
    }
    if (jck_client_may_be_unread(exec)) {
        jck_client_give_up_command(exec, "it ended", (jrpc_slice){NULL, 0});
        return;
    }
    exec->evidence->end = end;
    exec->evidence->process_gone = exec->evidence->end.kind == JRPC_END_EXITED ||
                                   exec->evidence->end.kind == JRPC_END_SIGNALED;
    exec->evidence->settled[exec->step] = JCK_GONE;
    exec->over = true;
    exec->spoilt = true;
}

// Handles what a peer gave instead of a message. False: there is nothing more.
static bool note(jck_client_exec *exec, jrpc_peer_event event)
{
    if (event == JRPC_PEER_INTERRUPTED || event == JRPC_PEER_FAULT) {
        exec->status = event == JRPC_PEER_FAULT ? JCK_CLIENT_FAULT : JCK_CLIENT_INTERRUPTED;
        exec->over = true;
    }
    return event == JRPC_PEER_MESSAGE || event == JRPC_PEER_NOISE;
}

// Answers requests that a client sends unasked, as the profile says: a protocol may begin with one.
static void answer_by_itself(jck_client_exec *exec, jck_caller *caller, jrpc_json object)
{
    const jck_client_options *options = &exec->client->options;
    jrpc_slice method;
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), ANSWER_BYTES);
    jrpc_json id = jrpc_json_get(object, "id");
    jrpc_json result = jrpc_json_string(jrpc_json_get(object, "method"), &arena, &method)
                           ? jrpc_json_member(options->target->client_requests, method)
                           : JRPC_JSON_ABSENT;
    if (jrpc_json_exists(result) && jrpc_json_exists(id)) {
        jrpc_buffer answer;
        jrpc_buffer_init(&answer, jrpc_allocator_heap(), ANSWER_BYTES);
        (void)jrpc_buffer_append_str(&answer, "{\"jsonrpc\":\"2.0\",\"result\":");
        (void)jrpc_json_compact(&answer, result);
        (void)jrpc_buffer_append_str(&answer, ",\"id\":");
        (void)jrpc_json_compact(&answer, id);
        if (jrpc_buffer_append_char(&answer, '}')) {
            jck_client_record(exec, &(jck_message){.direction = JCK_SENT,
                                                   .role = JCK_MESSAGE_OF_SESSION,
                                                   .connection = caller->letter,
                                                   .bytes = jrpc_buffer_slice(&answer),
                                                   .true_len = answer.len});
            (void)jrpc_peer_send(caller->peer, jrpc_buffer_slice(&answer),
                                 jrpc_deadline_in_ms(options->clock, options->grace_ms),
                                 exec->error);
        }
        jrpc_buffer_done(&answer);
    }
    jrpc_arena_done(&arena);
}

// Finds the driver's Request that this is, and makes its id available to the answers of later
// steps. NULL: one of the client's own.
static const jck_request *attribute(jck_client_exec *exec, jrpc_json object, jck_caller *caller,
                                    bool in_batch)
{
    char connection = caller->letter;
    jck_asked *asked = jck_asked_find(&exec->asked, object);
    if (asked == NULL) {
        answer_by_itself(exec, caller, object);
        return NULL;
    }
    asked->heard = true;
    asked->connection = connection;
    asked->in_batch = in_batch;
    exec->last_heard = connection;
    jrpc_slice id = jrpc_json_spelling(jrpc_json_get(object, "id"));
    if (id.len > 0 && asked->request->name.len > 0) {
        (void)jck_variables_capture(exec->variables, asked->request->name, id);
    }
    return asked->request;
}

// Whether an answer is required: there is a member id, or it cannot be ruled out.
static bool wants_answer(jrpc_json value)
{
    if (!jrpc_json_is(value, JRPC_JSON_ARRAY) || jrpc_json_count(value) == 0) {
        return !jrpc_json_is(value, JRPC_JSON_OBJECT) ||
               jrpc_json_exists(jrpc_json_get(value, "id"));
    }
    bool wants = false;
    for (jrpc_json_iterator it = jrpc_json_iterate(value); !wants && jrpc_json_step(&it);) {
        wants = !jrpc_json_is(it.value, JRPC_JSON_OBJECT) ||
                jrpc_json_exists(jrpc_json_get(it.value, "id"));
    }
    return wants;
}

// Over HTTP a message that gets no JSON-RPC response still needs an HTTP response. A status of 0 is
// the usual one.
static void acknowledge(jck_client_exec *exec, jck_caller *caller, unsigned status)
{
    const jck_client_options *options = &exec->client->options;
    const jrpc_manner how = {.status = status};
    (void)jrpc_peer_send_as(caller->peer, (jrpc_slice){NULL, 0}, &how,
                            jrpc_deadline_in_ms(options->clock, options->grace_ms), exec->error);
}

static void take_message(jck_client_exec *exec, jck_caller *caller, const jrpc_received *received)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    bool read = received->why == NULL &&
                jrpc_json_read(&document, received->bytes, JCK_MESSAGE_DEPTH, NULL);
    jck_client_record(exec, &(jck_message){.direction = JCK_RECEIVED,
                                           .role = received->why != NULL ? JCK_MESSAGE_NOISE
                                                                         : JCK_MESSAGE_OF_CASE,
                                           .connection = caller->letter,
                                           .bytes = received->bytes,
                                           .true_len = received->true_len,
                                           .broken = !read,
                                           .why = received->why,
                                           .flaw = received->flaw,
                                           .flaw_of = received->flaw_of,
                                           .http_headers = received->http_headers});
    if (exec->heard != NULL && received->why == NULL) {
        exec->heard(exec, caller, read ? jrpc_json_root(&document) : JRPC_JSON_ABSENT);
    }
    if (jck_is_redirected(received->http_headers)) {
        acknowledge(exec, caller, NOT_FOUND); // only whether and how it is followed counts
    } else if (read) {
        jrpc_json root = jrpc_json_root(&document);
        bool array = jrpc_json_is(root, JRPC_JSON_ARRAY);
        const jck_request *asked = array ? NULL : attribute(exec, root, caller, false);
        for (jrpc_json_iterator it = jrpc_json_iterate(root); array && jrpc_json_step(&it);) {
            (void)attribute(exec, it.value, caller, true);
        }
        // A notification of JSON-RPC 1.0 has the id null.
        bool notifies = asked != NULL && asked->notify &&
                        jrpc_json_is(jrpc_json_get(root, "id"), JRPC_JSON_NULL);
        bool exchanges = jck_target_traits(exec->client->options.target)->exchanges;
        if (exchanges && (notifies || !wants_answer(root))) {
            acknowledge(exec, caller, 0);
        }
    }
    jrpc_json_document_done(&document);
}

static void note_flood(jck_client_exec *exec)
{
    exec->evidence->flood_messages = exec->heard_count;
    exec->evidence->flood_bytes = exec->heard_bytes;
    exec->evidence->settled[exec->step] = JCK_FLOODED;
    exec->over = true;
    exec->spoilt = true;
}

// Whether to stop reading. A client that runs by itself may make calls without end.
static bool is_too_much(jck_client_exec *exec)
{
    bool much = exec->heard_count > MESSAGES_MAX || exec->heard_bytes > BYTES_MAX;
    if (exec->heard != NULL) {
        exec->cut = exec->cut || much || exec->heard_count > CALLS_MAX;
        return exec->cut;
    }
    if (much) {
        note_flood(exec);
    }
    return much;
}

// Counts a message of the client and takes it. False: there were too many.
static bool take_counted(jck_client_exec *exec, jck_caller *caller, const jrpc_received *received)
{
    exec->heard_count++;
    exec->heard_bytes += received->true_len;
    if (is_too_much(exec)) {
        return false;
    }
    take_message(exec, caller, received);
    return true;
}

static bool take_from_driver(jck_client_exec *exec)
{
    int64_t now = jrpc_clock_now_us(exec->client->options.clock);
    bool any = false;
    for (int i = 0; i < AT_ONCE && !exec->over && !exec->ended; i++) {
        jrpc_received received = {.why = NULL};
        jrpc_peer_event event =
            jrpc_peer_receive(exec->client->driver.peer, now, &received, exec->error);
        if (event == JRPC_PEER_ENDED) {
            note_end_of_driver(exec);
            return true;
        }
        if (!note(exec, event)) {
            return any;
        }
        if (exec->client->talks.peer == NULL) {
            take_line(exec, &received);
        } else if (!take_counted(exec, &exec->client->talks, &received)) {
            return true;
        }
        any = true;
    }
    return any;
}

void jck_client_note_debt(jck_client_exec *exec, const jck_caller *caller)
{
    jck_message message = {.direction = JCK_RECEIVED,
                           .role = JCK_MESSAGE_NOISE,
                           .connection = caller->letter,
                           .bytes = JRPC_SLICE("")};
    message.flaw = message.why = jrpc_peer_debt(caller->peer, &message.flaw_of);
    if (message.flaw != NULL) {
        jck_client_record(exec, &message);
    }
}

static bool take_from_caller(jck_client_exec *exec, jck_caller *caller)
{
    int64_t now = jrpc_clock_now_us(exec->client->options.clock);
    bool any = false;
    for (int i = 0; i < AT_ONCE && !exec->over; i++) {
        jrpc_received received = {.why = NULL};
        jrpc_peer_event event = jrpc_peer_receive(caller->peer, now, &received, exec->error);
        if (event == JRPC_PEER_ENDED) {
            if (!jck_target_traits(exec->client->options.target)->exchanges) {
                exec->spoilt = true;
                exec->evidence->caller_left = true;
            }
            jck_client_note_debt(exec, caller);
            jck_reception_drop(caller);
            return true;
        }
        if (!note(exec, event)) {
            return any;
        }
        if (!take_counted(exec, caller, &received)) {
            return true;
        }
        any = true;
    }
    return any;
}

bool jck_client_take(jck_client_exec *exec)
{
    jck_reception *reception = &exec->client->reception;
    // Messages of the client are taken before the driver's report about them.
    bool any = false;
    if (!jck_reception_accept(reception, exec->error)) {
        exec->status = JCK_CLIENT_FAULT;
        exec->over = true;
    }
    if (exec->client->talks.peer != NULL && jck_reception_is_visited(reception)) {
        exec->client->talks.peer = NULL; // it starts its server, and talks to that
    }
    for (size_t i = 0; i < JCK_CALLERS_MAX && !exec->over; i++) {
        any = (reception->callers[i].peer != NULL &&
               take_from_caller(exec, &reception->callers[i])) ||
              any;
    }
    return (!exec->over && take_from_driver(exec)) || any;
}

// Waits until a descriptor is readable, for a limited time.
static void wait(jck_client_exec *exec, int64_t deadline_us)
{
    jck_client *client = exec->client;
    struct pollfd entries[JCK_CALLERS_MAX + 3];
    size_t count = 0;
    entries[count++] = (struct pollfd){.fd = client->options.interrupt_fd, .events = POLLIN};
    entries[count++] = (struct pollfd){
        .fd = exec->ended ? -1 : jrpc_peer_descriptor(client->driver.peer), .events = POLLIN};
    entries[count++] = (struct pollfd){.fd = jrpc_acceptor_descriptor(client->reception.acceptor),
                                       .events = POLLIN};
    for (size_t i = 0; i < JCK_CALLERS_MAX; i++) {
        const jrpc_peer *peer = client->reception.callers[i].peer;
        if (peer != NULL) {
            entries[count++] = (struct pollfd){.fd = jrpc_peer_descriptor(peer), .events = POLLIN};
        }
    }
    int64_t look = jrpc_deadline_in_ms(client->options.clock, LOOK_MS);
    (void)client->options.poll(entries, count, client->options.clock,
                               look < deadline_us ? look : deadline_us);
    if (entries[0].revents != 0) {
        exec->status = JCK_CLIENT_INTERRUPTED;
        exec->over = true;
    }
}

bool jck_client_turn(jck_client_exec *exec, int64_t deadline_us)
{
    while (!exec->over && !jck_client_take(exec)) {
        if (jrpc_clock_now_us(exec->client->options.clock) >= deadline_us) {
            return false;
        }
        wait(exec, deadline_us);
    }
    return !exec->over;
}

jck_given_command *jck_client_command(jck_client_exec *exec, jrpc_slice name, jrpc_slice members)
{
    jck_client *client = exec->client;
    if (exec->over || exec->command_count == JCK_ASKED_MAX) {
        return NULL;
    }
    int64_t tag = ++client->driver.tag;
    jrpc_buffer_clear(&exec->line);
    (void)jrpc_buffer_append_str(&exec->line, "{");
    (void)jrpc_buffer_append(&exec->line, members);
    (void)jrpc_buffer_printf(&exec->line, ",\"tag\":%lld}", (long long)tag);
    if (exec->line.failed) {
        (void)jrpc_error_set(exec->error, JRPC_ERROR_LIMIT, "a command for the driver is too long");
        exec->status = JCK_CLIENT_FAULT;
        exec->over = true;
        return NULL;
    }
    jrpc_slice line = jrpc_buffer_slice(&exec->line);
    jck_client_record(exec, &(jck_message){.direction = JCK_SENT,
                                           .role = JCK_MESSAGE_OF_DRIVER,
                                           .connection = JCK_DRIVER_CONNECTION,
                                           .bytes = line,
                                           .true_len = line.len});
    jck_given_command *command = &exec->commands[exec->command_count++];
    *command = (jck_given_command){.name = name, .tag = tag};
    int64_t deadline = jrpc_deadline_in_ms(client->options.clock, jck_client_patience_ms(client));
    jrpc_peer_event event = jrpc_peer_send(client->driver.peer, line, deadline, exec->error);
    if (event == JRPC_PEER_ENDED) {
        note_end_of_driver(exec);
    } else if (event == JRPC_PEER_TIMEOUT) {
        exec->evidence->muteness = JCK_HUNG;
        exec->evidence->settled[exec->step] = JCK_UNSENT;
        exec->over = exec->spoilt = true;
    } else {
        (void)note(exec, event);
    }
    return exec->over ? NULL : command;
}

bool jck_client_await(jck_client_exec *exec, const jck_given_command *command, int64_t deadline_us)
{
    while (!command->settled && jck_client_turn(exec, deadline_us)) {
    }
    return command->settled;
}
