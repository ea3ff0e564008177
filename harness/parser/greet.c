#include "harness/parser/greet.h"

#include "harness/evidence/evidence.h"
#include "reference/base/arena.h"

// Only the protocol counts here, not what the parser does with the texts: any answer is accepted.
static const jrpc_slice greetings[] = {
    JRPC_SLICE_INIT("[]"),
    JRPC_SLICE_INIT("{\"a\":[1,\"b\",true,null]}"),
    JRPC_SLICE_INIT("["),
    JRPC_SLICE_INIT("[1,2]"),
};
// How many bytes of output that is not a frame are quoted.
#define WROTE_SHOWN 60
#define ARENA_BYTES 4096
#define GREETINGS (sizeof greetings / sizeof *greetings)

typedef struct greeting {
    jck_greeting state;
    jrpc_error *error;
    bool each;
} greeting;

// Adds what the adapter wrote last: most often that is the reason.
static void add_output(const greeting *self, const jck_reply *reply)
{
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), ARENA_BYTES);
    if (reply->wrote.len > 0) {
        (void)jrpc_error_append(self->error, "; it wrote: %s",
                                jck_excerpt(&arena, reply->wrote, WROTE_SHOWN));
    }
    const char *words = jck_quote_last_words(&arena, reply->stderr_tail);
    if (words[0] != '\0') {
        (void)jrpc_error_append(self->error, "; its last output: %s", words);
    }
    jrpc_arena_done(&arena);
}

static void refuse_end(const greeting *self, size_t index, const jck_reply *reply)
{
    (void)jrpc_error_set(self->error, JRPC_ERROR_CLOSED,
                         "the adapter ended with %s %d instead of answering the text %.*s",
                         reply->ending.kind == JRPC_END_SIGNALED ? "signal" : "status",
                         reply->ending.value, (int)greetings[index].len, greetings[index].ptr);
    add_output(self, reply);
}

static bool take(void *context, size_t index, const jck_reply *reply)
{
    greeting *self = context;
    switch (reply->kind) {
    case JCK_REPLY_ACCEPTED:
    case JCK_REPLY_TAKEN:
    case JCK_REPLY_REFUSED:
        return true;
    case JCK_REPLY_CRASHED:
        self->state = JCK_GREETING_UNOPENED;
        refuse_end(self, index, reply);
        return false;
    case JCK_REPLY_HUNG:
        self->state = JCK_GREETING_MUTE;
        (void)jrpc_error_set(
            self->error, JRPC_ERROR_TIMEOUT,
            self->each ? "the program did not end within %lld ms after the text %.*s"
                       : "the adapter did not answer within %lld ms (text: %.*s); it must write "
                         "one frame for each text, even for one that it refuses, and flush it",
            (long long)(reply->took_us / 1000), (int)greetings[index].len, greetings[index].ptr);
        add_output(self, reply);
        return false;
    case JCK_REPLY_RUBBISH:
        self->state = JCK_GREETING_UNOPENED;
        (void)jrpc_error_set(self->error, JRPC_ERROR_INVALID, "%s", reply->why);
        add_output(self, reply);
        return false;
    }
    return false;
}

jck_greeting jck_parser_greet(jck_adapter *adapter, bool each, jrpc_error *error)
{
    greeting self = {.error = error, .each = each};
    const jck_questions questions = {
        .texts = greetings, .count = GREETINGS, .take = take, .context = &self};
    switch (jck_adapter_ask(adapter, &questions, error)) {
    case JCK_ASK_DONE:
    case JCK_ASK_STOPPED:
        break;
    case JCK_ASK_UNOPENED:
        return JCK_GREETING_UNOPENED;
    case JCK_ASK_INTERRUPTED:
        return JCK_GREETING_INTERRUPTED;
    case JCK_ASK_FAULT:
        return JCK_GREETING_FAULT;
    }
    if (self.state != JCK_GREETING_FINE) {
        return self.state;
    }
    return jck_adapter_finish(adapter, error) ? JCK_GREETING_FINE : JCK_GREETING_UNOPENED;
}
