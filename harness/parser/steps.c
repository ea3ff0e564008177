#include "harness/parser/steps.h"

#include "harness/parser/growth.h"
#include "harness/parser/protocol.h"

#define CASE_BYTES ((size_t)1 << 30)

// The steps of one case, sent one after the other until one of them fails.
typedef struct stepping {
    jck_parser_exchange *exchanges;
    size_t at;    // how many have been sent
    size_t first; // the first of those that are being asked
    size_t count;
    int64_t most_us;   // how long an answer may take, as far as can be predicted
    jrpc_arena *arena; // keeps the replies
    bool again;        // keep the shorter of two times, and the memory of the first
} stepping;

static int64_t smaller(int64_t before, int64_t now)
{
    return before >= 0 && before < now ? before : now;
}

// Whether the next text is not to be sent.
static bool is_over(const stepping *steps)
{
    return steps->at == steps->count || jck_reply_fails(&steps->exchanges[steps->at - 1].reply) ||
           jck_growth_can_stop(steps->exchanges, steps->at, steps->exchanges[steps->at].text.len,
                               steps->most_us);
}

static bool take_step(void *context, size_t index, const jck_reply *reply)
{
    stepping *steps = context;
    jck_parser_exchange *exchange = &steps->exchanges[steps->first + index];
    int64_t before_us = exchange->reply.cpu_us;
    int64_t before = exchange->reply.memory;
    steps->at = steps->first + index + 1;
    bool kept = jck_reply_keep(steps->arena, reply, &exchange->reply);
    if (steps->again) {
        exchange->reply.cpu_us = smaller(before_us, exchange->reply.cpu_us);
        exchange->reply.memory = before; // the process still keeps the memory of the first time
    }
    return kept && (steps->again ? !jck_reply_fails(reply) : !is_over(steps));
}

// Asks the texts from `first` on.
static bool ask_steps(jck_parser_run_state *self, stepping *steps, const jrpc_slice *texts,
                      size_t first)
{
    steps->first = first;
    const jck_questions questions = {.texts = texts + first,
                                     .count = steps->count - first,
                                     .alone = true,
                                     .take = take_step,
                                     .context = steps};
    jck_ask_status status = jck_adapter_ask(self->adapter, &questions, &self->error);
    return status == JCK_ASK_STOPPED || jck_parser_asked(self, status);
}

// How often all texts are run again at most if a time seems to grow, or nearly so.
#define ROUNDS_MAX 5
// Another round follows if this one made a time shorter by at least this fraction.
#define STILL_FALLING(before, now) ((now) < (before) - (before) / 10)

// Whether a round has made the time of one of the texts clearly shorter.
static bool is_falling(const stepping *steps, const int64_t *before_us)
{
    bool falling = false;
    for (size_t i = 0; i < steps->count; i++) {
        falling = falling || STILL_FALLING(before_us[i], steps->exchanges[i].reply.cpu_us);
    }
    return falling;
}

// Other work on the machine makes a time longer, never shorter. So all texts are run again, in
// turn, until no time gets clearly shorter, and the shortest time of each counts. If the time of a
// short text was too long, growth was hidden; if that of a long text was, there seemed to be some.
static bool measure_again(jck_parser_run_state *self, stepping *steps, const jrpc_slice *texts)
{
    const size_t reached = steps->at;
    const size_t all = steps->count;
    bool on = true;
    int64_t *before_us = jrpc_arena_array(steps->arena, reached + 1, sizeof *before_us);
    bool falling = before_us != NULL;
    steps->again = true;
    // A text that got no answer is not run again.
    steps->count = reached - jck_reply_fails(&steps->exchanges[reached - 1].reply);
    for (int round = 0;
         on && falling && round < ROUNDS_MAX && jck_growth_is_unsure(steps->exchanges, reached);
         round++) {
        for (size_t i = 0; i < steps->count; i++) {
            before_us[i] = steps->exchanges[i].reply.cpu_us;
        }
        on = ask_steps(self, steps, texts, 0);
        falling = is_falling(steps, before_us);
    }
    steps->at = reached;
    steps->count = all;
    steps->again = false;
    return on;
}

// Sends the texts. If that ended early only because a time was too long, the remaining texts
// follow.
static bool take_steps(jck_parser_run_state *self, stepping *steps, const jrpc_slice *texts)
{
    bool on = true;
    do {
        on = ask_steps(self, steps, texts, steps->at) && measure_again(self, steps, texts);
    } while (on && !is_over(steps));
    return on;
}

// The answer to one text by a process that has read nothing else but "[]".
static bool take_fresh(void *context, size_t index, const jck_reply *reply)
{
    jck_parser_exchange *exchange = context;
    if (index > 0 && !jck_reply_fails(reply)) {
        exchange->reply.memory = smaller(exchange->reply.memory, reply->memory);
    }
    return true;
}

// Memory that a process keeps for later use distorts what a text seems to take: the two longest
// texts are sent again, each on a process of its own, and the smaller figure counts.
static bool confirm_memory(jck_parser_run_state *self, const stepping *steps,
                           const jrpc_slice *texts)
{
    bool on = true;
    if (jck_growth_of_memory(steps->exchanges, steps->at, steps->arena) == NULL) {
        return true;
    }
    for (size_t i = steps->at - 2; i < steps->at && on; i++) {
        const jrpc_slice asked[] = {JRPC_SLICE("[]"), texts[i]};
        const jck_questions questions = {.texts = asked,
                                         .count = 2,
                                         .alone = true,
                                         .take = take_fresh,
                                         .context = &steps->exchanges[i]};
        jck_adapter_renew(self->adapter);
        on = jck_parser_asked(self, jck_adapter_ask(self->adapter, &questions, &self->error));
    }
    return on;
}

bool jck_parser_run_steps(jck_parser_run_state *self, const jck_case *test_case)
{
    jrpc_arena arena;
    size_t count = test_case->step_count;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), CASE_BYTES);
    jck_parser_exchange *exchanges = jrpc_arena_array(&arena, count, sizeof *exchanges);
    jrpc_slice *texts = jrpc_arena_array(&arena, count, sizeof *texts);
    bool on = exchanges != NULL && texts != NULL;
    for (size_t i = 0; i < count && on; i++) {
        jrpc_buffer_clear(&self->texts);
        on = jck_parser_expand(self, test_case, i) &&
             jrpc_arena_copy(&arena, jrpc_buffer_slice(&self->texts), &texts[i]);
        if (on) {
            exchanges[i] =
                (jck_parser_exchange){.text = texts[i], .reply = {.cpu_us = -1, .memory = -1}};
        }
    }
    jrpc_buffer_clear(&self->texts);
    stepping steps = {
        .exchanges = exchanges,
        .count = count,
        .most_us = self->options->timing.reply_ms * 1000 / 2,
        .arena = &arena,
    };
    on = on && take_steps(self, &steps, texts);
    on = on && confirm_memory(self, &steps, texts);
    if (arena.failed) {
        jck_ledger_starve(&self->ledger);
        on = false;
    }
    on = on && jck_parser_report(self, test_case, exchanges, steps.at);
    jrpc_arena_done(&arena);
    return on;
}
