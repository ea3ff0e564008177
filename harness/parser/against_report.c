#include "harness/parser/against_report.h"

#include "harness/parser/made_case.h"
#include "harness/parser/record.h"

#include <string.h>

// Bytes of another parser's answer that a sentence quotes.
#define QUOTED 60
// Names may have the length of a command.
#define WORDS_BYTES ((size_t)64 << 10)
#define OTHERS_BYTES ((size_t)64 << 10)

static const jrpc_slice suite_name = JRPC_SLICE_INIT("json-parser");

typedef struct telling {
    jck_parser_run_state *run;
    const jck_disagreement *disagreement;
    jck_findings *findings;
    jrpc_buffer words; // whose fault it is
} telling;

static const jck_target *target_of(const jck_parser_run_state *run, size_t side)
{
    const jck_run_options *options = run->options;
    return side == JCK_TARGET ? options->target : &options->against[side - JCK_OTHER];
}

// The name of its library; if another one has the same, or it has none, what the user typed.
static jrpc_slice name_of(const jck_parser_run_state *run, size_t side)
{
    const jck_target *named = target_of(run, side);
    jrpc_slice name = named->implementation.name;
    bool tells = name.len > 0;
    for (size_t other = 0; other <= run->other_count && tells; other++) {
        tells =
            other == side || !jrpc_slice_equal(name, target_of(run, other)->implementation.name);
    }
    return tells ? name : named->name;
}

// The rule for a trait: that of the case if the case is about the trait or leaves it to the parser.
static const jck_rule *rule_of(const telling *t, const jck_trait *trait)
{
    const jck_suite *suite = t->run->options->suite;
    const jck_case *origin = t->disagreement->origin;
    if (origin != NULL && (jck_is_about(&origin->steps[0], trait->class) ||
                           jck_is_choice(&origin->steps[0], trait->class))) {
        return jck_suite_find_rule(suite, origin->rules[0]);
    }
    return jck_class_rule(suite, suite_name, trait->class);
}

// What a parser made of the text, in a few words.
static const char *describe(const jck_reply *reply, jrpc_arena *arena)
{
    const char *text = "did not answer it";
    switch (reply->kind) {
    case JCK_REPLY_ACCEPTED:
        text = jrpc_arena_printf(arena, "reads it as %s", jck_excerpt(arena, reply->text, QUOTED));
        break;
    case JCK_REPLY_TAKEN:
        text = "accepts it";
        break;
    case JCK_REPLY_REFUSED:
        text = "refuses it";
        break;
    case JCK_REPLY_CRASHED:
        text = "crashes on it";
        break;
    case JCK_REPLY_HUNG:
    case JCK_REPLY_RUBBISH:
        break;
    }
    return text == NULL ? "?" : text;
}

static bool breaks(const telling *t, const jck_rule *rule, size_t side)
{
    const jck_traits *traits = &t->disagreement->contrast->traits;
    for (size_t i = 0; i < traits->count; i++) {
        if (traits->items[i].side == side && rule_of(t, &traits->items[i]) == rule) {
            return true;
        }
    }
    return false;
}

// "node, go break JP-writes": all that do, the target apart.
static void write_breakers(telling *t, const jck_rule *rule)
{
    size_t count = 0;
    for (size_t side = JCK_OTHER; side < t->disagreement->contrast->sides; side++) {
        if (breaks(t, rule, side)) {
            (void)jrpc_buffer_append_str(&t->words, count++ == 0 ? "" : ", ");
            (void)jrpc_buffer_append(&t->words, name_of(t->run, side));
        }
    }
    (void)jrpc_buffer_append_str(&t->words, count == 1 ? " breaks " : " break ");
}

// Whether an earlier trait led to the same words.
static bool is_said(const telling *t, size_t index, const jck_rule *rule, bool open)
{
    const jck_traits *traits = &t->disagreement->contrast->traits;
    bool target = traits->items[index].side == JCK_TARGET;
    for (size_t i = 0; i < index; i++) {
        bool alike = open || (traits->items[i].side == JCK_TARGET) == target;
        if (alike && rule_of(t, &traits->items[i]) == rule) {
            return true;
        }
    }
    return false;
}

// Adds "the target breaks JP-nan", "orjson breaks JP-writes", "left open by JP-range": once each.
static void add_words(telling *t, size_t index, const jck_rule *rule, jck_level level)
{
    bool open = level == JCK_LEVEL_OBSERVE;
    if (is_said(t, index, rule, open)) {
        return;
    }
    (void)jrpc_buffer_append_str(&t->words, t->words.len > 0 ? "; " : "");
    if (open) {
        (void)jrpc_buffer_append_str(&t->words, "left open by ");
    } else if (t->disagreement->contrast->traits.items[index].side == JCK_TARGET) {
        (void)jrpc_buffer_append_str(&t->words, "the target breaks ");
    } else {
        write_breakers(t, rule);
    }
    (void)jrpc_buffer_append(&t->words, rule->id);
}

// "; orjson, simdjson: refuses it; go: reads it as [1]", those that do the same together. `words`
// has one description for each side.
static void describe_others(const telling *t, const char *const *words, jrpc_buffer *out)
{
    size_t sides = t->disagreement->contrast->sides;
    for (size_t side = JCK_OTHER; side < sides; side++) {
        bool said = false;
        for (size_t i = JCK_OTHER; i < side; i++) {
            said = said || strcmp(words[i], words[side]) == 0;
        }
        for (size_t i = side; i < sides && !said; i++) {
            if (strcmp(words[i], words[side]) == 0) {
                (void)jrpc_buffer_append_str(out, i == side ? "; " : ", ");
                (void)jrpc_buffer_append(out, name_of(t->run, i));
            }
        }
        if (!said) {
            (void)jrpc_buffer_printf(out, "%s%s", sides > JCK_OTHER + 1 ? ": " : " ", words[side]);
        }
    }
}

