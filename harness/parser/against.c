#include "harness/parser/against.h"

#include "harness/parser/against_report.h"
#include "harness/parser/generated.h"
#include "harness/parser/lessen.h"
#include "harness/parser/protocol.h"

#define BATCH JCK_GENERATED_BATCH
#define BATCH_BYTES ((size_t)8 << 20)
#define REPLIES_BYTES ((size_t)128 << 20) // of one parser
#define TEXT_BYTES ((size_t)32 << 20)
#define KINDS_MAX 512
// A text of a case up to this length is not reduced: it is small enough and most telling as it is.
#define SMALL_TEXT 48
// Pairs of questions that reducing one text may take; after a crash or a hang each costs a process.
#define PROBES_MAX 600
#define PROBES_FATAL 40

// A disagreement that was seen, with its key and the rule of the case in which it was seen.
typedef struct seen_kind {
    uint64_t key;
    const jck_rule *rule; // NULL: from a generated text
} seen_kind;

typedef struct found_kind {
    seen_kind seen;
    jck_traits traits;
    const jck_case *origin;
    jrpc_buffer text;
} found_kind;

typedef struct comparing {
    jck_parser_run_state *run;
    jck_generated generated;
    jrpc_slice questions[BATCH];
    const jck_case *origins[BATCH]; // NULL: generated
    size_t begins[BATCH];
    size_t count;
    size_t sides;
    jck_reply *replies[JCK_SIDES_MAX]; // BATCH of each
    jrpc_arena kept;                   // holds what they point to
    seen_kind seen[KINDS_MAX];
    size_t seen_count;
    found_kind found[KINDS_MAX]; // in this batch
    size_t found_count;
    jck_traits reported; // from generated texts
    jck_compared sum;
} comparing;

typedef struct keeping {
    comparing *c;
    size_t side;
} keeping;

static bool keep_reply(void *context, size_t index, const jck_reply *reply)
{
    keeping *k = context;
    return jck_reply_keep(&k->c->kept, reply, &k->c->replies[k->side][index]) &&
           !jck_ledger_stopping(&k->c->run->ledger);
}

// Asks all parsers. False: stop.
static bool ask_all(comparing *c, const jrpc_slice *texts, size_t count)
{
    bool on = true;
    jrpc_arena_clear(&c->kept);
    for (size_t side = 0; side < c->sides && on; side++) {
        keeping k = {.c = c, .side = side};
        const jck_questions questions = {
            .texts = texts, .count = count, .take = keep_reply, .context = &k};
        jck_adapter *adapter =
            side == JCK_TARGET ? c->run->adapter : c->run->others[side - JCK_OTHER];
        on = jck_parser_asked(c->run, jck_adapter_ask(adapter, &questions, &c->run->error));
    }
    if (c->kept.failed) {
        jck_ledger_starve(&c->run->ledger);
    }
    return on;
}

static void find(comparing *c, size_t index, jck_contrast *ret_contrast)
{
    jck_reply replies[JCK_SIDES_MAX];
    for (size_t side = 0; side < c->sides; side++) {
        replies[side] = c->replies[side][index];
    }
    jck_contrast_find(&c->run->scale, c->questions[index], replies, c->sides, ret_contrast);
}

// Asks all one text, outside a batch. False: stop.
static bool ask_and_find(comparing *c, jrpc_slice text, jck_contrast *ret_contrast)
{
    if (!ask_all(c, &text, 1)) {
        return false;
    }
    c->questions[0] = text;
    find(c, 0, ret_contrast);
    return true;
}

// What distinguishes a disagreement about a text of a case, besides its traits.
static const jck_rule *rule_of_origin(const comparing *c, const jck_case *origin)
{
    return origin == NULL ? NULL : jck_suite_find_rule(c->run->options->suite, origin->rules[0]);
}

static bool is_seen(const comparing *c, seen_kind kind)
{
    for (size_t i = 0; i < c->seen_count; i++) {
        if (c->seen[i].key == kind.key && c->seen[i].rule == kind.rule) {
            return true;
        }
    }
    return false;
}

