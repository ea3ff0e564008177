#include "reference/driver/outcome.h"

#include "reference/base/limits.h"
#include "reference/driver/driver.h"
#include "reference/driver/fault.h"
#include "reference/json/write.h"

jrpc_outcome_line *jrpc_outcome_new(jrpc_driver *driver, int64_t tag, bool batch, size_t count,
                                    size_t calls)
{
    size_t room = sizeof(jrpc_outcome_line) + count * sizeof(jrpc_outcome_part);
    jrpc_outcome_line *line = jrpc_allocate(driver->allocator, room);
    if (line == NULL) {
        return NULL;
    }
    *line = (jrpc_outcome_line){.driver = driver,
                                .next = driver->lines,
                                .link = &driver->lines,
                                .tag = tag,
                                .batch = batch,
                                .count = count,
                                .left = calls};
    for (size_t i = 0; i < count; i++) {
        line->parts[i] = (jrpc_outcome_part){.line = line, .index = i};
        jrpc_buffer_init(&line->parts[i].members, driver->allocator, JRPC_LIMIT_DOCUMENT_BYTES);
    }
    if (line->next != NULL) {
        line->next->link = &line->next;
    }
    driver->lines = line;
    return line;
}

void jrpc_outcome_drop(jrpc_outcome_line *line)
{
    *line->link = line->next;
    if (line->next != NULL) {
        line->next->link = line->link;
    }
    for (size_t i = 0; i < line->count; i++) {
        jrpc_buffer_done(&line->parts[i].members);
    }
    jrpc_deallocate(line->driver->allocator, line);
}

void jrpc_outcome_failed(jrpc_buffer *out, const char *why)
{
    jrpc_buffer_append_str(out, "\"failed\":");
    (void)jrpc_json_quote(out, jrpc_slice_str(why));
}

void jrpc_outcome_members(jrpc_buffer *out, const jrpc_answer *answer)
{
    switch (answer->kind) {
    case JRPC_ANSWER_RESULT:
        jrpc_buffer_append_str(out, "\"result\":");
        (void)jrpc_json_compact(out, answer->value);
        break;
    case JRPC_ANSWER_ERROR:
    case JRPC_ANSWER_REFUSED:
        jrpc_buffer_append_str(out, "\"error\":");
        (void)jrpc_json_compact(out, answer->value);
        break;
    case JRPC_ANSWER_BROKEN:
    case JRPC_ANSWER_MISSING:
    case JRPC_ANSWER_TIMED_OUT:
    case JRPC_ANSWER_CANCELLED:
    case JRPC_ANSWER_CLOSED:
        jrpc_outcome_failed(out, answer->why);
        break;
    }
}

void jrpc_outcome_settle(jrpc_outcome_line *line)
{
    if (line->left > 0) {
        return;
    }
    jrpc_buffer members;
    jrpc_buffer_init(&members, line->driver->allocator, JRPC_LIMIT_DOCUMENT_BYTES);
    if (line->batch) {
        jrpc_buffer_append_str(&members, "\"list\":[");
        for (size_t i = 0; i < line->count; i++) {
            jrpc_slice part = jrpc_buffer_slice(&line->parts[i].members);
            jrpc_buffer_append_str(&members, i > 0 ? "," : "");
            jrpc_buffer_append_str(&members, part.len > 0 ? "{" : "null");
            jrpc_buffer_append(&members, part);
            jrpc_buffer_append_str(&members, part.len > 0 ? "}" : "");
        }
        jrpc_buffer_append_char(&members, ']');
    } else {
        jrpc_buffer_append(&members, jrpc_buffer_slice(&line->parts[0].members));
    }
    jrpc_client_fault_settled(line, &members);
    jrpc_driver_report(line->driver, line->tag, jrpc_buffer_slice(&members));
    jrpc_buffer_done(&members);
    jrpc_outcome_drop(line);
}

void jrpc_outcome_answered(void *context, const jrpc_answer *answer)
{
    jrpc_outcome_part *part = context;
    jrpc_outcome_members(&part->members, answer);
    part->line->left--;
    jrpc_outcome_settle(part->line);
}
