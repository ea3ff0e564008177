#include "harness/parser/adapter_process.h"

#include "harness/parser/patience.h"
#include "harness/parser/protocol.h"
#include "reference/base/limits.h"
#include "reference/net/descriptor.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

// Texts, and bytes of them, that may be in flight at once.
#define WINDOW 512
#define WINDOW_BYTES ((size_t)256 << 10)
#define READ_BYTES ((size_t)64 << 10)
#define OUTPUT_BYTES (JRPC_LIMIT_DOCUMENT_BYTES + ((size_t)1 << 20))
#define IDENTITY_BYTES ((size_t)4 << 10)
#define LENGTH_BYTES 4
// Four characters of text, read as the length of a frame, give at least this number.
#define LEAST_TEXT_AS_LENGTH ((size_t)1 << 24)
// How many bytes of output that is not a frame are kept.
#define WROTE_KEPT ((size_t)256)
// A parser that keeps hanging does not get the full time again each time.
#define PATIENT_HANGS 3
#define LEAST_PATIENCE_US 250000

void jck_adapter_process_init(jck_adapter_process *self, const jck_adapter_options *options)
{
    *self = (jck_adapter_process){.options = options};
    const jrpc_allocator *heap = jrpc_allocator_heap();
    jrpc_decoder_init(&self->decoder, JRPC_FRAMING_LENGTH32, JRPC_LIMIT_DOCUMENT_BYTES, heap);
    jrpc_buffer_init(&self->output, heap, OUTPUT_BYTES);
    jrpc_buffer_init(&self->identity, heap, IDENTITY_BYTES);
    jrpc_buffer_init(&self->wrote, heap, WROTE_KEPT);
    jrpc_buffer_init(&self->tail, heap, JRPC_LIMIT_STDERR_TAIL_BYTES);
}

static void end_process(jck_adapter_process *self, int64_t grace_ms)
{
    jrpc_process_free(self->process, grace_ms);
    self->process = NULL;
    jrpc_decoder_done(&self->decoder);
    jrpc_decoder_init(&self->decoder, JRPC_FRAMING_LENGTH32, JRPC_LIMIT_DOCUMENT_BYTES,
                      jrpc_allocator_heap());
    jrpc_buffer_clear(&self->output);
}

void jck_adapter_process_end(jck_adapter_process *self)
{
    end_process(self, self->options->grace_ms);
}

void jck_adapter_process_done(jck_adapter_process *self)
{
    jck_adapter_process_end(self);
    jrpc_decoder_done(&self->decoder);
    jrpc_buffer_done(&self->output);
    jrpc_buffer_done(&self->identity);
    jrpc_buffer_done(&self->wrote);
    jrpc_buffer_done(&self->tail);
}

static bool start(jck_adapter_process *self, jrpc_error *error)
{
    const jrpc_process_options options = {
        .argv = self->options->argv,
        .directory = self->options->directory,
        .environment = self->options->environment,
        .memory = self->options->memory,
        .talk = true,
    };
    self->process = jrpc_process_start(&options, error);
    self->answered = false;
    self->unwritable = false;
    self->asked = 0;
    self->starts += self->process != NULL ? 1 : 0;
    return self->process != NULL;
}

// How long the next answer may take.
static int64_t patience_us(const jck_adapter_process *self)
{
    int64_t full_us = self->options->reply_ms * 1000;
    if (self->hangs >= PATIENT_HANGS) {
        int64_t known_us = LEAST_PATIENCE_US + 20 * self->slowest_us;
        full_us = known_us < full_us ? known_us : full_us;
    }
    if (self->answered) {
        return full_us;
    }
    return self->slow_start_us > 0 ? full_us + 4 * self->slow_start_us
                                   : self->options->start_ms * 1000;
}

// The processor time of the process and of those that it started (it may be a script around the
// parser), in microseconds; -1 if unknown.
static int64_t cpu_us(const jck_adapter_process *self)
{
    return jrpc_os_cpu_of_group((pid_t)jrpc_process_pid(self->process));
}

