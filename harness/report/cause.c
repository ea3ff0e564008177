#include "harness/report/cause.h"

#include "harness/report/words.h"

void jck_causes_init(jck_causes *causes, jrpc_arena *arena, size_t examples)
{
    *causes = (jck_causes){
        .tested = jck_words_of_role((jrpc_slice){"", 0}),
        .arena = arena,
        .examples = examples < JCK_EXHIBITS_MAX ? examples : JCK_EXHIBITS_MAX,
    };
}

// Finds the cause for that outcome or rule, created if there is none. *ret_cause is NULL if there
// is no room for another one. False if out of memory.
static bool find(jck_causes *causes, jck_outcome outcome, jrpc_slice rule, jck_cause **ret_cause)
{
    jck_cause **place = &causes->first;
    for (; *place != NULL; place = &(*place)->next) {
        if ((*place)->outcome == outcome && jrpc_slice_equal((*place)->rule, rule)) {
            *ret_cause = *place;
            return true;
        }
    }
    *ret_cause = NULL;
    if (causes->count >= JCK_CAUSES_MAX) {
        return true;
    }
    jck_cause *cause = jrpc_arena_alloc(causes->arena, sizeof *cause);
    if (cause == NULL || !jrpc_arena_copy(causes->arena, rule, &cause->rule)) {
        return false;
    }
    cause->outcome = outcome;
    cause->tested = causes->tested;
    *place = cause;
    causes->count++;
    *ret_cause = cause;
    return true;
}

// Running out of memory is noticed in the arena, before anything is used.
static void keep(jrpc_arena *arena, jrpc_slice text, jrpc_slice *ret_text)
{
    if (text.len > JCK_EXHIBIT_BYTES) {
        text.len = JCK_EXHIBIT_BYTES;
    }
    (void)jrpc_arena_copy(arena, text, ret_text);
}

static size_t size_of(const jck_reading_case *test_case)
{
    enum { A_MESSAGE = 64 };
    size_t size = 0;
    for (size_t i = 0; i < test_case->message_count; i++) {
        if (jck_is_of_case(&test_case->messages[i])) {
            size += test_case->messages[i].true_len + A_MESSAGE;
        }
    }
    return size;
}

// How much there is to read in a case: more if the case tests something else, accepts several
// answers, or breaks the rule at a lower level than others do.
static size_t burden(const jck_reading_case *test_case, const jck_reading_finding *finding,
                     jrpc_slice rule, jck_level level)
{
    enum {
        ABOUT_ANOTHER = 400,
        ANOTHER_ANSWER = 200,
        AT_A_LOWER_LEVEL = 1 << 18,
        IN_THE_BASELINE = 1 << 20
    };
    size_t answers = finding == NULL ? 0 : finding->expected_count;
    bool own =
        rule.len == 0 || (test_case->rule_count > 0 && jrpc_slice_equal(test_case->rules[0], rule));
    return size_of(test_case) + (own ? 0 : ABOUT_ANOTHER) +
           (answers > 1 ? (answers - 1) * ANOTHER_ANSWER : 0) +
           (level == JCK_LEVEL_MUST ? 0 : AT_A_LOWER_LEVEL) +
           (test_case->expected ? IN_THE_BASELINE : 0);
}

static void choose_messages(jck_causes *causes, const jck_reading_case *test_case, int step,
                            jck_exhibit *exhibit)
{
    for (size_t i = 0; i < test_case->message_count; i++) {
        const jck_reading_message *message = &test_case->messages[i];
        if (!jck_is_of_case(message)) {
            continue;
        }
        exhibit->sent_count += message->sent;
        exhibit->received_count += !message->sent;
        if (message->sent && (message->step <= step || !exhibit->has_sent)) {
            exhibit->sent = *message;
            exhibit->has_sent = true;
        } else if (!message->sent && message->step == step && !exhibit->has_received) {
            exhibit->received = *message;
            exhibit->has_received = true;
        }
    }
    keep(causes->arena, exhibit->sent.bytes, &exhibit->sent.bytes);
    keep(causes->arena, exhibit->received.bytes, &exhibit->received.bytes);
}

