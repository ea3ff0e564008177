#include "reference/driver/driver.h"

#include "reference/base/limits.h"
#include "reference/driver/fault.h"
#include "reference/json/write.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

enum { READ_BYTES = 64 << 10, BARE_PING = 2 }; // a ping has "do" and "tag"
#define COMMAND_BYTES ((size_t)256 << 20)

void jrpc_driver_init(jrpc_driver *driver)
{
    jrpc_decoder_init(&driver->decoder, JRPC_FRAMING_LINE, JRPC_LIMIT_DOCUMENT_BYTES,
                      driver->allocator);
    jrpc_json_document_init(&driver->document, driver->allocator);
    jrpc_arena_init(&driver->arena, driver->allocator, COMMAND_BYTES);
    jrpc_arena_init(&driver->changes, driver->allocator, SIZE_MAX / 4);
    jrpc_buffer_init(&driver->out, driver->allocator, JRPC_LIMIT_DOCUMENT_BYTES);
    jrpc_buffer_init(&driver->memory.kept, driver->allocator, JRPC_LIMIT_DOCUMENT_BYTES);
}

static void disconnect(jrpc_driver *driver)
{
    jrpc_client_close(driver->client);
    driver->client = NULL;
}

void jrpc_driver_done(jrpc_driver *driver)
{
    disconnect(driver);
    while (driver->lines != NULL) {
        jrpc_outcome_drop(driver->lines);
    }
    jrpc_decoder_done(&driver->decoder);
    jrpc_json_document_done(&driver->document);
    jrpc_arena_done(&driver->arena);
    jrpc_arena_done(&driver->changes);
    jrpc_buffer_done(&driver->out);
    jrpc_buffer_done(&driver->memory.kept);
}

void jrpc_driver_write(jrpc_driver *driver, jrpc_slice line)
{
    jrpc_buffer_clear(&driver->out);
    jrpc_buffer_append(&driver->out, line);
    jrpc_buffer_append_char(&driver->out, '\n');
    jrpc_slice left = jrpc_buffer_slice(&driver->out);
    while (left.len > 0 && !driver->finished) {
        ssize_t put = write(driver->output, left.ptr, left.len);
        if (put >= 0) {
            left = jrpc_slice_from(left, (size_t)put);
        } else if (errno != EINTR) {
            driver->finished = true; // nobody is reading any more
        }
    }
}

void jrpc_driver_report(jrpc_driver *driver, int64_t tag, jrpc_slice members)
{
    jrpc_buffer line;
    jrpc_buffer_init(&line, driver->allocator, JRPC_LIMIT_DOCUMENT_BYTES);
    jrpc_buffer_printf(&line, "{\"tag\":%" PRId64 ",", tag);
    jrpc_buffer_append(&line, members);
    if (jrpc_buffer_append_char(&line, '}')) {
        jrpc_driver_write(driver, jrpc_buffer_slice(&line));
    } else {
        jrpc_buffer_clear(&line);
        jrpc_buffer_printf(&line, "{\"tag\":%" PRId64 ",\"failed\":\"out of memory\"}", tag);
        jrpc_driver_write(driver, jrpc_buffer_slice(&line));
    }
    jrpc_buffer_done(&line);
}

static void report_failed(jrpc_driver *driver, int64_t tag, const char *why)
{
    jrpc_buffer members;
    jrpc_buffer_init(&members, driver->allocator, JRPC_LIMIT_DOCUMENT_BYTES);
    jrpc_outcome_failed(&members, why);
    jrpc_driver_report(driver, tag, jrpc_buffer_slice(&members));
    jrpc_buffer_done(&members);
}

