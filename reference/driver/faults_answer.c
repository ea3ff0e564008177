// How calls end: never, twice, or with something that is not an answer.
#include "reference/driver/change.h"

#include <stdlib.h>

// --- Invalid answers that are accepted --------------------------------------------------------

static bool is_broken(const jrpc_answer *answer, const jrpc_message *message)
{
    return answer->kind == JRPC_ANSWER_BROKEN && message != NULL;
}

static bool both_as_result(jrpc_change *change, const jrpc_message *message, jrpc_answer *answer)
{
    (void)change;
    if (is_broken(answer, message) && jrpc_json_exists(message->result) &&
        jrpc_json_exists(message->error)) {
        answer->kind = JRPC_ANSWER_RESULT;
        answer->value = message->result;
    }
    return true;
}

static bool neither_as_null(jrpc_change *change, const jrpc_message *message, jrpc_answer *answer)
{
    if (is_broken(answer, message) && !jrpc_json_exists(message->result) &&
        !jrpc_json_exists(message->error)) {
        answer->kind = JRPC_ANSWER_RESULT;
        answer->value = jrpc_change_json(change, JRPC_SLICE("null"));
    }
    return true;
}

static bool any_version(jrpc_change *change, const jrpc_message *message, jrpc_answer *answer)
{
    (void)change;
    if (is_broken(answer, message) && !jrpc_json_string_is(message->version, JRPC_SLICE("2.0")) &&
        jrpc_json_exists(message->result) && !jrpc_json_exists(message->error)) {
        answer->kind = JRPC_ANSWER_RESULT;
        answer->value = message->result;
    }
    return true;
}

// --- Calls that never end ---------------------------------------------------------------------

static bool has_null_error(const jrpc_message *message)
{
    return message != NULL && jrpc_json_is(message->id, JRPC_JSON_NULL) &&
           jrpc_json_exists(message->error);
}

// Any message that arrives while a call is in flight postpones its timeout forever.
static void note_message(jrpc_change *change, jrpc_slice *text)
{
    (void)text;
    jrpc_driver_memory *memory = &change->driver->memory;
    memory->held_off = memory->under_way_count > 0;
}

static bool held_off(jrpc_change *change, const jrpc_message *message, jrpc_answer *answer)
{
    (void)message;
    return answer->kind != JRPC_ANSWER_TIMED_OUT || !change->driver->memory.held_off;
}

static void begin_unheld(jrpc_change *change, const jrpc_call_parts *parts, jrpc_request *request)
{
    (void)parts;
    (void)request;
    change->driver->memory.held_off = false;
}

// Never ends a call that an error with id null should end, nor lets it time out.
static bool refusal_lost(jrpc_change *change, const jrpc_message *message, jrpc_answer *answer)
{
    jrpc_driver_memory *memory = &change->driver->memory;
    memory->refused =
        memory->refused || (answer->kind == JRPC_ANSWER_REFUSED && has_null_error(message));
    bool lost = memory->refused &&
                (answer->kind == JRPC_ANSWER_REFUSED || answer->kind == JRPC_ANSWER_TIMED_OUT ||
                 answer->kind == JRPC_ANSWER_MISSING);
    return !lost;
}

static bool broken_lost(jrpc_change *change, const jrpc_message *message, jrpc_answer *answer)
{
    jrpc_driver_memory *memory = &change->driver->memory;
    memory->refused = memory->refused || is_broken(answer, message);
    return answer->kind != JRPC_ANSWER_BROKEN &&
           !(memory->refused &&
             (answer->kind == JRPC_ANSWER_TIMED_OUT || answer->kind == JRPC_ANSWER_MISSING));
}

static bool missing_lost(jrpc_change *change, const jrpc_message *message, jrpc_answer *answer)
{
    jrpc_driver_memory *memory = &change->driver->memory;
    (void)message;
    memory->refused = memory->refused || answer->kind == JRPC_ANSWER_MISSING;
    return answer->kind != JRPC_ANSWER_MISSING &&
           !(memory->refused && answer->kind == JRPC_ANSWER_TIMED_OUT);
}

// --- What is reported of a batch --------------------------------------------------------------

static void first_for_all(jrpc_change *change, const jrpc_outcome_line *line, jrpc_buffer *members)
{
    if (!line->batch || line->count < 2) {
        return;
    }
    jrpc_slice first = {NULL, 0};
    jrpc_buffer out = jrpc_change_buffer(change);
    for (size_t i = 0; i < line->count; i++) {
        jrpc_slice part = jrpc_buffer_slice(&line->parts[i].members);
        first = first.len == 0 ? part : first;
        jrpc_buffer_append_str(&out, i == 0 ? "\"list\":[" : ",");
        jrpc_buffer_append_str(&out, part.len > 0 ? "{" : "null");
        jrpc_buffer_append(&out, part.len > 0 ? first : part);
        jrpc_buffer_append_str(&out, part.len > 0 ? "}" : "");
    }
    jrpc_buffer_clear(members);
    jrpc_buffer_append(members, jrpc_buffer_slice(&out));
    jrpc_buffer_append_char(members, ']');
}

static bool any_part_begins(const jrpc_outcome_line *line, const char *with)
{
    for (size_t i = 0; i < line->count; i++) {
        if (jrpc_slice_starts_with(jrpc_buffer_slice(&line->parts[i].members),
                                   jrpc_slice_str(with))) {
            return true;
        }
    }
    return false;
}

