#include "harness/parser/judge.h"

#include "harness/evidence/evidence.h"
#include "harness/parser/growth.h"

#include <stdio.h>

// Bytes of a text or an answer that a sentence quotes.
#define QUOTED 60

typedef struct trial {
    const jck_bench *bench;
    const jck_case *test_case;
    jrpc_slice specification;
    jrpc_arena *arena;
    jck_findings *findings;
} trial;

static const char *quoted(jrpc_arena *arena, jrpc_slice bytes)
{
    return jck_excerpt(arena, bytes, QUOTED);
}

static const char *describe_process(const jck_reply *reply, jrpc_arena *arena)
{
    const char *text = NULL;
    switch (reply->ending.kind) {
    case JRPC_END_SIGNALED:
        text = jrpc_arena_printf(arena, "the parser crashed with signal %d", reply->ending.value);
        break;
    case JRPC_END_EXITED:
        text = jrpc_arena_printf(arena, "the parser's process ended with status %d",
                                 reply->ending.value);
        break;
    case JRPC_END_OPEN:
    case JRPC_END_CLOSED:
    case JRPC_END_RESET:
    case JRPC_END_WS_CLOSE:
        text = "the parser's process closed its output";
        break;
    }
    return text;
}

const char *jck_describe_deviation(const jck_weight *weight, const jck_loss *deviation,
                                   const jck_reply *reply, jrpc_arena *arena)
{
    const char *text = NULL;
    switch (deviation->class) {
    case JCK_CLASS_NONE:
        text = "nothing";
        break;
    case JCK_CLASS_REFUSES_JSON:
    case JCK_CLASS_REFUSES_DEPTH:
    case JCK_CLASS_REFUSES_NUMBER:
    case JCK_CLASS_REFUSES_SURROGATE:
    case JCK_CLASS_REFUSES_DUPLICATE:
    case JCK_CLASS_REFUSES_NUL:
        text = reply->text.len == 0
                   ? "refused, but it is valid JSON"
                   : jrpc_arena_printf(arena, "refused, but it is valid JSON; the parser says: %s",
                                       quoted(arena, reply->text));
        break;
    case JCK_CLASS_ACCEPTS_BOM:
    case JCK_CLASS_ACCEPTS_TRUNCATED:
    case JCK_CLASS_ACCEPTS_INVALID_UTF8:
    case JCK_CLASS_ACCEPTS_TRAILING:
    case JCK_CLASS_ACCEPTS_MISMATCHED:
    case JCK_CLASS_ACCEPTS_OTHER:
        text =
            jrpc_arena_printf(arena, "accepted%s%s, but it is not valid JSON: %s (byte %zu)",
                              reply->kind == JCK_REPLY_ACCEPTED ? " as " : "",
                              reply->kind == JCK_REPLY_ACCEPTED ? quoted(arena, reply->text) : "",
                              weight->why.message, weight->why.offset);
        break;
    case JCK_CLASS_WRITES_NO_JSON:
        text = jrpc_arena_printf(
            arena, "the text that the library wrote is not valid JSON: %s (byte %zu of %s)",
            weight->unwritten.message, weight->unwritten.offset, quoted(arena, reply->text));
        break;
    case JCK_CLASS_CRASHES:
        text = describe_process(reply, arena);
        break;
    case JCK_CLASS_HANGS:
        text = jrpc_arena_printf(arena, "no answer within %lld ms",
                                 (long long)(reply->took_us / 1000));
        break;
    case JCK_CLASS_BREAKS_PROTOCOL:
        text = reply->why;
        break;
    case JCK_CLASS_TIME_GROWS:
        text = "the time grows faster than the text"; // judged over several texts: growth.h
        break;
    case JCK_CLASS_MEMORY_GROWS:
        text = "the memory grows faster than the text"; // likewise
        break;
    case JCK_CLASS_NUMBER_ROUNDED:
    case JCK_CLASS_NUMBER_COARSE:
    case JCK_CLASS_NUMBER_CHANGED:
    case JCK_CLASS_NUMBER_WRAPPED:
    case JCK_CLASS_NUMBER_INFINITE:
    case JCK_CLASS_NUMBER_ZERO:
    case JCK_CLASS_NUMBER_SIGN:
    case JCK_CLASS_STRING_CUT_AT_NUL:
    case JCK_CLASS_STRING_CUT:
    case JCK_CLASS_STRING_REPLACED:
    case JCK_CLASS_STRING_CHANGED:
    case JCK_CLASS_SURROGATE_REPLACED:
    case JCK_CLASS_SURROGATE_CHANGED:
    case JCK_CLASS_DUPLICATE_FIRST:
    case JCK_CLASS_DUPLICATE_LAST:
    case JCK_CLASS_DUPLICATE_ONE:
    case JCK_CLASS_DUPLICATE_MERGED:
    case JCK_CLASS_DUPLICATE_OTHER:
    case JCK_CLASS_MEMBER_LOST:
    case JCK_CLASS_MEMBER_ADDED:
    case JCK_CLASS_ELEMENTS_CHANGED:
    case JCK_CLASS_KIND_CHANGED:
        text =
            jrpc_arena_printf(arena, "read and written, %s came back as %s (%s: %s)",
                              deviation->sent.len == 0 ? "nothing" : quoted(arena, deviation->sent),
                              deviation->back.len == 0 ? "nothing" : quoted(arena, deviation->back),
                              jck_class_topic(deviation->class), jck_class_word(deviation->class));
        break;
    }
    return text == NULL ? "?" : text;
}

