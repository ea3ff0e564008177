#include "harness/parser/against_report.h"

#include "harness/parser/made_case.h"
#include "harness/parser/record.h"

#include <stdio.h>

// Bytes of the other parser's answer that a sentence quotes.
#define QUOTED 60

static const jrpc_slice suite_name = JRPC_SLICE_INIT("json-parser");

typedef struct telling {
    jck_parser_run_state *run;
    const jck_disagreement *disagreement;
    jck_findings *findings;
    jrpc_buffer words; // whose fault it is
} telling;

// The name of its library; if both have the same, or none, what the user typed.
static jrpc_slice name_of_other(const jck_parser_run_state *run)
{
    const jck_target *other = run->options->against;
    jrpc_slice name = other->implementation.name;
    bool tells = name.len > 0 && !jrpc_slice_equal(name, run->options->target->implementation.name);
    return tells ? name : other->name;
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

// Adds "the target breaks JP-nan", "orjson breaks JP-writes", "left open by JP-range": once each.
static void add_words(telling *t, const jck_trait *trait, const jck_rule *rule, jck_level level)
{
    char words[160];
    jrpc_slice other = name_of_other(t->run);
    bool open = level == JCK_LEVEL_OBSERVE;
    bool target = trait->side == JCK_TARGET;
    jrpc_slice who = open     ? JRPC_SLICE("left open by")
                     : target ? JRPC_SLICE("the target breaks")
                              : other;
    int len = snprintf(words, sizeof words, "%.*s%s %.*s", (int)(who.len < 80 ? who.len : 80),
                       who.ptr, open || target ? "" : " breaks", (int)rule->id.len, rule->id.ptr);
    jrpc_slice word = jrpc_slice_of(words, len > 0 ? (size_t)len : 0);
    if (!jrpc_slice_contains(jrpc_buffer_slice(&t->words), word)) {
        (void)jrpc_buffer_append_str(&t->words, t->words.len > 0 ? "; " : "");
        (void)jrpc_buffer_append(&t->words, word);
    }
}

static void write_trait(telling *t, const jck_trait *trait)
{
    const jck_disagreement *d = t->disagreement;
    jrpc_arena *arena = t->findings->arena;
    const jck_rule *rule = rule_of(t, trait);
    const jck_loss *deviation = jck_contrast_deviation(d->contrast, trait);
    if (rule == NULL || deviation == NULL) {
        return;
    }
    jck_level level = jck_case_level(t->findings->test_case, rule);
    add_words(t, trait, rule, level);
    if (trait->side == JCK_TARGET && level != JCK_LEVEL_OBSERVE) {
        jrpc_slice other = name_of_other(t->run);
        jck_add_finding_of(t->findings, 0, rule->id, "%s; %.*s %s",
                           jck_describe_deviation(&d->contrast->weights[JCK_TARGET], deviation,
                                                  &d->replies[JCK_TARGET], arena),
                           (int)other.len, other.ptr, describe(&d->replies[JCK_OTHER], arena));
    }
}

// The observation that says whose fault it is: the target's rules first, then the other's.
static void write_traits(telling *t)
{
    const jck_contrast *contrast = t->disagreement->contrast;
    jrpc_buffer_init(&t->words, jrpc_allocator_heap(), 4096);
    for (size_t i = 0; i < contrast->trait_count; i++) {
        write_trait(t, &contrast->traits[i]);
    }
    jck_observe(t->findings, JRPC_SLICE("disagreement"), jrpc_buffer_slice(&t->words));
    t->findings->failed = t->findings->failed || t->words.failed;
    jrpc_buffer_done(&t->words);
}

bool jck_against_report(jck_parser_run_state *run, jck_compared *sum,
                        const jck_disagreement *disagreement)
{
    const jck_trait *first = &disagreement->contrast->traits[0];
    const jck_parser_exchange exchange = {.text = disagreement->text,
                                          .reply = disagreement->replies[JCK_TARGET]};
    const jck_parser_exchange other = {.text = disagreement->text,
                                       .reply = disagreement->replies[JCK_OTHER]};
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
    if (!jck_parser_record(&run->arena, &exchange, 1, 1, &evidence) ||
        !jck_parser_record_other(&evidence, &other)) {
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
    jck_made_case_fill_sum(&made, "parser-against/texts", "texts sent to both parsers", rule);
    jck_verdict verdict = {.outcome = JCK_OUTCOME_OBSERVE, .conformant = true};
    jrpc_arena_clear(&run->arena);
    jck_findings_init(&verdict.findings, &run->arena, run->options->suite, &made.test_case);
    jck_observe_count(&verdict.findings, "texts", sum->texts);
    jck_observe_count(&verdict.findings, "texts-read-differently", sum->differing);
    jck_ledger_report_verdict(&run->ledger, &made.test_case, &verdict, NULL);
}
