#include "harness/parser/fuzz.h"

#include "harness/parser/finding_kinds.h"
#include "harness/parser/generated.h"
#include "harness/parser/lessen.h"
#include "harness/parser/made_case.h"
#include "harness/parser/run_state.h"

// Questions that reducing one text may take; after a crash or a hang each costs a process.
#define PROBES_MAX 1500
#define PROBES_FATAL 60

typedef struct fuzzing {
    jck_parser_run_state *run;
    jck_generated generated;
    jck_parser_kinds kinds;
    jrpc_slice questions[JCK_GENERATED_BATCH];
    size_t asked;
    jrpc_arena observed_arena;
    jck_made_case sum;     // the case that reports the number of texts
    jck_findings observed; // what was chosen where the choice is open
} fuzzing;

static const jrpc_slice suite_name = JRPC_SLICE_INIT("json-parser");

static jck_level level_of(const fuzzing *f, jck_class class)
{
    const jck_rule *rule = jck_class_rule(f->run->options->suite, suite_name, class);
    return rule == NULL ? JCK_LEVEL_OBSERVE : rule->level;
}

static bool take_text(void *context, size_t index, const jck_reply *reply)
{
    fuzzing *f = context;
    jck_weight weight;
    f->asked++;
    jck_weigh(&f->run->scale, f->questions[index], reply, &weight);
    for (size_t i = 0; i < weight.deviations.count && !weight.deviations.failed; i++) {
        const jck_loss *deviation = &weight.deviations.items[i];
        if (level_of(f, deviation->class) == JCK_LEVEL_OBSERVE) {
            jck_observe(&f->observed, jrpc_slice_str(jck_class_topic(deviation->class)),
                        jrpc_slice_str(jck_class_word(deviation->class)));
        } else {
            (void)jck_parser_kinds_add(&f->kinds, &weight, deviation, reply, f->questions[index]);
        }
    }
    return !jck_ledger_stopping(&f->run->ledger);
}

// One probe of a text that is being reduced.
typedef struct probing {
    fuzzing *f;
    const jck_parser_kind *kind;
    jrpc_slice text;
    bool shows;
} probing;

static bool take_probe(void *context, size_t index, const jck_reply *reply)
{
    probing *p = context;
    jck_weight weight;
    (void)index;
    jck_weigh(&p->f->run->scale, p->text, reply, &weight);
    p->shows = !weight.deviations.failed && jck_parser_kind_is_shown(p->kind, &weight, reply);
    return true;
}

static jck_probe try_text(void *context, jrpc_slice text)
{
    probing *p = context;
    const jck_questions questions = {.texts = &text, .count = 1, .take = take_probe, .context = p};
    p->text = text;
    p->shows = false;
    bool on = jck_parser_asked(p->f->run,
                               jck_adapter_ask(p->f->run->adapter, &questions, &p->f->run->error));
    return !on ? JCK_PROBE_STOPS : p->shows ? JCK_PROBE_SHOWS : JCK_PROBE_LACKS;
}

// Reduces the kind's text to the smallest part that still shows it. False: stop.
static bool shrink(fuzzing *f, jck_parser_kind *kind)
{
    probing p = {.f = f, .kind = kind};
    size_t probes = jck_class_is_fatal(kind->class) ? PROBES_FATAL : PROBES_MAX;
    return jck_lessen(&kind->text, probes, try_text, &p);
}

// Reports what the parser does to the text, as a case of its own.
typedef struct telling {
    fuzzing *f;
    const jck_case *test_case;
    jrpc_slice text;
} telling;

static bool take_reported(void *context, size_t index, const jck_reply *reply)
{
    telling *t = context;
    const jck_parser_exchange exchange = {.text = t->text, .reply = *reply};
    (void)index;
    return jck_parser_report(t->f->run, t->test_case, &exchange, 1);
}

static bool report_kind(fuzzing *f, jck_parser_kind *kind, size_t number)
{
    const jck_rule *rule = jck_class_rule(f->run->options->suite, suite_name, kind->class);
    kind->reported = true;
    jck_weight weight;
    const jck_reply silent = {.kind = JCK_REPLY_REFUSED};
    jrpc_slice text = jrpc_buffer_slice(&kind->text);
    jck_weigh(&f->run->scale, text, &silent, &weight);
    jck_made_case made;
    jck_made_case_fill(&made, "parser-fuzz", "a generated text", kind->class, number, rule, text,
                       weight.is_json ? JCK_PARSER_ACCEPTS : JCK_PARSER_REFUSES);
    telling t = {.f = f, .test_case = &made.test_case, .text = text};
    const jck_questions questions = {
        .texts = &text, .count = 1, .take = take_reported, .context = &t};
    return jck_parser_asked(f->run, jck_adapter_ask(f->run->adapter, &questions, &f->run->error));
}

static bool report_new_kinds(fuzzing *f)
{
    bool on = true;
    for (size_t i = 0; i < f->kinds.count && on; i++) {
        if (!f->kinds.items[i].reported) {
            on = shrink(f, &f->kinds.items[i]) && report_kind(f, &f->kinds.items[i], i + 1);
        }
    }
    return on;
}

// One passing case that reports how many texts there were, and what was chosen where the choice is
// open.
static void report_sum(fuzzing *f)
{
    jck_observe_count(&f->observed, "texts", f->asked);
    jck_verdict verdict = {
        .outcome = JCK_OUTCOME_OBSERVE, .conformant = true, .findings = f->observed};
    jck_ledger_report_verdict(&f->run->ledger, &f->sum.test_case, &verdict, NULL);
}

static void search(fuzzing *f)
{
    bool on = true;
    size_t count = 0;
    while (on && (count = jck_generated_next(&f->generated, f->questions)) > 0) {
        const jck_questions questions = {
            .texts = f->questions, .count = count, .take = take_text, .context = f};
        on = jck_parser_asked(f->run,
                              jck_adapter_ask(f->run->adapter, &questions, &f->run->error)) &&
             report_new_kinds(f);
    }
}

static void fuzz(jck_parser_run_state *run)
{
    fuzzing *f = jrpc_arena_alloc(run->lasting, sizeof *f);
    if (f == NULL) {
        jck_ledger_starve(&run->ledger);
        return;
    }
    const jck_run_options *options = run->options;
    f->run = run;
    jck_generated_init(&f->generated, run);
    jrpc_arena_init(&f->observed_arena, jrpc_allocator_heap(), (size_t)16 << 20);
    const jck_rule *rule = jck_class_rule(options->suite, suite_name, JCK_CLASS_REFUSES_JSON);
    jck_made_case_fill_sum(&f->sum, "parser-fuzz/texts", "generated texts", rule);
    jck_findings_init(&f->observed, &f->observed_arena, options->suite, &f->sum.test_case);
    jck_parser_kinds_init(&f->kinds);
    search(f);
    report_sum(f);
    jck_parser_kinds_done(&f->kinds);
    jck_generated_done(&f->generated);
    jrpc_arena_done(&f->observed_arena);
}

void jck_parser_fuzz(const jck_run_options *options, jck_run_result *ret_result)
{
    jck_parser_run_with(options, false, fuzz, ret_result);
}