bool jck_is_about(const jck_step *step, jck_class class)
{
    jck_parser_owes owes = step->expect.parser;
    // Whatever a case requires, the parser may limit the contents of strings.
    return (jck_class_is_refusal(class) && class != JCK_CLASS_REFUSES_NUL &&
            owes == JCK_PARSER_ACCEPTS) ||
           (jck_class_is_acceptance(class) && owes == JCK_PARSER_REFUSES);
}

// The rule that a deviation breaks in this case: the case's own if the case is about it.
static jrpc_slice rule_of(const trial *t, const jck_step *step, jck_class class)
{
    bool own = jck_is_about(step, class) &&
               !(t->bench->ignores_rest && class == JCK_CLASS_ACCEPTS_TRAILING);
    const jck_rule *listed = own ? NULL : jck_class_rule(t->bench->suite, t->specification, class);
    return listed == NULL ? t->test_case->rules[0] : listed->id;
}

static void write_deviation(trial *t, const jck_step *step, int at, const jck_weight *weight,
                            const jck_loss *deviation, const jck_reply *reply)
{
    jrpc_slice id = rule_of(t, step, deviation->class);
    const jck_rule *rule = jck_suite_find_rule(t->bench->suite, id);
    jck_level level = rule == NULL ? JCK_LEVEL_MUST : jck_case_level(t->test_case, rule);
    if (level == JCK_LEVEL_OBSERVE) {
        jck_observe(t->findings,
                    step->expect.parser == JCK_PARSER_CHOOSES
                        ? step->expect.observation
                        : jrpc_slice_str(jck_class_topic(deviation->class)),
                    jrpc_slice_str(jck_class_word(deviation->class)));
        return;
    }
    size_t before = t->findings->count;
    jck_add_finding_of(t->findings, at, id, "%s",
                       jck_describe_deviation(weight, deviation, reply, t->arena));
    jck_name_difference(t->findings, before, "%s of %.*s", jck_class_name(deviation->class),
                        (int)id.len, id.ptr);
}

// The parser's choice where it has one: nothing else fails the case.
bool jck_is_choice(const jck_step *step, jck_class class)
{
    return step->expect.parser == JCK_PARSER_CHOOSES &&
           (jck_class_is_refusal(class) || jck_class_is_acceptance(class));
}

// Whether the parser refused an earlier text of the case that it may refuse: then a limit may be
// why it refuses this one.
static bool is_limited(const trial *t, int at, const jck_parser_exchange *first)
{
    for (int i = 0; i < at; i++) {
        if (t->test_case->steps[i].expect.parser == JCK_PARSER_CHOOSES &&
            first[i].reply.kind == JCK_REPLY_REFUSED) {
            return true;
        }
    }
    return false;
}

