// A baseline file that is anything. Mistakes in it are reported with their places, and no right
// entry is lost. A run over it leaves each entry in the state that the manual says. The file that
// is then written reads as these states, and is the same when it is written again. Memory that runs
// out is reported.
//
// Options: whether the file may be unfinished and whether new failures are added, the seed of the
// run, how long it is, the n-th allocation that fails.
#include "harness/baseline/baseline.h"
#include "fuzz/data.h"
#include "fuzz/fuzz.h"
#include "fuzz/model/grammar.h"
#include "fuzz/model/tree.h"
#include "reference/base/random.h"

enum { ROOM = 1 << 20, RECORDS_MAX = 80 };

// Outcomes of a run; only the first BREACHES of them can be let pass.
static const jck_outcome outcomes[] = {JCK_OUTCOME_FAIL,   JCK_OUTCOME_CRASH, JCK_OUTCOME_HANG,
                                       JCK_OUTCOME_STUCK,  JCK_OUTCOME_ENDED, JCK_OUTCOME_WARN,
                                       JCK_OUTCOME_PASS,   JCK_OUTCOME_SKIP,  JCK_OUTCOME_OBSERVE,
                                       JCK_OUTCOME_BLOCKED};
enum { BREACHES = 6, OUTCOMES = sizeof outcomes / sizeof *outcomes };

typedef struct run {
    jck_recorded records[RECORDS_MAX];
    const jck_case *cases[RECORDS_MAX];
    size_t count;
} run;

typedef struct told {
    size_t count;
    bool starved;
} told;

static void check_place(void *context, const jrpc_error *error)
{
    told *all = context;
    all->count++;
    all->starved = all->starved || error->code == JRPC_ERROR_MEMORY ||
                   strcmp(error->message, "out of memory") == 0;
    FUZZ_REQUIRE(error->message[0] != '\0');
    FUZZ_REQUIRE(strcmp(error->source, "known.json") == 0 && error->line != 0);
}

static bool is_read(jck_baseline *baseline, jrpc_slice text, bool unfinished, told *all)
{
    *all = (told){0};
    bool whole = jck_baseline_read(baseline, text, "known.json", unfinished, check_place, all);
    FUZZ_REQUIRE(whole == (all->count == 0));
    return whole;
}

// The entries that a file has, as the second opinion counts them.
static void require_entries(const jck_baseline *baseline, jrpc_slice text)
{
    tree_pool pool = {NULL};
    const tree *root = tree_read(&pool, text);
    FUZZ_REQUIRE(root->kind == 'o');
    const tree *entries = tree_member(root, "entries");
    FUZZ_REQUIRE(entries != NULL && entries->kind == 'a' && entries->count == baseline->count);
    for (size_t i = 0; i < baseline->count; i++) {
        const jck_entry *entry = &baseline->entries[i];
        const tree *outcome = tree_member(entries->items[i], "outcome");
        const tree *id = tree_member(entries->items[i], "case");
        FUZZ_REQUIRE(tree_is_text(outcome, jck_outcome_name(entry->outcome)));
        FUZZ_REQUIRE(jck_suite_find_case(fuzz_suite(), id->content) == entry->test_case);
        FUZZ_REQUIRE(entry->flaky == (tree_member(entries->items[i], "flaky") != NULL));
        FUZZ_REQUIRE(entry->state == JCK_ENTRY_UNRUN && entry->line != 0);
        for (size_t other = 0; other < i; other++) {
            FUZZ_REQUIRE(baseline->entries[other].test_case != entry->test_case);
        }
    }
    tree_pool_done(&pool);
}