// The resident memory of the process, after resetting its peak to that; -1 if unknown.
static int64_t memory_before(const jck_adapter_process *self)
{
    uint64_t resident = 0;
    uint64_t peak = 0;
    pid_t pid = (pid_t)jrpc_process_pid(self->process);
    bool known = jrpc_os_forget_peak(pid) && jrpc_os_memory_of(pid, &resident, &peak);
    return known ? (int64_t)resident : -1;
}

// The peak since then, beyond `before`.
static int64_t memory_since(const jck_adapter_process *self, int64_t before)
{
    uint64_t resident = 0;
    uint64_t peak = 0;
    pid_t pid = (pid_t)jrpc_process_pid(self->process);
    if (before < 0 || !jrpc_os_memory_of(pid, &resident, &peak)) {
        return -1;
    }
    return (int64_t)peak > before ? (int64_t)peak - before : 0;
}

// The state of a pass.
typedef struct passing {
    jck_adapter_process *self;
    jck_pass *pass;
    jrpc_error *error;
    size_t sent, answered;
    size_t bytes_under_way;
    jck_patience patience; // since the last progress
    int64_t turn_us;       // when the text that is answered next had its turn
    int64_t cpu_before_us;
    int64_t memory_before; // -1: unknown
    const char *why;       // how the protocol was broken; NULL: it was not
    bool stopped;
} passing;

static int64_t now_us(const passing *p)
{
    return jrpc_clock_now_us(p->self->options->clock);
}

// There was progress: the next answer gets its full time from now on.
static void note_progress(passing *p)
{
    jck_patience_begin(&p->patience, now_us(p), patience_us(p->self));
}

static bool may_send(const passing *p)
{
    size_t under_way = p->sent - p->answered;
    return p->sent < p->pass->count && !p->self->unwritable &&
           (under_way == 0 ||
            (!p->pass->one_by_one && under_way < WINDOW && p->bytes_under_way < WINDOW_BYTES));
}

static bool frame_texts(passing *p)
{
    while (may_send(p)) {
        jrpc_slice text = p->pass->texts[p->sent];
        if (p->sent == p->answered) {
            note_progress(p);
            p->turn_us = p->patience.since_us;
            p->cpu_before_us = p->pass->measure ? cpu_us(p->self) : -1;
            p->memory_before = p->pass->measure ? memory_before(p->self) : -1;
        }
        if (!jrpc_framing_encode(JRPC_FRAMING_LENGTH32, text, &p->self->output)) {
            return jrpc_error_set(p->error, JRPC_ERROR_MEMORY, "out of memory for a text");
        }
        p->sent++;
        p->bytes_under_way += text.len;
    }
    return true;
}

static void write_some(passing *p)
{
    jck_adapter_process *self = p->self;
    jrpc_slice left = jrpc_buffer_slice(&self->output);
    ssize_t written = write(jrpc_process_stdin(self->process), left.ptr, left.len);
    if (written > 0) {
        jrpc_buffer_consume(&self->output, (size_t)written);
        note_progress(p);
    } else if (written < 0 && errno != EAGAIN && errno != EINTR) {
        self->unwritable = true; // its remaining output is still read
        jrpc_buffer_clear(&self->output);
    }
}

static void note_identity(passing *p, jrpc_slice text)
{
    jck_adapter_process *self = p->self;
    if (self->answered) {
        p->why = "the adapter names itself ('I') after its first answer; it must come first";
        return;
    }
    if (self->identity.len == 0 && !jrpc_buffer_append(&self->identity, text)) {
        p->why = "the adapter's description of itself ('I') is longer than 4096 bytes";
    }
}

static void answer(passing *p, jck_reply *reply)
{
    jck_adapter_process *self = p->self;
    if (p->answered == p->sent) {
        p->why =
            "the adapter answers a text that it was not sent: it must send one frame for each text";
        return;
    }
    int64_t now = now_us(p);
    reply->took_us = now - p->turn_us;
    reply->memory = p->pass->measure ? memory_since(self, p->memory_before) : -1;
    if (p->pass->measure && p->cpu_before_us >= 0) {
        reply->cpu_us = cpu_us(self) - p->cpu_before_us;
    }
    if (self->answered) {
        self->slowest_us = reply->took_us > self->slowest_us ? reply->took_us : self->slowest_us;
    } else {
        self->slow_start_us =
            reply->took_us > self->slow_start_us ? reply->took_us : self->slow_start_us;
    }
    self->answered = true;
    self->asked++;
    p->turn_us = now;
    note_progress(p);
    p->bytes_under_way -= p->pass->texts[p->answered].len;
    p->answered++;
    p->stopped = !p->pass->take(p->pass->context, reply);
}