static void judge_step(trial *t, int at, const jck_parser_exchange *first)
{
    const jck_step *step = &t->test_case->steps[at];
    const jck_parser_exchange *exchange = &first[at];
    if (exchange->reply.kind == JCK_REPLY_REFUSED && is_limited(t, at, first)) {
        return;
    }
    jck_weight weight;
    jck_weigh(t->bench->scale, exchange->text, &exchange->reply, &weight);
    t->findings->failed = t->findings->failed || weight.deviations.failed;
    bool chose = step->expect.parser == JCK_PARSER_CHOOSES && !jck_reply_fails(&exchange->reply);
    size_t before = t->findings->count;
    size_t observed = t->findings->observation_count;
    for (size_t i = 0; i < weight.deviations.count; i++) {
        if (!jck_is_choice(step, weight.deviations.items[i].class)) {
            write_deviation(t, step, at, &weight, &weight.deviations.items[i], &exchange->reply);
        }
    }
    if (chose && t->findings->count == before && t->findings->observation_count == observed) {
        jck_observe(t->findings, step->expect.observation,
                    exchange->reply.kind == JCK_REPLY_REFUSED ? JRPC_SLICE("refused")
                    : weight.is_json && exchange->reply.kind == JCK_REPLY_ACCEPTED
                        ? JRPC_SLICE("kept")
                        : JRPC_SLICE("accepted"));
    }
}

// How the time grows in a case about that; NULL in others, and if there is nothing to report.
static const char *growth_of(const trial *t, const jck_parser_exchange *exchanges, size_t count)
{
    const jck_suite *suite = t->bench->suite;
    const jck_rule *rule = jck_class_rule(suite, t->specification, JCK_CLASS_TIME_GROWS);
    const jck_rule *first = jck_suite_find_rule(suite, t->test_case->rules[0]);
    return rule != NULL && rule == first ? jck_growth_sentence(exchanges, count, t->arena) : NULL;
}

// How the memory grows in a case that names the rule for it.
static void write_memory(trial *t, const jck_parser_exchange *exchanges, size_t count)
{
    const jck_rule *rule =
        jck_class_rule(t->bench->suite, t->specification, JCK_CLASS_MEMORY_GROWS);
    bool named = rule != NULL && jck_case_names(t->test_case, rule->id);
    const char *sentence = named ? jck_growth_of_memory(exchanges, count, t->arena) : NULL;
    if (sentence != NULL) {
        jck_add_finding_of(t->findings, (int)count - 1, rule->id, "%s", sentence);
    }
}

static jck_outcome outcome_of_replies(const jck_parser_exchange *exchanges, size_t count)
{
    jck_outcome outcome = JCK_OUTCOME_PASS;
    for (size_t i = 0; i < count; i++) {
        if (exchanges[i].reply.kind == JCK_REPLY_CRASHED) {
            return JCK_OUTCOME_CRASH;
        }
        outcome = exchanges[i].reply.kind == JCK_REPLY_HUNG ? JCK_OUTCOME_HANG : outcome;
    }
    return outcome;
}

void jck_parser_conclude(const jck_parser_exchange *exchanges, size_t count, jck_verdict *verdict)
{
    jck_outcome end = outcome_of_replies(exchanges, count);
    const jck_findings *findings = &verdict->findings;
    bool observes = findings->observation_count > 0;
    jck_verdict_weigh(verdict, observes ? JCK_OUTCOME_OBSERVE : JCK_OUTCOME_PASS, end);
    verdict->outcome = end > verdict->outcome ? end : verdict->outcome;
    if (findings->failed || findings->arena->failed) {
        verdict->outcome = JCK_OUTCOME_ERROR;
        verdict->conformant = false;
    }
}

void jck_parser_judge(const jck_bench *bench, const jck_case *test_case,
                      const jck_parser_exchange *exchanges, size_t count, jrpc_arena *arena,
                      jck_verdict *ret_verdict)
{
    jck_findings_init(&ret_verdict->findings, arena, bench->suite, test_case);
    const jck_rule *first = jck_suite_find_rule(bench->suite, test_case->rules[0]);
    trial t = {
        .bench = bench,
        .test_case = test_case,
        .specification = first == NULL ? test_case->suite : first->specification,
        .arena = arena,
        .findings = &ret_verdict->findings,
    };
    const char *growth = growth_of(&t, exchanges, count);
    // A time that grows ever faster ends in a timeout: do not report it as a hang as well.
    bool outgrown = growth != NULL && exchanges[count - 1].reply.kind == JCK_REPLY_HUNG;
    size_t answered = outgrown ? count - 1 : count;
    for (size_t i = 0; i < answered; i++) {
        judge_step(&t, (int)i, exchanges);
    }
    if (growth != NULL) {
        jck_add_finding_of(t.findings, (int)count - 1, test_case->rules[0], "%s", growth);
    }
    write_memory(&t, exchanges, answered);
    jck_parser_conclude(exchanges, answered, ret_verdict);
}