// Reports what the server sends unasked.
static void own(void *context, const jrpc_message *message)
{
    jrpc_driver *driver = context;
    if (!jrpc_client_fault_own(driver, message)) {
        return;
    }
    jrpc_buffer line;
    jrpc_buffer_init(&line, driver->allocator, JRPC_LIMIT_DOCUMENT_BYTES);
    jrpc_buffer_printf(&line, "{\"event\":\"%s\",\"method\":",
                       message->kind == JRPC_MESSAGE_CALL ? "request" : "notification");
    (void)jrpc_json_compact(&line, message->method);
    static const char *const members[] = {"params", "resource", "subresource", "parent",
                                          "target", "verb",     "result",      "request_id"};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        jrpc_json value = jrpc_json_get(message->value, members[i]);
        if (jrpc_json_exists(value)) {
            jrpc_buffer_printf(&line, ",\"%s\":", members[i]);
            (void)jrpc_json_compact(&line, value);
        }
    }
    if (jrpc_buffer_append_char(&line, '}')) {
        jrpc_driver_write(driver, jrpc_buffer_slice(&line));
    }
    jrpc_buffer_done(&line);
}

static void stray(void *context, jrpc_stray_kind kind, jrpc_slice text, const char *why)
{
    (void)why;
    jrpc_client_fault_stray(context, kind, text);
}

static bool connect_client(jrpc_driver *driver, jrpc_error *error)
{
    disconnect(driver);
    const jrpc_calls_hooks calls_hooks = jrpc_client_fault_calls_hooks(driver);
    const jrpc_client_hooks client_hooks = jrpc_client_fault_client_hooks(driver);
    bool faulty = driver->fault_count > 0; // without faults there are no hooks
    const jrpc_client_options options = {
        .endpoint = &driver->endpoint,
        .ear = {.context = driver, .own = own, .stray = stray},
        .timeout_ms = driver->timeout_ms,
        .calls_hooks = faulty ? &calls_hooks : NULL,
        .client_hooks = faulty ? &client_hooks : NULL,
    };
    driver->memory.under_way_count = 0;
    driver->client = jrpc_client_open(&options, error);
    driver->closed = false;
    return driver->client != NULL;
}

// Makes sure that there is a connection: one that ended by itself is reopened.
static bool need_client(jrpc_driver *driver, jrpc_error *error)
{
    if (driver->client != NULL && jrpc_client_is_open(driver->client)) {
        return true;
    }
    return driver->closed ? jrpc_error_set(error, JRPC_ERROR_CLOSED, "the client was closed")
                          : connect_client(driver, error);
}

// Starts the requests of a command; their outcome is reported through its line.
static bool start(jrpc_driver *driver, const jrpc_command *command, jrpc_outcome_line *line,
                  jrpc_error *error)
{
    jrpc_call_parts *parts = jrpc_arena_array(&driver->arena, command->count + 1, sizeof *parts);
    if (parts == NULL) {
        return jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory for requests");
    }
    for (size_t i = 0; i < command->count; i++) {
        parts[i] = (jrpc_call_parts){
            .method = command->requests[i].method,
            .params = command->requests[i].params,
            .structured = command->requests[i].structured ? &command->requests[i].parts : NULL,
            .notification = command->requests[i].notification,
            .answered = jrpc_outcome_answered,
            .context = &line->parts[i]};
    }
    return command->kind == JRPC_COMMAND_BATCH
               ? jrpc_client_start_batch(driver->client, parts, command->count, NULL, error)
               : jrpc_client_start(driver->client, parts, NULL, error);
}

static void request(jrpc_driver *driver, const jrpc_command *command)
{
    jrpc_error error = {.code = JRPC_OK};
    bool batch = command->kind == JRPC_COMMAND_BATCH;
    size_t calls = 0;
    for (size_t i = 0; i < command->count; i++) {
        calls += !command->requests[i].notification;
    }
    // Counts one more until this function is done: calls may end before all are started.
    jrpc_outcome_line *line =
        jrpc_outcome_new(driver, command->tag, batch, command->count, calls + 1);
    if (line == NULL) {
        report_failed(driver, command->tag, "out of memory");
        return;
    }
    if (!need_client(driver, &error) || !start(driver, command, line, &error)) {
        report_failed(driver, command->tag, error.message);
        jrpc_outcome_drop(line);
        return;
    }
    if (!batch && calls == 0) {
        jrpc_buffer_append_str(&line->parts[0].members, "\"result\":null");
    }
    line->left--;
    jrpc_outcome_settle(line);
}