static const char oversize[] =
    "the adapter announces a frame of more bytes than a text may have; only frames may go to its "
    "standard output";

static void read_frames(passing *p)
{
    jrpc_slice frame;
    jrpc_error why = {0};
    while (p->why == NULL && !p->stopped) {
        switch (jrpc_decoder_next(&p->self->decoder, &frame, &why)) {
        case JRPC_DECODED_MORE:
            return;
        case JRPC_DECODED_BAD:
            p->why = oversize;
            return;
        case JRPC_DECODED_DONE:
            break;
        }
        jck_reply reply;
        switch (jck_protocol_read(frame, &reply)) {
        case JCK_FRAME_REPLY:
            answer(p, &reply);
            break;
        case JCK_FRAME_IDENTITY:
            note_identity(p, reply.text);
            break;
        case JCK_FRAME_BAD:
            p->why = reply.why;
            break;
        }
    }
}

// Reads what is available. False at the end of the stream, or with *error.
static bool read_some(passing *p)
{
    char bytes[READ_BYTES];
    ssize_t got = read(jrpc_process_stdout(p->self->process), bytes, sizeof bytes);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
        return true;
    }
    if (got <= 0) {
        return false;
    }
    if (!jrpc_decoder_feed(&p->self->decoder, jrpc_slice_of(bytes, (size_t)got), p->error)) {
        return false;
    }
    read_frames(p);
    return true;
}

// Keeps the beginning of the output that was not read as a frame. If it is text, its first four
// characters were read as a length; they belong to it.
static jrpc_slice keep_unframed_output(jck_adapter_process *self)
{
    jrpc_slice input = jrpc_buffer_slice(&self->decoder.input);
    size_t from = self->decoder.taken;
    bool is_text = self->decoder.body > LEAST_TEXT_AS_LENGTH && from >= LENGTH_BYTES;
    jrpc_slice left = jrpc_slice_from(input, is_text ? from - LENGTH_BYTES : from);
    left.len = left.len < WROTE_KEPT ? left.len : WROTE_KEPT;
    jrpc_buffer_clear(&self->wrote);
    (void)jrpc_buffer_append(&self->wrote, left);
    return jrpc_buffer_slice(&self->wrote);
}

static jck_pass_end fail(passing *p, jck_reply failure)
{
    jck_adapter_process *self = p->self;
    failure.cpu_us = failure.memory = -1;
    failure.took_us = now_us(p) - p->turn_us;
    p->pass->under_way = p->sent > p->answered ? p->sent - p->answered : 1;
    p->pass->asked_before = self->asked;
    jrpc_buffer_clear(&self->tail);
    jrpc_process_stderr_tail(self->process, &self->tail);
    failure.stderr_tail = jrpc_buffer_slice(&self->tail);
    if (failure.kind == JCK_REPLY_RUBBISH && (p->why == NULL || p->why == oversize)) {
        failure.wrote = keep_unframed_output(self);
    }
    self->hangs += failure.kind == JCK_REPLY_HUNG ? 1 : 0;
    // Nothing that a process does after its failure counts, so it gets no time to exit.
    end_process(self, 0);
    p->pass->failure = failure;
    return JCK_PASS_FAILED;
}

static jck_pass_end fail_ended(passing *p)
{
    jck_reply failure = {.kind = JCK_REPLY_CRASHED};
    const jrpc_clock *clock = p->self->options->clock;
    switch (jrpc_process_wait(p->self->process, clock,
                              jrpc_deadline_in_ms(clock, p->self->options->grace_ms),
                              &failure.ending.value)) {
    case JRPC_PROCESS_RUNNING:
        failure.ending.kind = JRPC_END_CLOSED;
        break;
    case JRPC_PROCESS_EXITED:
        failure.ending.kind = JRPC_END_EXITED;
        break;
    case JRPC_PROCESS_SIGNALED:
        failure.ending.kind = JRPC_END_SIGNALED;
        break;
    }
    return fail(p, failure);
}

