#include "harness/parser/fuzz.h"

#include "harness/generate/minimize.h"
#include "harness/parser/deeds.h"
#include "harness/parser/generate.h"
#include "harness/parser/run_private.h"

#include <stdio.h>

#define BATCH 512
#define DEFAULT_US ((int64_t)60 * 1000000)
// Questions that shrinking one text may take; after a crash or a hang each costs a process.
#define PROBES_MAX 1500
#define PROBES_FATAL 60

typedef struct fuzzing {
    jck_parser_run_state *run;
    jck_text_generator generator;
    jck_parser_kinds kinds;
    char texts[BATCH][JCK_TEXT_BYTES];
    jrpc_slice questions[BATCH];
    size_t asked;
    int64_t deadline_us;
    jrpc_arena observed_arena;
    jck_case sum;          // the case that says how many texts there were
    jck_findings observed; // what was chosen where it is open
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
    for (size_t i = 0; i < weight.deeds.count && !weight.deeds.failed; i++) {
        const jck_loss *deed = &weight.deeds.items[i];
        if (level_of(f, deed->class) == JCK_LEVEL_OBSERVE) {
            jck_observe(&f->observed, jrpc_slice_str(jck_class_topic(deed->class)),
                        jrpc_slice_str(jck_class_word(deed->class)));
        } else {
            (void)jck_deeds_note(&f->kinds, &weight, deed, reply, f->questions[index]);
        }
    }
    return !jck_ledger_stopping(&f->run->ledger);
}

// One probe of a text that is being shrunk.
typedef struct probing {
    fuzzing *f;
    const jck_parser_kind *kind;
    const char *bytes; // the whole text
    jrpc_buffer text;  // its parts
    bool shows, on;
} probing;

static bool take_probe(void *context, size_t index, const jck_reply *reply)
{
    probing *p = context;
    jck_weight weight;
    (void)index;
    jck_weigh(&p->f->run->scale, jrpc_buffer_slice(&p->text), reply, &weight);
    p->shows = !weight.deeds.failed && jck_deed_shows(p->kind, &weight, reply);
    return true;
}

static jck_probe try_parts(void *context, const size_t *parts, size_t count)
{
    probing *p = context;
    jrpc_buffer_clear(&p->text);
    for (size_t i = 0; i < count; i++) {
        jrpc_buffer_append_char(&p->text, p->bytes[parts[i]]);
    }
    jrpc_slice text = jrpc_buffer_slice(&p->text);
    const jck_questions questions = {.texts = &text, .count = 1, .take = take_probe, .context = p};
    p->shows = false;
    p->on = jck_parser_asked(p->f->run,
                             jck_adapter_ask(p->f->run->adapter, &questions, &p->f->run->error));
    return !p->on ? JCK_PROBE_STOPS : p->shows ? JCK_PROBE_SHOWS : JCK_PROBE_LACKS;
}

// Leaves of the kind's text the smallest part that still shows it. False: no more.
static bool shrink(fuzzing *f, jck_parser_kind *kind)
{
    size_t len = kind->text.len;
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), (size_t)64 << 20);
    size_t *parts = jrpc_arena_array(&arena, len + 1, sizeof *parts);
    size_t *scratch = jrpc_arena_array(&arena, len + 1, sizeof *scratch);
    jrpc_slice whole = {NULL, 0};
    bool ready = parts != NULL && scratch != NULL &&
                 jrpc_arena_copy(&arena, jrpc_buffer_slice(&kind->text), &whole);
    probing p = {.f = f, .kind = kind, .bytes = whole.ptr, .on = true};
    jrpc_buffer_init(&p.text, jrpc_allocator_heap(), len + 1);
    if (ready) {
        for (size_t i = 0; i < len; i++) {
            parts[i] = i;
        }
        bool fatal = kind->class == JCK_CLASS_CRASHES || kind->class == JCK_CLASS_HANGS;
        size_t left =
            jck_minimize(parts, len, scratch, fatal ? PROBES_FATAL : PROBES_MAX, try_parts, &p);
        jrpc_buffer_clear(&kind->text);
        for (size_t i = 0; i < left; i++) {
            jrpc_buffer_append_char(&kind->text, whole.ptr[parts[i]]);
        }
    }
    jrpc_buffer_done(&p.text);
    jrpc_arena_done(&arena);
    return p.on && ready;
}

// Tells what the parser does to the text as a case of its own.
typedef struct telling {
    fuzzing *f;
    const jck_case *test_case;
    jrpc_slice text;
} telling;

static bool take_told(void *context, size_t index, const jck_reply *reply)
{
    telling *t = context;
    const jck_tried tried = {.text = t->text, .reply = *reply};
    (void)index;
    return jck_parser_tell(t->f->run, t->test_case, &tried, 1);
}