// Answers a ping: with the command itself if it has the members of another one, to show that they
// were read as they are.
static void pong(jrpc_driver *driver, const jrpc_command *command)
{
    jrpc_json root = jrpc_json_root(&driver->document);
    if (jrpc_json_count(root) <= BARE_PING) {
        jrpc_driver_report(driver, command->tag, JRPC_SLICE("\"result\":\"pong\""));
        return;
    }
    jrpc_buffer members;
    jrpc_buffer_init(&members, driver->allocator, JRPC_LIMIT_DOCUMENT_BYTES);
    (void)jrpc_buffer_append_str(&members, "\"result\":");
    if (jrpc_json_compact(&members, root)) {
        jrpc_driver_report(driver, command->tag, jrpc_buffer_slice(&members));
    } else {
        report_failed(driver, command->tag, "out of memory");
    }
    jrpc_buffer_done(&members);
}

static void carry_out(jrpc_driver *driver, jrpc_command *command)
{
    jrpc_error error = {.code = JRPC_OK};
    switch (command->kind) {
    case JRPC_COMMAND_CONNECT:
        if (connect_client(driver, &error)) {
            jrpc_driver_report(driver, command->tag, JRPC_SLICE("\"result\":null"));
        } else {
            report_failed(driver, command->tag, error.message);
        }
        break;
    case JRPC_COMMAND_CALL:
    case JRPC_COMMAND_NOTIFY:
    case JRPC_COMMAND_BATCH:
        request(driver, command);
        break;
    case JRPC_COMMAND_PING:
        pong(driver, command);
        break;
    case JRPC_COMMAND_CLOSE:
        disconnect(driver);
        driver->closed = true;
        jrpc_driver_report(driver, command->tag, JRPC_SLICE("\"result\":null"));
        break;
    }
}

static void take_line(jrpc_driver *driver, jrpc_slice line)
{
    jrpc_command command;
    bool tagged = false;
    jrpc_error error = {.code = JRPC_OK};
    jrpc_arena_clear(&driver->arena);
    if (jrpc_command_read(line, &driver->document, &driver->arena, &command, &tagged, &error)) {
        if (jrpc_client_fault_command(driver, &command)) {
            carry_out(driver, &command);
        }
    } else if (tagged) {
        report_failed(driver, command.tag, error.message);
    } else {
        (void)dprintf(STDERR_FILENO, "jrpc-reference-client: %s\n", error.message);
    }
}

// Carries out every complete command, up to an empty line.
static void take_lines(jrpc_driver *driver)
{
    jrpc_slice line;
    driver->barrier = driver->barrier && driver->lines != NULL;
    while (!driver->finished && !driver->barrier &&
           jrpc_decoder_next(&driver->decoder, &line, NULL) == JRPC_DECODED_DONE) {
        if (line.len > 0) {
            take_line(driver, line);
        } else {
            driver->barrier = driver->alone && driver->lines != NULL;
        }
    }
}

// Reads what is available and carries out every complete command.
static bool read_commands(jrpc_driver *driver, jrpc_error *error)
{
    char piece[READ_BYTES];
    ssize_t got = read(driver->input, piece, sizeof piece);
    if (got < 0) {
        return errno == EINTR || jrpc_error_set_errno(error, errno, "cannot read commands");
    }
    if (got == 0) {
        driver->finished = true;
        return true;
    }
    if (!jrpc_decoder_feed(&driver->decoder, jrpc_slice_of(piece, (size_t)got), error)) {
        return false;
    }
    take_lines(driver);
    return true;
}

