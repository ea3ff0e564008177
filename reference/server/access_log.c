#include "reference/server/access_log.h"

#include "reference/base/buffer.h"
#include "reference/base/clock.h"
#include "reference/base/limits.h"
#include "reference/base/utf8.h"
#include "reference/json/equal.h"
#include "reference/json/read.h"
#include "reference/json/write.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct jrpc_access_log {
    FILE *file;
    pthread_mutex_t lock;
};

// What all lines of one message share.
typedef struct entry {
    const jrpc_access *access;
    char time[32];
} entry;

jrpc_access_log *jrpc_access_log_open(const char *path, jrpc_error *error)
{
    jrpc_access_log *log = jrpc_allocate(jrpc_allocator_heap(), sizeof *log);
    if (log == NULL) {
        (void)jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory for the access log");
        return NULL;
    }
    log->file = strcmp(path, "-") == 0 ? stderr : fopen(path, "ae");
    int failure = log->file == NULL ? errno : pthread_mutex_init(&log->lock, NULL);
    if (failure != 0) {
        (void)jrpc_error_set_errno(error, failure, "cannot write the access log '%s'", path);
        if (log->file != NULL && log->file != stderr) {
            (void)fclose(log->file);
        }
        jrpc_deallocate(jrpc_allocator_heap(), log);
        return NULL;
    }
    return log;
}

void jrpc_access_log_close(jrpc_access_log *log)
{
    if (log != NULL) {
        if (log->file != stderr) {
            (void)fclose(log->file);
        }
        pthread_mutex_destroy(&log->lock);
        jrpc_deallocate(jrpc_allocator_heap(), log);
    }
}

// Text as a JSON string, U+FFFD for every byte that is not UTF-8.
static void put_text(jrpc_buffer *line, jrpc_slice text)
{
    jrpc_buffer valid;
    jrpc_buffer_init(&valid, jrpc_allocator_heap(), JRPC_LIMIT_DOCUMENT_BYTES);
    for (size_t at = 0; at < text.len;) {
        size_t len = jrpc_utf8_sequence(text.ptr + at, text.len - at, NULL);
        jrpc_buffer_append(&valid, len == 0 ? JRPC_SLICE("\xEF\xBF\xBD")
                                            : jrpc_slice_of(text.ptr + at, len));
        at += len == 0 ? 1 : len;
    }
    (void)jrpc_json_quote(line, jrpc_buffer_slice(&valid));
    line->failed = line->failed || valid.failed;
    jrpc_buffer_done(&valid);
}

static void put_member(jrpc_buffer *line, const char *name, jrpc_json value)
{
    if (jrpc_json_exists(value)) {
        jrpc_buffer_printf(line, ",\"%s\":", name);
        (void)jrpc_json_compact(line, value);
    }
}

static void write_line(jrpc_access_log *log, const entry *shared, jrpc_json message,
                       jrpc_slice text, jrpc_slice answer)
{
    jrpc_buffer line;
    jrpc_buffer_init(&line, jrpc_allocator_heap(), SIZE_MAX / 2);
    jrpc_buffer_printf(&line, "{\"time\":\"%s\",\"transport\":\"%s\",\"connection\":%lu",
                       shared->time, shared->access->transport, shared->access->connection);
    put_member(&line, "method", jrpc_json_get(message, "method"));
    put_member(&line, "id", jrpc_json_get(message, "id"));
    jrpc_buffer_append_str(&line, ",\"request\":");
    put_text(&line, text);
    jrpc_buffer_append_str(&line, ",\"response\":");
    if (answer.len == 0) {
        jrpc_buffer_append_str(&line, "null");
    } else {
        put_text(&line, answer);
    }
    jrpc_buffer_printf(&line, ",\"latency_us\":%lld%s}\n", (long long)shared->access->latency_us,
                       shared->access->lost && answer.len > 0 ? ",\"lost\":true" : "");
    if (!line.failed) {
        pthread_mutex_lock(&log->lock);
        (void)fwrite(line.ptr, 1, line.len, log->file);
        (void)fflush(log->file);
        pthread_mutex_unlock(&log->lock);
    }
    jrpc_buffer_done(&line);
}

// The Response of a batch answer that carries the id of one of its calls.
static jrpc_slice answer_to(jrpc_json message, jrpc_json answers)
{
    jrpc_json id = jrpc_json_get(message, "id");
    for (jrpc_json_iterator it = jrpc_json_iterate(answers);
         jrpc_json_exists(id) && jrpc_json_step(&it);) {
        if (jrpc_json_equal(jrpc_json_get(it.value, "id"), id)) {
            return jrpc_json_spelling(it.value);
        }
    }
    return (jrpc_slice){NULL, 0};
}

void jrpc_access_log_write(jrpc_access_log *log, const jrpc_access *access, jrpc_slice message,
                           jrpc_slice answer)
{
    entry shared = {.access = access};
    jrpc_clock_rfc3339(shared.time);
    jrpc_json_document sent;
    jrpc_json_document got;
    jrpc_json_document_init(&sent, jrpc_allocator_heap());
    jrpc_json_document_init(&got, jrpc_allocator_heap());
    bool read = jrpc_json_read(&sent, message, JRPC_LIMIT_DEPTH, NULL);
    jrpc_json root = read ? jrpc_json_root(&sent) : JRPC_JSON_ABSENT;
    bool answered = answer.len > 0 && jrpc_json_read(&got, answer, JRPC_LIMIT_DEPTH, NULL);
    if (jrpc_json_is(root, JRPC_JSON_ARRAY) && jrpc_json_count(root) > 0) {
        jrpc_json answers = answered ? jrpc_json_root(&got) : JRPC_JSON_ABSENT;
        for (jrpc_json_iterator it = jrpc_json_iterate(root); jrpc_json_step(&it);) {
            write_line(log, &shared, it.value, jrpc_json_spelling(it.value),
                       answer_to(it.value, answers));
        }
    } else {
        write_line(log, &shared, root, message, answer);
    }
    jrpc_json_document_done(&sent);
    jrpc_json_document_done(&got);
}
