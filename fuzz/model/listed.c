#include "fuzz/model/listed.h"

#include "fuzz/fuzz.h"
#include "fuzz/model/groups.h"
#include "fuzz/model/plain.h"
#include "fuzz/model/unsafe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_IN_MARKDOWN = 30, COUNTS_BYTES = 200 };

static const char *const level_words[] = {"OBSERVE", "SHOULD", "MUST"};

// Half a surrogate pair cannot be written in UTF-8, so such texts are shown in another way.
static bool is_whole(jrpc_slice text)
{
    for (size_t i = 0; i + 1 < text.len; i++) {
        if ((unsigned char)text.ptr[i] == 0xED && (unsigned char)text.ptr[i + 1] >= 0xA0) {
            return false;
        }
    }
    return true;
}

static void require_text(const tree *object, const char *name, jrpc_slice text)
{
    const tree *value = tree_member(object, name);
    FUZZ_REQUIRE(value != NULL && value->kind == 's');
    FUZZ_REQUIRE(!is_whole(text) || jrpc_slice_equal(value->content, text));
}

static void require_groups(const tree *run, const char *name, groups expected)
{
    const tree *list = tree_member(run, name);
    FUZZ_REQUIRE(list != NULL && list->kind == 'a' && list->count == expected.count);
    for (size_t i = 0; i < list->count; i++) {
        const tree *one = list->items[i];
        const group *told = &expected.all[i];
        const tree *level = tree_member(one, "level");
        const tree *in_baseline = tree_member(one, "expected");
        char cases[24];
        (void)snprintf(cases, sizeof cases, "%zu", told->cases);
        require_text(one, "name", told->name);
        require_text(one, "example", told->example);
        FUZZ_REQUIRE(jrpc_slice_is(tree_member(one, "cases")->spelling, cases));
        FUZZ_REQUIRE(level == NULL || tree_is_text(level, level_words[told->level]));
        FUZZ_REQUIRE(
            in_baseline == NULL ||
            jrpc_slice_is(in_baseline->spelling, told->unexpected == 0 ? "true" : "false"));
        if (tree_member(one, "sentence") != NULL) {
            require_text(one, "sentence", told->value);
        } else if (tree_member(one, "value") != NULL) {
            require_text(one, "value", told->value);
        }
    }
}

// "2 MUST rules broken", of those outside the baseline, if the sentence says what is broken.
static void require_sentence(const tree *run, groups broken)
{
    const tree *sentence = tree_member(tree_member(run, "verdict"), "sentence");
    for (int level = GROUPS_SHOULD; level <= GROUPS_MUST; level++) {
        size_t count = 0;
        for (size_t i = 0; i < broken.count; i++) {
            count += broken.all[i].unexpected != 0 && broken.all[i].unexpected_level == level;
        }
        char words[60];
        (void)snprintf(words, sizeof words, "%zu %s rule%s broken", count, level_words[level],
                       count == 1 ? "" : "s");
        bool said = plain_find(sentence->content, words) != SIZE_MAX;
        // If no rule is broken, other words say why the run does not conform.
        bool other = jrpc_slice_starts_with(sentence->content, JRPC_SLICE("NOTHING WAS JUDGED")) ||
                     plain_find(sentence->content, "names no broken rule") != SIZE_MAX;
        FUZZ_REQUIRE(said == (count != 0) || other);
    }
}

void listed_require_json(tree_pool *pool, const tree *object, const runs_run *run)
{
    require_sentence(object, groups_broken(pool, run));
    require_groups(object, "broken", groups_broken(pool, run));
    require_groups(object, "unmapped", groups_unmapped(pool, run));
    require_groups(object, "skipped", groups_skipped(pool, run));
    require_groups(object, "blocked", groups_blocked(pool, run));
    require_groups(object, "observed", groups_observed(pool, run));
}

bool listed_is_duration(jrpc_slice text, const runs_run *run)
{
    const tree *told = run->finish == NULL ? NULL : tree_member(run->finish, "duration_us");
    bool unsure = false;
    char words[40];
    if (told == NULL || !tree_is_between(told, 0, 4000000000, &unsure) || unsure) {
        return true;
    }
    unsigned long ms = strtoul(told->spelling.ptr, NULL, 10) / 1000;
    unsigned long s = ms / 1000;
    if (s == 0) {
        (void)snprintf(words, sizeof words, "%lu ms", ms);
    } else if (s < 60) {
        (void)snprintf(words, sizeof words, "%lu.%lu s", s, ms / 100 % 10);
    } else {
        (void)snprintf(words, sizeof words, "%lu min %02lu s", s / 60, s % 60);
    }
    return plain_begins(text, words);
}

static const char *word_of(const cause *one)
{
    switch (one->outcome) {
    case RUNS_CRASH:
        return "CRASH";
    case RUNS_HANG:
        return "HANG";
    case RUNS_STUCK:
        return "STUCK";
    case RUNS_ERROR:
        return "ERROR";
    default:
        return level_words[one->level];
    }
}