static const char within_frame[] =
    "the adapter stopped in the middle of a frame; only frames (a length of four "
    "bytes, then that many bytes) may go to its standard output";

// Waits for the next event and handles it. DONE: go on.
static jck_pass_end turn(passing *p)
{
    jck_adapter_process *self = p->self;
    bool writing = self->output.len > 0;
    struct pollfd entries[3] = {
        {.fd = jrpc_process_stdout(self->process), .events = POLLIN},
        {.fd = self->options->interrupt_fd, .events = POLLIN},
        {.fd = writing ? jrpc_process_stdin(self->process) : -1, .events = POLLOUT},
    };
    int ready = jrpc_descriptor_poll(entries, 3, self->options->clock, p->patience.next_us);
    if (ready < 0) {
        (void)jrpc_error_set_errno(p->error, errno, "cannot wait for the adapter");
        return JCK_PASS_FAULT;
    }
    if (entries[1].revents != 0) {
        return JCK_PASS_INTERRUPTED;
    }
    if (ready == 0 &&
        !jck_patience_ends(&p->patience, (pid_t)jrpc_process_pid(self->process), now_us(p))) {
        return JCK_PASS_DONE;
    }
    if (ready == 0) {
        // A line of text read as a length announces more than will ever come.
        bool within = self->decoder.input.len > self->decoder.taken;
        return within ? fail(p, (jck_reply){.kind = JCK_REPLY_RUBBISH, .why = within_frame})
                      : fail(p, (jck_reply){.kind = JCK_REPLY_HUNG});
    }
    if (entries[2].revents != 0) {
        write_some(p);
    }
    if (entries[0].revents != 0 && !read_some(p)) {
        return p->error->code != JRPC_OK ? JCK_PASS_FAULT : fail_ended(p);
    }
    if (p->why != NULL) {
        return fail(p, (jck_reply){.kind = JCK_REPLY_RUBBISH, .why = p->why});
    }
    return p->stopped ? JCK_PASS_STOPPED : JCK_PASS_DONE;
}

jck_pass_end jck_adapter_process_pass(jck_adapter_process *self, jck_pass *pass, jrpc_error *error)
{
    passing p = {.self = self, .pass = pass, .error = error};
    if (self->process == NULL && !start(self, error)) {
        return JCK_PASS_UNOPENED;
    }
    note_progress(&p);
    p.turn_us = p.patience.since_us;
    while (p.answered < pass->count) {
        if (!frame_texts(&p)) {
            return JCK_PASS_FAULT;
        }
        jck_pass_end end = turn(&p);
        if (end != JCK_PASS_DONE) {
            return end;
        }
    }
    return JCK_PASS_DONE;
}

bool jck_adapter_process_finish(jck_adapter_process *self, jrpc_error *error)
{
    if (self->process == NULL) {
        return true;
    }
    // Wait for the end as for an answer in a pass without texts.
    jck_pass none = {0};
    passing p = {.self = self, .pass = &none, .error = error};
    note_progress(&p);
    p.turn_us = p.patience.since_us;
    jrpc_process_close_stdin(self->process);
    jck_pass_end end = JCK_PASS_DONE;
    while (end == JCK_PASS_DONE) {
        end = turn(&p);
    }
    if (end != JCK_PASS_FAILED) {
        end_process(self, self->options->grace_ms);
        return end != JCK_PASS_FAULT;
    }
    const jck_reply *failure = &none.failure;
    if (failure->kind == JCK_REPLY_RUBBISH) {
        return jrpc_error_set(error, JRPC_ERROR_INVALID, "%s", failure->why);
    }
    if (failure->kind == JCK_REPLY_HUNG) {
        return jrpc_error_set(error, JRPC_ERROR_TIMEOUT,
                              "the adapter does not end when its standard input does");
    }
    if (failure->ending.kind != JRPC_END_EXITED || failure->ending.value != 0) {
        return jrpc_error_set(error, JRPC_ERROR_CLOSED,
                              "the adapter ends with %s %d when its standard input does; "
                              "it must exit with 0",
                              failure->ending.kind == JRPC_END_SIGNALED ? "signal" : "status",
                              failure->ending.value);
    }
    return true;
}