static void keep_examples(jck_causes *causes, const jck_reading_finding *finding,
                          jck_exhibit *exhibit)
{
    jck_reading_example *items =
        jrpc_arena_array(causes->arena, finding->expected_count + 1, sizeof *items);
    if (items == NULL) {
        return;
    }
    exhibit->expected = items;
    exhibit->expected_count = finding->expected_count;
    for (size_t i = 0; i < finding->expected_count; i++) {
        keep(causes->arena, finding->expected[i].kind, &items[i].kind);
        keep(causes->arena, finding->expected[i].text, &items[i].text);
    }
}

// The messages of cases alone: calls that only prove silence explain nothing.
static void keep_sequence(jck_causes *causes, const jck_reading_case *test_case,
                          jck_exhibit *exhibit)
{
    jck_reading_message *items =
        jrpc_arena_array(causes->arena, test_case->sequence_count + 1, sizeof *items);
    if (items == NULL) {
        return;
    }
    exhibit->sequence = items;
    for (size_t i = 0; i < test_case->sequence_count; i++) {
        const jck_reading_message *message = &test_case->sequence[i];
        if (jck_is_of_case(message)) {
            jck_reading_message *item = &items[exhibit->sequence_count++];
            *item = (jck_reading_message){.sent = true, .true_len = message->true_len};
            keep(causes->arena, message->bytes, &item->bytes);
        }
    }
}

static bool is_smaller(jrpc_slice a, jrpc_slice b)
{
    size_t shared = a.len < b.len ? a.len : b.len;
    int order = shared == 0 ? 0 : memcmp(a.ptr, b.ptr, shared);
    return order != 0 ? order < 0 : a.len < b.len;
}

// Whether a case is the better example: the smaller one, else the first by name, so that the choice
// does not depend on the order in which cases finished.
static bool is_before(jrpc_slice id, size_t size, const jck_exhibit *other)
{
    return size != other->size ? size < other->size : is_smaller(id, other->id);
}

// Keeps the case among the examples if it is one of the smallest.
static bool exhibit_case(jck_causes *causes, jck_cause *cause, const jck_reading_case *test_case,
                         const jck_reading_finding *finding, jck_level level)
{
    size_t size = burden(test_case, finding, cause->rule, level);
    size_t at = cause->exhibit_count;
    while (at > 0 && is_before(test_case->id, size, &cause->exhibits[at - 1])) {
        at--;
    }
    if (at >= causes->examples) {
        return true;
    }
    jck_exhibit made = {.size = size, .end_value = test_case->end_value};
    keep(causes->arena, test_case->id, &made.id);
    keep(causes->arena, test_case->title, &made.title);
    keep(causes->arena, finding == NULL ? test_case->reason : finding->text, &made.text);
    keep(causes->arena, test_case->end, &made.end);
    keep(causes->arena, test_case->after, &made.after);
    keep(causes->arena, jck_last_words(test_case->error_output), &made.last_words);
    choose_messages(causes, test_case, finding == NULL ? 0 : finding->step, &made);
    keep_sequence(causes, test_case, &made);
    if (finding != NULL) {
        keep_examples(causes, finding, &made);
    }
    if (causes->arena->failed) {
        return false;
    }
    made.http_status = made.sent_count == 1 ? test_case->http_status : 0;
    if (cause->exhibit_count < causes->examples) {
        cause->exhibit_count++;
    }
    for (size_t i = cause->exhibit_count - 1; i > at; i--) {
        cause->exhibits[i] = cause->exhibits[i - 1];
    }
    cause->exhibits[at] = made;
    return true;
}

static bool count(jck_causes *causes, jck_outcome outcome, const jck_reading_case *test_case,
                  const jck_reading_finding *finding, jck_level level)
{
    jck_cause *cause;
    jrpc_slice rule = outcome == JCK_OUTCOME_FAIL ? finding->rule : (jrpc_slice){"", 0};
    if (!find(causes, outcome, rule, &cause)) {
        return false;
    }
    if (cause == NULL) {
        return true;
    }
    cause->cases++;
    cause->cases_at[level]++;
    cause->level = level > cause->level ? level : cause->level;
    if (!test_case->expected) {
        cause->unexpected++;
        cause->unexpected_level = level > cause->unexpected_level ? level : cause->unexpected_level;
    }
    return (cause->sentence.len > 0 || outcome != JCK_OUTCOME_FAIL ||
            jrpc_arena_copy(causes->arena, finding->sentence, &cause->sentence)) &&
           exhibit_case(causes, cause, test_case, finding, level);
}