static void add_finding(telling *t, const jck_trait *trait, const jck_rule *rule,
                        const jck_loss *deviation)
{
    const jck_disagreement *d = t->disagreement;
    jrpc_arena *arena = t->findings->arena;
    const char *words[JCK_SIDES_MAX];
    jrpc_buffer others;
    jrpc_buffer_init(&others, jrpc_allocator_heap(), OTHERS_BYTES);
    for (size_t side = JCK_OTHER; side < d->contrast->sides; side++) {
        words[side] = describe(&d->replies[side], arena);
    }
    describe_others(t, words, &others);
    jck_add_finding_of(t->findings, 0, rule->id, "%s%.*s",
                       jck_describe_deviation(&d->contrast->weights[trait->side], deviation,
                                              &d->replies[trait->side], arena),
                       (int)others.len, others.ptr);
    t->findings->failed = t->findings->failed || others.failed;
    jrpc_buffer_done(&others);
}

static void write_trait(telling *t, size_t index)
{
    const jck_contrast *contrast = t->disagreement->contrast;
    const jck_trait *trait = &contrast->traits.items[index];
    const jck_rule *rule = rule_of(t, trait);
    const jck_loss *deviation = jck_contrast_deviation(contrast, trait);
    if (rule == NULL || deviation == NULL) {
        return;
    }
    jck_level level = jck_case_level(t->findings->test_case, rule);
    add_words(t, index, rule, level);
    if (trait->side == JCK_TARGET && level != JCK_LEVEL_OBSERVE) {
        add_finding(t, trait, rule, deviation);
    }
}

// The observation that says whose fault it is: the target's rules first, then the others'.
static void write_traits(telling *t)
{
    jrpc_buffer_init(&t->words, jrpc_allocator_heap(), WORDS_BYTES);
    for (size_t i = 0; i < t->disagreement->contrast->traits.count; i++) {
        write_trait(t, i);
    }
    jck_observe(t->findings, JRPC_SLICE("disagreement"), jrpc_buffer_slice(&t->words));
    t->findings->failed = t->findings->failed || t->words.failed;
    jrpc_buffer_done(&t->words);
}

static bool record(jck_parser_run_state *run, const jck_disagreement *disagreement,
                   const jck_parser_exchange *exchange, jck_evidence *ret_evidence)
{
    bool done = jck_parser_record(&run->arena, exchange, 1, 1, ret_evidence);
    for (size_t side = JCK_OTHER; side < disagreement->contrast->sides && done; side++) {
        const jck_parser_exchange other = {.text = disagreement->text,
                                           .reply = disagreement->replies[side]};
        done = jck_parser_record_other(ret_evidence, (char)('a' + side), &other);
    }
    return done;
}

bool jck_against_report(jck_parser_run_state *run, jck_compared *sum,
                        const jck_disagreement *disagreement)
{
    const jck_trait *first = &disagreement->contrast->traits.items[0];
    const jck_parser_exchange exchange = {.text = disagreement->text,
                                          .reply = disagreement->replies[JCK_TARGET]};
    jck_made_case made;
    jrpc_arena_clear(&run->arena);
    telling t = {.run = run, .disagreement = disagreement};
    const jck_rule *rule = rule_of(&t, first);
    if (rule == NULL) {
        return true;
    }
    jck_made_case_fill(&made, "parser-against",
                       disagreement->origin != NULL ? "the text of a case" : "a generated text",
                       first->class, ++sum->reported, rule, disagreement->text, JCK_PARSER_CHOOSES);
    jck_verdict verdict = {.outcome = JCK_OUTCOME_OBSERVE};
    jck_evidence evidence;
    jck_findings_init(&verdict.findings, &run->arena, run->options->suite, &made.test_case);
    t.findings = &verdict.findings;
    write_traits(&t);
    if (!record(run, disagreement, &exchange, &evidence)) {
        jck_ledger_starve(&run->ledger);
        return false;
    }
    jck_parser_conclude(&exchange, 1, &verdict);
    jck_ledger_report_verdict(&run->ledger, &made.test_case, &verdict, &evidence);
    return !jck_ledger_look_at_time(&run->ledger) && !jck_ledger_stopping(&run->ledger);
}

void jck_against_report_sum(jck_parser_run_state *run, const jck_compared *sum)
{
    const jck_rule *rule = jck_class_rule(run->options->suite, suite_name, JCK_CLASS_REFUSES_JSON);
    jck_made_case made;
    jck_made_case_fill_sum(&made, "parser-against/texts", "texts sent to all parsers", rule);
    jck_verdict verdict = {.outcome = JCK_OUTCOME_OBSERVE, .conformant = true};
    jrpc_arena_clear(&run->arena);
    jck_findings_init(&verdict.findings, &run->arena, run->options->suite, &made.test_case);
    jck_observe_count(&verdict.findings, "texts", sum->texts);
    jck_observe_count(&verdict.findings, "texts-read-differently", sum->differing);
    for (size_t side = JCK_OTHER; side <= run->other_count && run->other_count > 1; side++) {
        const char *name =
            jrpc_arena_printf(&run->arena, "texts-read-differently-by-%c", (char)('a' + side));
        if (name == NULL) {
            jck_ledger_starve(&run->ledger);
            return;
        }
        jck_observe_count(&verdict.findings, name, sum->apart[side]);
    }
    jck_ledger_report_verdict(&run->ledger, &made.test_case, &verdict, NULL);
}