// A run of cases that the file names, and of others.
static void make_run(const jck_baseline *baseline, jrpc_random *random, size_t count, run *ret)
{
    static const jrpc_slice rules[] = {JRPC_SLICE_INIT("J2-4a"), JRPC_SLICE_INIT("J2-5a")};
    ret->count = count < RECORDS_MAX ? count : RECORDS_MAX;
    for (size_t i = 0; i < ret->count; i++) {
        size_t known = baseline->count == 0 ? 0 : jrpc_random_below(random, baseline->count);
        bool named = baseline->count != 0 && jrpc_random_below(random, 3) != 0;
        // Few others, so that some come twice; of a long run many.
        ret->cases[i] =
            named ? baseline->entries[known].test_case
                  : jck_suite_case(fuzz_suite(), jrpc_random_below(random, count > 24 ? 200 : 6));
        size_t outcome = (size_t)jrpc_random_below(random, OUTCOMES);
        bool as_expected = named && jrpc_random_below(random, 2) == 0;
        ret->records[i] = (jck_recorded){.id = ret->cases[i]->id,
                                         .outcome = as_expected ? baseline->entries[known].outcome
                                                                : outcomes[outcome],
                                         .breach = as_expected || outcome < BREACHES,
                                         .rules = rules,
                                         .rule_count = (size_t)jrpc_random_below(random, 3)};
    }
}

// A flaky target that crashes may look like one that hangs: an entry of either kind expects both.
static bool is_loss(jck_outcome outcome)
{
    return outcome == JCK_OUTCOME_STUCK || outcome == JCK_OUTCOME_HANG ||
           outcome == JCK_OUTCOME_CRASH;
}

// What the manual makes of one execution of the case of an entry.
static jck_entry_state state_of(const jck_entry *entry, const jck_recorded *record)
{
    bool expected = record->outcome == entry->outcome ||
                    (entry->flaky && is_loss(record->outcome) && is_loss(entry->outcome));
    return expected         ? JCK_ENTRY_HOLDS
           : record->breach ? JCK_ENTRY_CHANGED
           : entry->flaky   ? JCK_ENTRY_HOLDS
                            : JCK_ENTRY_STALE;
}

static void require_states(const jck_baseline *baseline, const run *played, size_t from_file)
{
    for (size_t i = 0; i < from_file; i++) {
        const jck_entry *entry = &baseline->entries[i];
        jck_entry_state worst = JCK_ENTRY_UNRUN;
        for (size_t n = 0; n < played->count; n++) {
            if (played->cases[n] == entry->test_case) {
                jck_entry_state state = state_of(entry, &played->records[n]);
                worst = state > worst ? state : worst;
            }
        }
        FUZZ_REQUIRE(entry->state == worst);
    }
}

// Every case that broke something without an entry has one now, once, with the worst it did.
static void require_added(const jck_baseline *baseline, const run *played, size_t from_file)
{
    for (size_t i = from_file; i < baseline->count; i++) {
        const jck_entry *entry = &baseline->entries[i];
        jck_outcome worst = JCK_OUTCOME_PASS;
        for (size_t n = 0; n < played->count; n++) {
            const jck_recorded *record = &played->records[n];
            if (played->cases[n] == entry->test_case && record->breach && record->outcome > worst) {
                worst = record->outcome;
            }
        }
        FUZZ_REQUIRE(worst == entry->outcome && worst != JCK_OUTCOME_PASS);
    }
    for (size_t n = 0; n < played->count; n++) {
        size_t entries = 0;
        for (size_t i = 0; i < baseline->count; i++) {
            entries += baseline->entries[i].test_case == played->cases[n];
        }
        FUZZ_REQUIRE(entries == 1 || (entries == 0 && !played->records[n].breach));
    }
}

static void write_into(const jck_baseline *baseline, jrpc_buffer *out)
{
    jrpc_buffer_init(out, jrpc_allocator_heap(), ROOM);
    FUZZ_REQUIRE(jck_baseline_write(baseline, JRPC_SLICE("t"), out, NULL));
}

static const jck_entry *entry_of(const jck_baseline *baseline, const jck_case *test_case)
{
    for (size_t i = 0; i < baseline->count; i++) {
        if (baseline->entries[i].test_case == test_case) {
            return &baseline->entries[i];
        }
    }
    return NULL;
}