// "3 cases and 1 more as a SHOULD, also seen in 2 others, 4 not judged because of it".
static void put_counts(const cause *one, char *out)
{
    size_t worst = one->at_level[one->level];
    int len = snprintf(out, COUNTS_BYTES, "%zu case%s", worst, worst == 1 ? "" : "s");
    if (one->cases > worst) {
        len += snprintf(out + len, (size_t)(COUNTS_BYTES - len), " and %zu more as a SHOULD",
                        one->cases - worst);
    }
    if (one->repeats > 0) {
        len += snprintf(out + len, (size_t)(COUNTS_BYTES - len), ", also seen in %zu other%s",
                        one->repeats, one->repeats == 1 ? "" : "s");
    }
    if (one->blocks > 0) {
        len += snprintf(out + len, (size_t)(COUNTS_BYTES - len), ", %zu not judged because of it",
                        one->blocks);
    }
    if (one->unexpected == 0) {
        (void)snprintf(out + len, (size_t)(COUNTS_BYTES - len), ", in the baseline");
    }
}

static void skip(jrpc_slice *rest, const char *part)
{
    FUZZ_REQUIRE(plain_begins(*rest, part));
    *rest = jrpc_slice_from(*rest, strlen(part));
}

// The text before the next occurrence of a part. The part is taken too.
static jrpc_slice take_until(jrpc_slice *rest, const char *part)
{
    size_t end = plain_find(*rest, part);
    FUZZ_REQUIRE(end != SIZE_MAX);
    jrpc_slice taken = jrpc_slice_of(rest->ptr, end - strlen(part));
    *rest = jrpc_slice_from(*rest, end);
    return taken;
}

static bool is_slug(jrpc_slice id)
{
    bool slug = id.len != 0 && id.len < 80;
    for (size_t i = 0; slug && i < id.len; i++) {
        slug = (id.ptr[i] >= 'a' && id.ptr[i] <= 'z') || (id.ptr[i] == '/' && i != 0);
    }
    return slug;
}

// How an example can be seen again: its name, and what must run before it.
static void require_repeat(tree_pool *pool, jrpc_slice text, const runs_case *one, bool required)
{
    size_t at = plain_find(text, "jrpcheck repro ");
    char words[600];
    if (!is_slug(one->id) || jrpc_slice_starts_with(one->id, JRPC_SLICE("fuzz/"))) {
        return;
    }
    if (at == SIZE_MAX) {
        (void)snprintf(words, sizeof words, "\ncase      %.*s", (int)one->id.len, one->id.ptr);
        FUZZ_REQUIRE(!required || plain_find(text, words) == text.len);
        return;
    }
    (void)snprintf(words, sizeof words, "%.*s%s ", (int)one->id.len, one->id.ptr,
                   causes_after(pool, one));
    // An apostrophe may be written as a reference.
    jrpc_slice shown = jrpc_slice_from(text, at);
    const char *end = shown.len == 0 ? NULL : memchr(shown.ptr, required ? '\n' : '<', shown.len);
    shown.len = end == NULL ? shown.len : (size_t)(end - shown.ptr);
    shown = required ? unsafe_from_marked(pool, shown) : unsafe_from_markup(pool, shown);
    FUZZ_REQUIRE(plain_begins(shown, words));
}

void listed_require_markdown(tree_pool *pool, jrpc_slice *report, const runs_run *run,
                             size_t examples)
{
    size_t count;
    const cause *all = causes_of(pool, run, examples, &count);
    char counts[COUNTS_BYTES];
    if (count == 0) {
        return;
    }
    (void)take_until(report, "\n### What is broken\n\n");
    for (size_t i = 0; i < count; i++) {
        skip(report, "<b>");
        skip(report, word_of(&all[i]));
        skip(report, "</b> ");
        if (all[i].rule.len != 0) {
            skip(report, "<code>");
            jrpc_slice rule = take_until(report, "</code> ");
            rule = unsafe_bytes(pool, unsafe_from_marked(pool, rule));
            FUZZ_REQUIRE(!is_whole(all[i].rule) || jrpc_slice_equal(rule, all[i].rule));
        }
        put_counts(&all[i], counts);
        skip(report, counts);
        skip(report, ": ");
        (void)take_until(report, "\n\n");
        if (i < SHOWN_IN_MARKDOWN && all[i].example_count != 0) {
            skip(report, "<pre>sent      ");
            require_repeat(pool, take_until(report, "</pre>\n\n"), all[i].examples[0], true);
        }
    }
}

void listed_require_html(tree_pool *pool, jrpc_slice *report, const runs_run *run, size_t examples)
{
    size_t count;
    const cause *all = causes_of(pool, run, examples, &count);
    char counts[COUNTS_BYTES];
    (void)take_until(report, ">What is broken");
    jrpc_slice section = take_until(report, "<p class=\"none\"");
    for (size_t i = 0; i < count; i++) {
        (void)take_until(&section, "<details class=\"\" data-is=\"");
        (void)take_until(&section, "\">");
        (void)take_until(&section, "\">");
        skip(&section, word_of(&all[i]));
        skip(&section, "</span><span class=\"id\">");
        (void)take_until(&section, "</span><span class=\"n\">");
        put_counts(&all[i], counts);
        skip(&section, counts);
        skip(&section, "</span><span class=\"t\">");
        jrpc_slice inside = take_until(&section, "</details>\n");
        for (size_t k = 0; k < all[i].example_count; k++) {
            (void)take_until(&inside, "<dl class=\"exhibit\">");
            require_repeat(pool, take_until(&inside, "</dl>\n"), all[i].examples[k], false);
        }
        FUZZ_REQUIRE(plain_find(inside, "<dl class=\"exhibit\">") == SIZE_MAX);
    }
    FUZZ_REQUIRE(plain_find(section, "<details class=\"\" data-is=\"") == SIZE_MAX);
}
