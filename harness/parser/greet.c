#include "harness/parser/greet.h"

// Only the protocol counts here, not what the parser does with the texts: any answer is accepted.
static const jrpc_slice greetings[] = {
    JRPC_SLICE_INIT("[]"),
    JRPC_SLICE_INIT("{\"a\":[1,\"b\",true,null]}"),
    JRPC_SLICE_INIT("["),
    JRPC_SLICE_INIT("[1,2]"),
};
#define GREETINGS (sizeof greetings / sizeof *greetings)

typedef struct greeting {
    jck_greeting state;
    jrpc_error *error;
    bool each;
} greeting;

static void refuse_end(greeting *self, size_t index, const jck_reply *reply)
{
    jrpc_slice tail = reply->stderr_tail;
    while (tail.len > 0 && (tail.ptr[tail.len - 1] == '\n' || tail.ptr[tail.len - 1] == ' ')) {
        tail.len--;
    }
    size_t shown = tail.len < 300 ? tail.len : 300;
    (void)jrpc_error_set(self->error, JRPC_ERROR_CLOSED,
                         "the adapter ended with %s %d instead of answering the text %.*s%s%.*s",
                         reply->ending.kind == JRPC_END_SIGNALED ? "signal" : "status",
                         reply->ending.value, (int)greetings[index].len, greetings[index].ptr,
                         shown > 0 ? "; its standard error ends with: " : "", (int)shown,
                         tail.len > 0 ? tail.ptr + (tail.len - shown) : "");
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
        return false;
    case JCK_REPLY_RUBBISH:
        self->state = JCK_GREETING_UNOPENED;
        (void)jrpc_error_set(self->error, JRPC_ERROR_INVALID, "%s", reply->why);
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
