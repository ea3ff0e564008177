#include "harness/link/spent.h"

const char *jck_spent_kind_name(jck_spent_kind kind)
{
    static const char *const names[] = {"work",   "opening", "answers", "silence",
                                        "fences", "mute",    "closing", "others"};
    return names[kind];
}

const char *jck_spent_on_name(jck_spent_on on)
{
    static const char *const names[] = {"cases", "confirming", "searching"};
    return names[on];
}

// Counts the time until now.
static void book(jck_spent *spent, const jrpc_clock *clock, jck_spent_kind kind)
{
    int64_t now_us = jrpc_clock_now_us(clock);
    if (spent->since_us > 0) {
        spent->us[spent->on][kind] += now_us - spent->since_us;
    }
    spent->since_us = now_us;
}

jck_spent_kind jck_spent_begin(jck_spent *spent, const jrpc_clock *clock, jck_spent_kind kind)
{
    jck_spent_kind before = spent->kind;
    book(spent, clock, before);
    spent->kind = kind;
    return before;
}

jck_spent_on jck_spent_turn_to(jck_spent *spent, const jrpc_clock *clock, jck_spent_on on)
{
    jck_spent_on before = spent->on;
    book(spent, clock, spent->kind);
    spent->on = on;
    return before;
}

jck_spent_kind jck_spent_listen(jck_spent *spent, const jrpc_clock *clock)
{
    bool named = spent->kind == JCK_SPENT_OPENING || spent->kind == JCK_SPENT_FENCES;
    return jck_spent_begin(spent, clock, named ? spent->kind : JCK_SPENT_ANSWERS);
}

void jck_spent_heard(jck_spent *spent, const jrpc_clock *clock, jck_spent_kind before, bool in_vain)
{
    jck_spent_kind kind = spent->kind;
    if (in_vain && kind == JCK_SPENT_ANSWERS) {
        kind = JCK_SPENT_SILENCE;
    } else if (in_vain && kind == JCK_SPENT_FENCES) {
        kind = JCK_SPENT_MUTE;
    }
    book(spent, clock, kind);
    spent->kind = before;
}

void jck_spent_add(jck_spent *sum, const jck_spent *spent)
{
    for (int on = 0; on < JCK_SPENT_ON_COUNT; on++) {
        for (int kind = 0; kind < JCK_SPENT_KIND_COUNT; kind++) {
            sum->us[on][kind] += spent->us[on][kind];
        }
    }
}

int64_t jck_spent_all(const jck_spent *spent, jck_spent_kind kind)
{
    int64_t us = 0;
    for (int on = 0; on < JCK_SPENT_ON_COUNT; on++) {
        us += spent->us[on][kind];
    }
    return us;
}