// One call of a batch that ends so ends the whole batch.
static void fail_all(jrpc_change *change, const jrpc_outcome_line *line, jrpc_buffer *members)
{
    if (line->batch && any_part_begins(line, change->fault->spelling)) {
        jrpc_buffer_clear(members);
        jrpc_outcome_failed(members, "the batch failed");
    }
}

static void errors_left_out(jrpc_change *change, const jrpc_outcome_line *line,
                            jrpc_buffer *members)
{
    (void)change;
    if (!line->batch || !any_part_begins(line, "\"error\"")) {
        return;
    }
    jrpc_buffer_clear(members);
    bool first = true;
    for (size_t i = 0; i < line->count; i++) {
        jrpc_slice part = jrpc_buffer_slice(&line->parts[i].members);
        if (!jrpc_slice_starts_with(part, JRPC_SLICE("\"error\""))) {
            jrpc_buffer_append_str(members, first ? "\"list\":[" : ",");
            jrpc_buffer_append_str(members, part.len > 0 ? "{" : "null");
            jrpc_buffer_append(members, part);
            jrpc_buffer_append_str(members, part.len > 0 ? "}" : "");
            first = false;
        }
    }
    jrpc_buffer_append_str(members, first ? "\"list\":[]" : "]");
}

// --- Reporting twice, and not at all ----------------------------------------------------------

static void note_told(jrpc_change *change, const jrpc_outcome_line *line, jrpc_buffer *members)
{
    (void)members;
    change->driver->memory.told = line->tag;
}

// The answer to a call that is over is reported as well.
static void report_again(jrpc_change *change, jrpc_stray_kind kind, jrpc_slice text)
{
    jrpc_json result = jrpc_json_get(jrpc_change_json(change, text), "result");
    if (kind == JRPC_STRAY_OVER && jrpc_json_exists(result)) {
        jrpc_buffer out = jrpc_change_buffer(change);
        jrpc_buffer_append_str(&out, "\"result\":");
        jrpc_buffer_append(&out, jrpc_json_spelling(result));
        jrpc_driver_report(change->driver, change->driver->memory.told, jrpc_buffer_slice(&out));
    }
}

static bool note_notification(jrpc_change *change, jrpc_command *command)
{
    if (command->kind == JRPC_COMMAND_NOTIFY) {
        change->driver->memory.notify = command->tag;
    }
    return true;
}

static void fail_notification(jrpc_change *change, const jrpc_outcome_line *line,
                              jrpc_buffer *members)
{
    if (line->tag == change->driver->memory.notify) {
        jrpc_buffer_clear(members);
        jrpc_outcome_failed(members, "no answer came");
    }
}

static bool never_close(jrpc_change *change, jrpc_command *command)
{
    (void)change;
    return command->kind != JRPC_COMMAND_CLOSE;
}

static const jrpc_client_fault rows[] = {
    {JRPC_CLIENT_ROW("both-as-result", "CLR-3",
                     "of a Response with result and error the result is taken"),
     .answer = both_as_result},
    {JRPC_CLIENT_ROW("neither-as-null", "CLR-3",
                     "a Response with neither result nor error gives null"),
     .answer = neither_as_null},
    {JRPC_CLIENT_ROW("any-version", "CLR-3", "a Response is taken whatever its jsonrpc is"),
     .answer = any_version},
    {JRPC_CLIENT_ROW("null-id-error-lost", "CLR-4",
                     "after an error with id null the call never ends"),
     .answer = refusal_lost},
    {JRPC_CLIENT_ROW("broken-answer-lost", "CLR-4",
                     "after an answer that breaks section 5 the call never ends"),
     .answer = broken_lost},
    {JRPC_CLIENT_ROW("batch-missing-lost", "CLR-4",
                     "a call that the answer to its batch leaves out never ends"),
     .answer = missing_lost},
    {JRPC_CLIENT_ROW("timeout-never", "CLR-5", "calls never time out"), .answer = jrpc_row_lost,
     .ends = JRPC_ANSWER_TIMED_OUT},
    {JRPC_CLIENT_ROW("timeout-held-off", "CLR-5",
                     "a call does not time out after a message has come while it was under way"),
     .request = begin_unheld, .incoming = note_message, .answer = held_off},
    {JRPC_CLIENT_ROW("closed-never", "CLR-6", "calls under way never end when the connection does"),
     .answer = jrpc_row_lost, .ends = JRPC_ANSWER_CLOSED},
    {JRPC_CLIENT_ROW("batch-first-for-all", "CL-d",
                     "every call of a batch gets what the first one gets"),
     .settled = first_for_all},
    {JRPC_CLIENT_ROW("batch-error-fails-all", "CL-14", "one error in a batch fails all of it"),
     .settled = fail_all, .spelling = "\"error\""},
    {JRPC_CLIENT_ROW("batch-missing-fails-all", "CL-14",
                     "one call that the answer leaves out fails the whole batch"),
     .settled = fail_all, .spelling = "\"failed\""},
    {JRPC_CLIENT_ROW("batch-errors-left-out", "CL-14", "errors are left out of a batch's outcome"),
     .settled = errors_left_out},
    {JRPC_CLIENT_ROW("second-answer-told", "CLR-7", "a second answer is told as well"),
     .settled = note_told, .stray = report_again},
    {JRPC_CLIENT_ROW("notification-failed", "CLR-11",
                     "a notification fails, since nothing answers it"),
     .command = note_notification, .settled = fail_notification},
    {JRPC_CLIENT_ROW("close-hangs", "CLR-8", "closing never ends"), .command = never_close},
};

const jrpc_client_fault_table jrpc_client_faults_answer = JRPC_CLIENT_FAULT_TABLE(rows);
