#include "harness/report/since.h"

#include "harness/report/words.h"
#include "reference/base/limits.h"

// More than an event can hold, so only a lack of memory can make it fail.
#define SIDE_BYTES (JRPC_LIMIT_DOCUMENT_BYTES * 4)

static void keep(jck_since *since, jrpc_slice text, jrpc_slice *ret_kept)
{
    (void)jrpc_arena_copy(&since->arena, text, ret_kept);
}

bool jck_since_begin(jck_page *page, jck_since *since)
{
    const jck_reading_start *start = &page->tally.start;
    if (!since->ready) {
        since->ready = true;
        jrpc_arena_init(&since->arena, jrpc_allocator_heap(), JRPC_LIMIT_DOCUMENT_BYTES);
        since->end = &since->first;
    }
    since->expected = since->first;
    if (page->runs == 1) {
        keep(since, start->target, &since->old_target);
        keep(since, start->started, &since->old_started);
    } else {
        keep(since, start->target, &since->target);
        keep(since, start->started, &since->started);
        keep(since, start->tool, &since->tool);
    }
    return !since->arena.failed;
}

static bool find(jck_since *since, const jck_reading_case *test_case, jck_since_case **ret_case)
{
    jck_since_case *from = since->expected;
    for (int round = 0; round < 2; round++) {
        for (jck_since_case *at = round == 0 ? from : since->first; at != NULL; at = at->next) {
            if (jrpc_slice_equal(at->id, test_case->id)) {
                since->expected = at->next;
                *ret_case = at;
                return true;
            }
        }
    }
    jck_since_case *made = jrpc_arena_alloc(&since->arena, sizeof *made);
    if (made == NULL) {
        return false;
    }
    *made = (jck_since_case){.id = {"", 0}};
    *since->end = made;
    since->end = &made->next;
    *ret_case = made;
    keep(since, test_case->id, &made->id);
    keep(since, test_case->title, &made->title);
    return !since->arena.failed;
}

// Like jck_append_account, but with raw bytes: each format makes them safe in its own way.
static void append_account(jrpc_buffer *out, const jck_reading_case *test_case)
{
    const jck_reading_finding *finding = jck_decisive_finding(test_case);
    if (finding != NULL) {
        (void)jrpc_buffer_append(out, finding->rule);
        (void)jrpc_buffer_append_str(out, ": ");
        (void)jrpc_buffer_append(out, finding->text);
        return;
    }
    jck_append_end(out, JCK_SAFE_PLAIN, test_case);
    if (out->len == 0) {
        (void)jrpc_buffer_append(out, test_case->reason);
    }
}

// Keeps the content of a buffer and empties it. False if out of memory.
static bool keep_all(jck_since *since, jrpc_buffer *text, jrpc_slice *ret_kept)
{
    keep(since, jrpc_buffer_slice(text), ret_kept);
    bool whole = !text->failed && !since->arena.failed;
    jrpc_buffer_clear(text);
    return whole;
}

// Makes texts that are equal if, and only if, the two runs found the same.
static bool describe(jck_since *since, const jck_reading_case *test_case, jck_since_side *side)
{
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), SIDE_BYTES);
    for (size_t i = 0; i < test_case->finding_count; i++) {
        if (test_case->findings[i].level != JCK_LEVEL_OBSERVE) {
            (void)jrpc_buffer_append(&text, test_case->findings[i].rule);
            (void)jrpc_buffer_append_char(&text, ' ');
        }
    }
    bool whole = keep_all(since, &text, &side->rules);
    for (size_t i = 0; i < test_case->observation_count; i++) {
        (void)jrpc_buffer_append_str(&text, i == 0 ? "" : ", ");
        (void)jrpc_buffer_append(&text, test_case->observations[i].name);
        (void)jrpc_buffer_append_str(&text, " ");
        (void)jrpc_buffer_append(&text, test_case->observations[i].value);
    }
    whole = keep_all(since, &text, &side->observed) && whole;
    append_account(&text, test_case);
    whole = keep_all(since, &text, &side->account) && whole;
    jrpc_buffer_done(&text);
    return whole;
}

bool jck_since_take_case(jck_page *page, jck_since *since, const jck_reading_case *test_case)
{
    jck_since_case *found;
    if (test_case->ground) {
        return true;
    }
    if (!find(since, test_case, &found)) {
        return false;
    }
    jck_since_side *side = page->runs == 1 ? &found->old : &found->now;
    *side = (jck_since_side){.there = true,
                             .outcome = test_case->outcome,
                             .breach = jck_reading_is_breach(test_case, false)};
    return describe(since, test_case, side);
}

// 0: not judged; 1: right; 2: doubtful; 3: wrong.
static int rank(const jck_since_side *side)
{
    if (!side->there || side->outcome == JCK_OUTCOME_SKIP || side->outcome == JCK_OUTCOME_BLOCKED ||
        side->outcome == JCK_OUTCOME_ERROR) {
        return 0;
    }
    return side->breach ? 3 : side->outcome == JCK_OUTCOME_WARN ? 2 : 1;
}

bool jck_since_kind(const jck_since_case *test_case, jck_change_kind *ret_kind)
{
    const jck_since_side *old = &test_case->old;
    const jck_since_side *now = &test_case->now;
    int before = rank(old);
    int after = rank(now);
    if (!now->there) {
        *ret_kind = JCK_CHANGE_GONE;
    } else if (before == 0) {
        *ret_kind = after >= 2 ? JCK_CHANGE_NEW_WRONG : JCK_CHANGE_ADDED;
        return after > 0 || !old->there;
    } else if (after == 0) {
        *ret_kind = JCK_CHANGE_UNJUDGED;
    } else if (after != before) {
        *ret_kind = after > before ? JCK_CHANGE_BROKEN : JCK_CHANGE_FIXED;
    } else if (after >= 2) {
        *ret_kind = JCK_CHANGE_OTHERWISE;
        return old->outcome != now->outcome || !jrpc_slice_equal(old->rules, now->rules);
    } else {
        *ret_kind = JCK_CHANGE_CHOICE;
        return !jrpc_slice_equal(old->observed, now->observed);
    }
    return true;
}

void jck_since_count(jck_since *since)
{
    for (const jck_since_case *at = since->first; at != NULL; at = at->next) {
        jck_change_kind kind;
        if (jck_since_kind(at, &kind)) {
            since->counts[kind]++;
        }
    }
}

static const struct {
    const char *word;
    const char *heading;
} change_words[JCK_CHANGE_COUNT] = {
    {"broken", "Broken: was better"},
    {"new and wrong", "New, and wrong"},
    {"fixed", "Fixed: was worse"},
    {"wrong in another way", "Wrong as before, in another way"},
    {"another choice", "Another choice where the specification leaves it open"},
    {"no longer judged", "No longer judged"},
    {"new and right", "New, and right"},
    {"gone", "Gone"},
};

const char *jck_change_word(jck_change_kind kind)
{
    return change_words[kind].word;
}

const char *jck_change_heading(jck_change_kind kind)
{
    return change_words[kind].heading;
}
