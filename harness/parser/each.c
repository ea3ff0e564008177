#include "harness/parser/each.h"

#include "harness/parser/patience.h"
#include "reference/base/buffer.h"
#include "reference/base/file.h"
#include "reference/base/limits.h"
#include "reference/net/descriptor.h"
#include "reference/net/process.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define REFUSED_MAX 123
#define WORDS_MAX 256
#define PATH_BYTES 256

typedef struct each {
    const jck_adapter_options *options;
    char *argv[WORDS_MAX + 1];
    char path[PATH_BYTES]; // of the file, if the command has a {}
    bool by_file;
    jrpc_buffer tail;
    jrpc_error *error;
} each;

static bool prepare(each *self)
{
    size_t count = 0;
    for (; self->options->argv[count] != NULL; count++) {
        if (count == WORDS_MAX) {
            return jrpc_error_set(self->error, JRPC_ERROR_USAGE,
                                  "the command has more than %d words", WORDS_MAX);
        }
        bool file = strcmp(self->options->argv[count], "{}") == 0;
        self->by_file = self->by_file || file;
        self->argv[count] = file ? self->path : self->options->argv[count];
    }
    return true;
}

static bool write_file(each *self, jrpc_slice text)
{
    jrpc_file_temporary(self->path, sizeof self->path);
    int file = mkstemp(self->path);
    if (file < 0) {
        return jrpc_error_set_errno(self->error, errno, "cannot make a file for a text");
    }
    size_t done = 0;
    while (done < text.len) {
        ssize_t written = write(file, text.ptr + done, text.len - done);
        if (written < 0 && errno != EINTR) {
            (void)jrpc_error_set_errno(self->error, errno, "cannot write a text to a file");
            (void)close(file);
            return false;
        }
        done += written > 0 ? (size_t)written : 0;
    }
    (void)close(file);
    return true;
}

// Writes the text and discards the output until the program has closed it. False if the deadline
// passed or the run is interrupted.
static bool talk(each *self, jrpc_process *process, jrpc_slice text, jck_patience *patience,
                 bool *ret_interrupted)
{
    const jrpc_clock *clock = self->options->clock;
    char dropped[16384];
    size_t done = 0;
    if (text.len == 0) {
        jrpc_process_close_stdin(process);
    }
    for (;;) {
        struct pollfd entries[3] = {
            {.fd = jrpc_process_stdout(process), .events = POLLIN},
            {.fd = self->options->interrupt_fd, .events = POLLIN},
            {.fd = jrpc_process_stdin(process), .events = POLLOUT},
        };
        int ready = jrpc_descriptor_poll(entries, 3, clock, patience->next_us);
        *ret_interrupted = ready > 0 && entries[1].revents != 0;
        bool over = ready < 0 || *ret_interrupted ||
                    (ready == 0 && jck_patience_ends(patience, (pid_t)jrpc_process_pid(process),
                                                     jrpc_clock_now_us(clock)));
        if (over) {
            return false;
        }
        if (ready == 0) {
            continue;
        }
        if (entries[2].revents != 0) {
            ssize_t written = write(jrpc_process_stdin(process), text.ptr + done, text.len - done);
            bool gone = written < 0 && errno != EAGAIN && errno != EINTR;
            done += written > 0 ? (size_t)written : 0;
            if (gone || done == text.len) {
                jrpc_process_close_stdin(process);
            }
        }
        if (entries[0].revents != 0) {
            ssize_t got = read(jrpc_process_stdout(process), dropped, sizeof dropped);
            if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) {
                return true;
            }
        }
    }
}

static void conclude(each *self, jrpc_process *process, bool heard, int64_t deadline_us,
                     jck_reply *reply)
{
    int value = 0;
    jrpc_process_state state =
        heard ? jrpc_process_wait(process, self->options->clock, deadline_us, &value)
              : JRPC_PROCESS_RUNNING;
    if (state == JRPC_PROCESS_RUNNING) {
        reply->kind = JCK_REPLY_HUNG;
    } else if (state == JRPC_PROCESS_EXITED && value == 0) {
        reply->kind = JCK_REPLY_TAKEN;
    } else if (state == JRPC_PROCESS_EXITED && value <= REFUSED_MAX) {
        reply->kind = JCK_REPLY_REFUSED;
    } else {
        reply->kind = JCK_REPLY_CRASHED;
        reply->ending.kind = state == JRPC_PROCESS_EXITED ? JRPC_END_EXITED : JRPC_END_SIGNALED;
        reply->ending.value = value;
    }
    jrpc_buffer_clear(&self->tail);
    jrpc_process_stderr_tail(process, &self->tail);
    reply->stderr_tail = jrpc_buffer_slice(&self->tail);
}

static jck_ask_status ask_one(each *self, jrpc_slice text, jck_reply *reply)
{
    const jrpc_clock *clock = self->options->clock;
    const jrpc_process_options how = {
        .argv = self->argv,
        .directory = self->options->directory,
        .environment = self->options->environment,
        .memory = self->options->memory,
        .talk = true,
    };
    int64_t began_us = jrpc_clock_now_us(clock);
    if (self->by_file && !write_file(self, text)) {
        return JCK_ASK_FAULT;
    }
    jrpc_process *process = jrpc_process_start(&how, self->error);
    if (process == NULL) {
        return JCK_ASK_UNOPENED;
    }
    jck_patience patience;
    jck_patience_begin(&patience, began_us, self->options->reply_ms * 1000);
    bool interrupted = false;
    bool heard =
        talk(self, process, self->by_file ? (jrpc_slice){NULL, 0} : text, &patience, &interrupted);
    if (!interrupted) {
        // Its output has ended, so the process should end soon too.
        conclude(self, process, heard, jrpc_clock_now_us(clock) + patience.full_us, reply);
        reply->cpu_us = jrpc_os_cpu_of_group((pid_t)jrpc_process_pid(process));
    }
    jrpc_process_free(process, 0);
    reply->took_us = jrpc_clock_now_us(clock) - began_us;
    return interrupted ? JCK_ASK_INTERRUPTED : JCK_ASK_DONE;
}

jck_ask_status jck_each_ask(const jck_adapter_options *options, const jck_questions *questions,
                            jrpc_error *error)
{
    each self = {.options = options, .error = error};
    if (!prepare(&self)) {
        return JCK_ASK_UNOPENED;
    }
    jrpc_buffer_init(&self.tail, jrpc_allocator_heap(), JRPC_LIMIT_STDERR_TAIL_BYTES);
    jck_ask_status status = JCK_ASK_DONE;
    for (size_t i = 0; i < questions->count && status == JCK_ASK_DONE; i++) {
        jck_reply reply = {.cpu_us = -1, .memory = -1};
        status = ask_one(&self, questions->texts[i], &reply);
        if (self.by_file) {
            (void)unlink(self.path);
        }
        if (status == JCK_ASK_DONE && !questions->take(questions->context, i, &reply)) {
            status = JCK_ASK_STOPPED;
        }
    }
    jrpc_buffer_done(&self.tail);
    return status;
}