static bool is_down(jck_outcome outcome)
{
    return outcome >= JCK_OUTCOME_STUCK;
}

// Whether a finding says only that the target went down.
static bool is_about_the_end(const jck_reading_finding *finding)
{
    return finding->expected_count > 0 && jrpc_slice_is(finding->expected[0].kind, "alive");
}

// Names the rule that an outcome breaks, beside it. False if out of memory.
static bool name_rule(jck_causes *causes, jck_outcome outcome, jrpc_slice rule)
{
    jck_cause *cause;
    if (!find(causes, outcome, (jrpc_slice){"", 0}, &cause)) {
        return false;
    }
    for (size_t i = 0; cause != NULL && i < cause->rule_count; i++) {
        if (jrpc_slice_equal(cause->rules[i], rule)) {
            return true;
        }
    }
    return cause == NULL || cause->rule_count == JCK_CAUSE_RULES_MAX ||
           jrpc_arena_copy(causes->arena, rule, &cause->rules[cause->rule_count++]);
}

static bool is_counted(const jck_reading_case *test_case, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (test_case->findings[i].known == test_case->findings[index].known &&
            jrpc_slice_equal(test_case->findings[i].rule, test_case->findings[index].rule)) {
            return true;
        }
    }
    return false;
}

// Records that a rule explains a case that tests something else.
static bool note(jck_causes *causes, jrpc_slice rule, bool blocked)
{
    jck_cause *cause;
    if (!find(causes, JCK_OUTCOME_FAIL, rule, &cause)) {
        return false;
    }
    if (cause != NULL) {
        cause->blocks += blocked;
        cause->repeats += !blocked;
    }
    return true;
}

static bool take_finding(jck_causes *causes, const jck_reading_case *test_case,
                         const jck_reading_finding *finding)
{
    if (finding->known) {
        return note(causes, finding->rule, false);
    }
    if (is_down(test_case->outcome) && is_about_the_end(finding)) {
        return name_rule(causes, test_case->outcome, finding->rule);
    }
    return finding->level == JCK_LEVEL_OBSERVE ||
           count(causes, JCK_OUTCOME_FAIL, test_case, finding, finding->level);
}

bool jck_causes_take(jck_causes *causes, const jck_reading_case *test_case)
{
    if (test_case->outcome == JCK_OUTCOME_BLOCKED) {
        return test_case->blocked_by.len == 0 || note(causes, test_case->blocked_by, true);
    }
    if (is_down(test_case->outcome)) {
        const jck_reading_finding *last = test_case->finding_count == 0
                                              ? NULL
                                              : &test_case->findings[test_case->finding_count - 1];
        if (!count(causes, test_case->outcome, test_case, last, JCK_LEVEL_MUST)) {
            return false;
        }
    }
    for (size_t i = 0; i < test_case->finding_count; i++) {
        if (!is_counted(test_case, i) &&
            !take_finding(causes, test_case, &test_case->findings[i])) {
            return false;
        }
    }
    return true;
}

static bool is_worse(const jck_cause *a, const jck_cause *b)
{
    bool a_known = a->unexpected == 0;
    bool b_known = b->unexpected == 0;
    if (a_known != b_known) {
        return b_known;
    }
    if (a->outcome != b->outcome) {
        return a->outcome > b->outcome;
    }
    if (a->level != b->level) {
        return a->level > b->level;
    }
    size_t a_roots = a->blocks + a->repeats;
    size_t b_roots = b->blocks + b->repeats;
    return a_roots != b_roots ? a_roots > b_roots : a->cases > b->cases;
}

// Insertion sort: stable, and there are few causes.
void jck_causes_sort(jck_causes *causes)
{
    jck_cause *sorted = NULL;
    while (causes->first != NULL) {
        jck_cause *cause = causes->first;
        causes->first = cause->next;
        if (cause->cases == 0) {
            causes->count--;
            continue;
        }
        jck_cause **place = &sorted;
        while (*place != NULL && !is_worse(cause, *place)) {
            place = &(*place)->next;
        }
        cause->next = *place;
        *place = cause;
    }
    causes->first = sorted;
}