static bool has_trait(const jck_traits *traits, const jck_trait *trait)
{
    for (size_t i = 0; i < traits->count; i++) {
        const jck_trait *other = &traits->items[i];
        if (other->side == trait->side && other->class == trait->class &&
            other->cause == trait->cause) {
            return true;
        }
    }
    return false;
}

// Several parsers deviate in more combinations than anyone would read. Of generated texts, those
// are reported in which one does something that it was not yet reported for.
static bool is_combination(const comparing *c, const jck_traits *traits, const jck_case *origin)
{
    bool known = c->sides > 2 && origin == NULL;
    for (size_t i = 0; i < traits->count && known; i++) {
        known = has_trait(&c->reported, &traits->items[i]);
    }
    return known;
}

static void note_reported(comparing *c, const jck_traits *traits)
{
    size_t room = sizeof c->reported.items / sizeof *c->reported.items;
    for (size_t i = 0; i < traits->count && c->reported.count < room; i++) {
        if (!has_trait(&c->reported, &traits->items[i])) {
            c->reported.items[c->reported.count++] = traits->items[i];
        }
    }
}

static void note_seen(comparing *c, seen_kind kind)
{
    if (c->seen_count < KINDS_MAX && !is_seen(c, kind)) {
        c->seen[c->seen_count++] = kind;
    }
}

// Records a new disagreement; of several texts in a batch the smallest.
static void note(comparing *c, size_t index, const jck_contrast *contrast)
{
    const jck_case *origin = c->origins[index];
    seen_kind kind = {.key = jck_traits_key(&contrast->traits), .rule = rule_of_origin(c, origin)};
    jrpc_slice text = c->questions[index];
    if (is_seen(c, kind) || is_combination(c, &contrast->traits, origin)) {
        return;
    }
    found_kind *found = NULL;
    for (size_t i = 0; i < c->found_count && found == NULL; i++) {
        seen_kind other = c->found[i].seen;
        found = other.key == kind.key && other.rule == kind.rule ? &c->found[i] : NULL;
    }
    if (found == NULL && c->found_count < KINDS_MAX) {
        found = &c->found[c->found_count++];
        *found = (found_kind){.seen = kind};
        jrpc_buffer_init(&found->text, jrpc_allocator_heap(), TEXT_BYTES);
    } else if (found == NULL || found->text.len <= text.len) {
        return;
    }
    found->traits = contrast->traits;
    found->origin = origin;
    jrpc_buffer_clear(&found->text);
    (void)jrpc_buffer_append(&found->text, text);
}

typedef struct probing {
    comparing *c;
    const found_kind *kind;
} probing;

static jck_probe try_text(void *context, jrpc_slice text)
{
    probing *p = context;
    jck_contrast contrast;
    if (!ask_and_find(p->c, text, &contrast)) {
        return JCK_PROBE_STOPS;
    }
    return jck_contrast_is_within(&contrast, &p->kind->traits) ? JCK_PROBE_SHOWS : JCK_PROBE_LACKS;
}

static bool is_fatal(const jck_traits *traits)
{
    for (size_t i = 0; i < traits->count; i++) {
        if (jck_class_is_fatal(traits->items[i].class)) {
            return true;
        }
    }
    return false;
}

// Reports a disagreement, with its text made as small as possible. False: stop.
static bool report(comparing *c, found_kind *kind)
{
    probing p = {.c = c, .kind = kind};
    if (is_combination(c, &kind->traits, kind->origin)) {
        return true; // by what was reported of the same batch
    }
    bool small = kind->origin != NULL && kind->text.len <= SMALL_TEXT;
    size_t probes = is_fatal(&kind->traits) ? PROBES_FATAL : PROBES_MAX;
    note_seen(c, kind->seen);
    if (!small && !jck_lessen(&kind->text, probes, try_text, &p)) {
        return false;
    }
    jrpc_slice text = jrpc_buffer_slice(&kind->text);
    jck_contrast contrast;
    if (!ask_and_find(c, text, &contrast)) {
        return false;
    }
    seen_kind left = {.key = jck_traits_key(&contrast.traits), .rule = kind->seen.rule};
    if (!jck_contrast_is_within(&contrast, &kind->traits) ||
        (left.key != kind->seen.key && is_seen(c, left))) {
        return true; // it does not recur, or its smaller form was already reported
    }
    note_seen(c, left);
    note_reported(c, &contrast.traits);
    jck_reply replies[JCK_SIDES_MAX];
    for (size_t side = 0; side < c->sides; side++) {
        replies[side] = c->replies[side][0];
    }
    const jck_disagreement disagreement = {
        .text = text, .origin = kind->origin, .contrast = &contrast, .replies = replies};
    return jck_against_report(c->run, &c->sum, &disagreement);
}