static bool tell_kind(fuzzing *f, jck_parser_kind *kind, size_t number)
{
    const jck_rule *rule = jck_class_rule(f->run->options->suite, suite_name, kind->class);
    char id[96];
    char title[128];
    kind->told = true;
    int id_len = snprintf(id, sizeof id, "parser-fuzz/%s-%zu", jck_class_name(kind->class), number);
    int title_len = snprintf(title, sizeof title, "a generated text (%s: %s)",
                             jck_class_topic(kind->class), jck_class_word(kind->class));
    jck_weight weight;
    const jck_reply silent = {.kind = JCK_REPLY_REFUSED};
    jrpc_slice text = jrpc_buffer_slice(&kind->text);
    jck_weigh(&f->run->scale, text, &silent, &weight);
    const jck_step step = {
        .kind = JCK_STEP_SEND,
        .connection = 'a',
        .payload = {.kind = JCK_PAYLOAD_BYTES, .text = text},
        .expect = {.kind = JCK_EXPECT_PARSER,
                   .parser = weight.is_json ? JCK_PARSER_ACCEPTS : JCK_PARSER_REFUSES},
    };
    const jck_case test_case = {
        .id = jrpc_slice_of(id, (size_t)id_len),
        .title = jrpc_slice_of(title, (size_t)title_len),
        .suite = suite_name,
        .side = JCK_SIDE_PARSER,
        .section = rule->section,
        .rules = &rule->id,
        .rule_count = 1,
        .steps = &step,
        .step_count = 1,
    };
    telling t = {.f = f, .test_case = &test_case, .text = text};
    const jck_questions questions = {.texts = &text, .count = 1, .take = take_told, .context = &t};
    return jck_parser_asked(f->run, jck_adapter_ask(f->run->adapter, &questions, &f->run->error));
}

static bool tell_new_kinds(fuzzing *f)
{
    bool on = true;
    for (size_t i = 0; i < f->kinds.count && on; i++) {
        if (!f->kinds.items[i].told) {
            on = shrink(f, &f->kinds.items[i]) && tell_kind(f, &f->kinds.items[i], i + 1);
        }
    }
    return on;
}

// One case that passes and says how many texts there were, and what was chosen where it is open.
static void tell_sum(fuzzing *f)
{
    char count[32];
    int len = snprintf(count, sizeof count, "%zu", f->asked);
    jck_observe(&f->observed, JRPC_SLICE("texts"), jrpc_slice_of(count, (size_t)len));
    jck_verdict verdict = {
        .outcome = JCK_OUTCOME_OBSERVE, .conformant = true, .findings = f->observed};
    jck_ledger_tell_verdict(&f->run->ledger, &f->sum, &verdict, NULL);
}

static void add_seeds(fuzzing *f)
{
    for (size_t i = 0; i < f->run->plan.case_count; i++) {
        const jck_case *test_case = f->run->plan.cases[i];
        const jck_payload *payload = &test_case->steps[0].payload;
        if (test_case->step_count == 1 && payload->kind != JCK_PAYLOAD_REPEAT) {
            // Texts and bytes are kept as the suite has them.
            jck_text_generator_add(&f->generator, payload->text);
        }
    }
    if (f->generator.seed_count == 0) {
        jck_text_generator_add(&f->generator, JRPC_SLICE("[]"));
    }
}

static void search(fuzzing *f)
{
    const jck_run_options *options = f->run->options;
    bool on = true;
    while (on && jrpc_clock_now_us(options->clock) < f->deadline_us &&
           (options->texts == 0 || f->asked < options->texts)) {
        size_t count = options->texts > 0 && options->texts - f->asked < BATCH
                           ? options->texts - f->asked
                           : BATCH;
        for (size_t i = 0; i < count; i++) {
            size_t len = jck_text_generate(&f->generator, f->texts[i]);
            f->questions[i] = jrpc_slice_of(f->texts[i], len);
        }
        const jck_questions questions = {
            .texts = f->questions, .count = count, .take = take_text, .context = f};
        on = jck_parser_asked(f->run,
                              jck_adapter_ask(f->run->adapter, &questions, &f->run->error)) &&
             tell_new_kinds(f);
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
    f->deadline_us =
        jrpc_clock_now_us(options->clock) + (options->max_us > 0 ? options->max_us : DEFAULT_US);
    // The time is what was asked for; its end is no reason to stop the run.
    run->ledger.deadline_us = INT64_MAX;
    jrpc_arena_init(&f->observed_arena, jrpc_allocator_heap(), (size_t)16 << 20);
    const jck_rule *rule = jck_class_rule(options->suite, suite_name, JCK_CLASS_REFUSES_JSON);
    f->sum = (jck_case){
        .id = JRPC_SLICE("parser-fuzz/texts"),
        .title = JRPC_SLICE("generated texts"),
        .suite = suite_name,
        .side = JCK_SIDE_PARSER,
        .section = rule->section,
        .rules = &rule->id,
        .rule_count = 1,
    };
    jck_findings_init(&f->observed, &f->observed_arena, options->suite, &f->sum);
    jck_text_generator_init(&f->generator, options->plan.seed);
    jck_deeds_init(&f->kinds);
    add_seeds(f);
    search(f);
    tell_sum(f);
    jck_deeds_done(&f->kinds);
    jck_text_generator_done(&f->generator);
    jrpc_arena_done(&f->observed_arena);
}

void jck_parser_fuzz(const jck_run_options *options, jck_run_result *ret_result)
{
    jck_parser_run_with(options, fuzz, ret_result);
}