static void require_written(const jck_baseline *baseline)
{
    jck_baseline again;
    told all;
    jrpc_buffer first;
    jrpc_buffer second;
    write_into(baseline, &first);
    jck_baseline_init(&again, fuzz_suite());
    FUZZ_REQUIRE(is_read(&again, jrpc_buffer_slice(&first), true, &all));
    size_t stale = 0;
    for (size_t i = 0; i < baseline->count; i++) {
        const jck_entry *entry = &baseline->entries[i];
        const jck_entry *kept = entry_of(&again, entry->test_case);
        bool changed = entry->state == JCK_ENTRY_CHANGED;
        stale += entry->state == JCK_ENTRY_STALE;
        FUZZ_REQUIRE((kept == NULL) == (entry->state == JCK_ENTRY_STALE));
        FUZZ_REQUIRE(kept == NULL || kept->outcome == (changed ? entry->found : entry->outcome));
        FUZZ_REQUIRE(kept == NULL || kept->flaky == entry->flaky);
        FUZZ_REQUIRE(kept == NULL || jck_baseline_expects(&again, kept->test_case, kept->outcome));
        FUZZ_REQUIRE(!jck_baseline_expects(&again, entry->test_case, JCK_OUTCOME_PASS));
    }
    FUZZ_REQUIRE(again.count + stale == baseline->count);
    write_into(&again, &second);
    FUZZ_REQUIRE(jrpc_slice_equal(jrpc_buffer_slice(&first), jrpc_buffer_slice(&second)));
    jck_baseline_done(&again);
    jrpc_buffer_done(&second);
    jrpc_buffer_done(&first);
}

static void play(jck_baseline *baseline, const fuzz_input *input)
{
    run played;
    jrpc_random random;
    size_t from_file = baseline->count;
    bool adding = (input->options[0] & 2) != 0;
    jrpc_random_init(&random, input->options[1]);
    make_run(baseline, &random, input->options[2], &played);
    for (size_t i = 0; i < played.count; i++) {
        jck_baseline_record(baseline, &played.records[i], adding);
    }
    FUZZ_REQUIRE(!baseline->failed);
    require_states(baseline, &played, from_file);
    if (adding) {
        require_added(baseline, &played, from_file);
    } else {
        FUZZ_REQUIRE(baseline->count == from_file);
    }
    require_written(baseline);
}

// The same where memory runs out: nothing half read passes for whole, nothing half noted is
// written.
static void starve(const fuzz_input *input, bool whole)
{
    jck_baseline baseline;
    jrpc_failing_allocator failing;
    told all;
    size_t successes = input->options[3] - 1u;
    jrpc_failing_allocator_init(&failing, successes);
    jck_baseline_init(&baseline, fuzz_suite());
    jrpc_arena_init(&baseline.arena, &failing.allocator, ROOM);
    jrpc_json_document_init(&baseline.document, &failing.allocator);
    bool is_whole = is_read(&baseline, input->text, (input->options[0] & 1) != 0, &all);
    FUZZ_REQUIRE(is_whole == whole || (failing.count > successes && all.starved));
    if (is_whole) {
        run played;
        jrpc_random random;
        jrpc_buffer out;
        jrpc_random_init(&random, input->options[1]);
        make_run(&baseline, &random, input->options[2], &played);
        for (size_t i = 0; i < played.count; i++) {
            jck_baseline_record(&baseline, &played.records[i], true);
        }
        FUZZ_REQUIRE(baseline.failed == (failing.count > successes));
        jrpc_buffer_init(&out, jrpc_allocator_heap(), ROOM);
        FUZZ_REQUIRE(jck_baseline_write(&baseline, JRPC_SLICE("t"), &out, NULL) != baseline.failed);
        jrpc_buffer_done(&out);
    }
    jck_baseline_done(&baseline);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    jck_baseline baseline;
    told all;
    bool unfinished = (input.options[0] & 1) != 0;
    jck_baseline_init(&baseline, fuzz_suite());
    bool whole = is_read(&baseline, input.text, unfinished, &all);
    FUZZ_REQUIRE(!all.starved);
    grammar_verdict form = grammar_check(input.text, TREE_DEPTH).verdict;
    FUZZ_REQUIRE(!whole || form == GRAMMAR_JSON || form == GRAMMAR_DEEP);
    if (whole && form == GRAMMAR_JSON) {
        require_entries(&baseline, input.text);
        play(&baseline, &input);
    } else if (input.text.len == 0) {
        // Where there is no file yet, a run makes the first one.
        jck_baseline_done(&baseline);
        jck_baseline_init(&baseline, fuzz_suite());
        play(&baseline, &input);
    }
    if (input.options[3] != 0) {
        starve(&input, whole);
    }
    jck_baseline_done(&baseline);
    return 0;
}