static void greet(jrpc_driver *driver)
{
    // Over HTTP exchanges are sequential.
    bool concurrent = !jrpc_transport_traits(driver->endpoint.transport)->exchanges;
    jrpc_buffer line;
    jrpc_buffer_init(&line, driver->allocator, JRPC_LIMIT_DOCUMENT_BYTES);
    jrpc_buffer_printf(&line,
                       "{\"driver\":1,\"name\":\"jrpc-reference-client\",\"version\":\"%s\","
                       "\"can\":[\"call\",\"notify\",\"batch\",\"by-name\",%s\"connect\","
                       "\"close\",\"reports\",\"resources\"]}",
                       JRPCHECK_VERSION, concurrent ? "\"concurrent\"," : "");
    jrpc_driver_write(driver, jrpc_buffer_slice(&line));
    jrpc_buffer_done(&line);
}

// The calls that the client makes by itself: one after the other up to the second empty line, then
// some at once; those of the specification, and some whose answers may be misread.
static const char program[] =
    "{\"tag\":1,\"do\":\"call\",\"method\":\"subtract\",\"params\":[42,23]}\n\n"
    "{\"tag\":2,\"do\":\"call\",\"method\":\"subtract\",\"params\":"
    "{\"subtrahend\":23,\"minuend\":42}}\n\n"
    "{\"tag\":3,\"do\":\"notify\",\"method\":\"update\",\"params\":[1,2,3]}\n\n"
    "{\"tag\":4,\"do\":\"call\",\"method\":\"echo\",\"params\":[\"\\u00e9 \\\"\",null,1.5]}\n\n"
    "{\"tag\":5,\"do\":\"call\",\"method\":\"sum\",\"params\":[1,2,4]}\n"
    "{\"tag\":6,\"do\":\"call\",\"method\":\"echo\",\"params\":[\"two at once\"]}\n\n"
    "{\"tag\":7,\"do\":\"batch\",\"list\":[{\"method\":\"sum\",\"params\":[1]},"
    "{\"notify\":true,\"method\":\"update\",\"params\":[4]},"
    "{\"method\":\"get_data\"}]}\n\n"
    "{\"tag\":8,\"do\":\"call\",\"method\":\"get_data\"}\n";

// Carries out the program; the outcome of each call is printed in a driver's format.
static bool run_alone(jrpc_driver *driver, jrpc_error *error)
{
    if (!jrpc_decoder_feed(&driver->decoder, jrpc_slice_str(program), error)) {
        return false;
    }
    take_lines(driver);
    while (driver->lines != NULL && !driver->finished) {
        if (driver->client == NULL || !jrpc_client_is_open(driver->client)) {
            return jrpc_error_set(error, JRPC_ERROR_CLOSED, "the connection ended");
        }
        if (jrpc_client_turn(driver->client, JRPC_DEADLINE_NEVER, -1, error) == JRPC_CLIENT_FAULT) {
            return false;
        }
        take_lines(driver);
    }
    return true;
}

bool jrpc_driver_run(jrpc_driver *driver, jrpc_error *error)
{
    if (driver->alone) {
        return run_alone(driver, error);
    }
    greet(driver);
    while (!driver->finished) {
        jrpc_client_event event = JRPC_CLIENT_ENDED;
        if (driver->client != NULL && jrpc_client_is_open(driver->client)) {
            event = jrpc_client_turn(driver->client, JRPC_DEADLINE_NEVER, driver->input, error);
        }
        switch (event) {
        case JRPC_CLIENT_MOVED:
        case JRPC_CLIENT_TIMEOUT:
            break;
        case JRPC_CLIENT_WOKEN:
        case JRPC_CLIENT_ENDED: // reading waits for the next command
            if (!read_commands(driver, error)) {
                return false;
            }
            break;
        case JRPC_CLIENT_FAULT:
            return false;
        }
    }
    return true;
}