static bool report_found(comparing *c)
{
    bool on = true;
    for (size_t i = 0; i < c->found_count; i++) {
        on = on && report(c, &c->found[i]);
        jrpc_buffer_done(&c->found[i].text);
    }
    c->found_count = 0;
    return on;
}

// Asks all the texts of the batch and reports what is new. False: stop.
static bool compare_batch(comparing *c)
{
    size_t count = c->count;
    c->count = 0;
    if (count == 0) {
        return true;
    }
    if (!ask_all(c, c->questions, count)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        jck_contrast contrast;
        find(c, i, &contrast);
        c->sum.texts++;
        c->sum.differing += contrast.differs ? 1 : 0;
        for (size_t side = JCK_OTHER; side < c->sides; side++) {
            c->sum.apart[side] += contrast.apart[side] ? 1 : 0;
        }
        if (contrast.differs && !contrast.failed && contrast.traits.count > 0) {
            note(c, i, &contrast);
        }
    }
    bool on = report_found(c);
    jrpc_buffer_clear(&c->run->texts);
    return on && !jck_ledger_look_at_time(&c->run->ledger);
}

// Points the questions of cases to their texts, which no longer move.
static bool compare_cases_of_batch(comparing *c)
{
    const jrpc_buffer *texts = &c->run->texts;
    for (size_t i = 0; i < c->count; i++) {
        size_t end = i + 1 < c->count ? c->begins[i + 1] : texts->len;
        c->questions[i] = jrpc_slice_of(texts->ptr + c->begins[i], end - c->begins[i]);
    }
    return compare_batch(c);
}

static bool compare_cases(comparing *c)
{
    const jck_plan *plan = &c->run->plan;
    bool on = true;
    for (size_t i = 0; i < plan->case_count && on; i++) {
        const jck_case *test_case = plan->cases[i];
        if (test_case->step_count > 1) {
            continue; // about growth, which is measured for one parser at a time
        }
        c->origins[c->count] = test_case;
        c->begins[c->count++] = c->run->texts.len;
        on = jck_parser_expand(c->run, test_case, 0);
        if (on && (c->count == BATCH || c->run->texts.len > BATCH_BYTES)) {
            on = compare_cases_of_batch(c);
        }
    }
    return on && compare_cases_of_batch(c);
}

static void compare_generated(comparing *c)
{
    bool on = true;
    jck_generated_init(&c->generated, c->run);
    while (on && (c->count = jck_generated_next(&c->generated, c->questions)) > 0) {
        for (size_t i = 0; i < c->count; i++) {
            c->origins[i] = NULL;
        }
        on = compare_batch(c);
    }
    jck_generated_done(&c->generated);
}

static void compare(jck_parser_run_state *run)
{
    comparing *c = jrpc_arena_alloc(run->lasting, sizeof *c);
    if (c == NULL) {
        jck_ledger_starve(&run->ledger);
        return;
    }
    c->run = run;
    c->sides = JCK_OTHER + run->other_count;
    for (size_t side = 0; side < c->sides; side++) {
        c->replies[side] = jrpc_arena_array(run->lasting, BATCH, sizeof *c->replies[side]);
        if (c->replies[side] == NULL) {
            jck_ledger_starve(&run->ledger);
            return;
        }
    }
    jrpc_arena_init(&c->kept, jrpc_allocator_heap(), REPLIES_BYTES * c->sides);
    if (run->options->generates) {
        compare_generated(c);
    } else {
        (void)compare_cases(c);
    }
    jck_against_report_sum(run, &c->sum);
    jrpc_arena_done(&c->kept);
}

void jck_parser_compare(const jck_run_options *options, jck_run_result *ret_result)
{
    jck_parser_run_with(options, false, compare, ret_result);
}
