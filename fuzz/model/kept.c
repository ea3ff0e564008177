#include "fuzz/model/kept.h"

#include "fuzz/fuzz.h"
#include "fuzz/model/manner.h"
#include "harness/suite/target_private.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static void require_text(jrpc_slice text, const tree *expected)
{
    FUZZ_REQUIRE(expected == NULL ? text.len == 0 : jrpc_slice_equal(text, expected->content));
}

static void require_words(const jrpc_slice *words, size_t count, const tree *expected)
{
    FUZZ_REQUIRE(count == (expected == NULL ? 0 : expected->count));
    for (size_t i = 0; i < count; i++) {
        FUZZ_REQUIRE(jrpc_slice_equal(words[i], expected->items[i]->content));
    }
}

static bool says(const tree *flag, const char *word)
{
    return flag != NULL && jrpc_slice_is(flag->spelling, word);
}

static void require_change(const jck_change *change, const promise_change *expected)
{
    static const char kinds[] = {
        [JCK_CHANGE_LEVEL] = 'l', [JCK_CHANGE_ACCEPT] = 'a', [JCK_CHANGE_LEAVE_OUT] = 'o'};
    const tree *object = expected->object;
    FUZZ_REQUIRE(kinds[change->kind] == expected->kind);
    require_text(change->sentence, tree_member(object, "sentence"));
    require_text(change->source, tree_member(object, "source"));
    FUZZ_REQUIRE(jrpc_slice_equal(change->profile, expected->profile));
    FUZZ_REQUIRE(change->line != 0 && change->file != NULL);
    require_words(change->names, change->name_count,
                  tree_member(object, change->kind == JCK_CHANGE_LEVEL ? "rules" : "cases"));
    require_words(change->sends, change->send_count, tree_member(object, "sends"));
    FUZZ_REQUIRE(change->hazards == says(tree_member(object, "hazards"), "true"));
    FUZZ_REQUIRE(change->methods == says(tree_member(object, "methods"), "true"));
    const tree *answers = tree_member(object, "answers");
    FUZZ_REQUIRE(change->answer_count == (answers == NULL ? 0 : answers->count));
}

static void require_manner(tree_pool *pool, const jck_profile *profile, const promise *model)
{
    FUZZ_REQUIRE(profile->mapping_count == model->mapping_count);
    for (size_t i = 0; i < profile->mapping_count; i++) {
        FUZZ_REQUIRE(
            jrpc_slice_equal(profile->mappings[i].capability, model->mappings[i].capability));
        FUZZ_REQUIRE(manner_agrees(pool, &profile->mappings[i], model->mappings[i].method));
    }
    require_text(profile->revision, model->revision);
    FUZZ_REQUIRE(profile->revision_count ==
                 (model->revisions == NULL ? 0 : model->revisions->count));
    for (size_t i = 0; i < profile->revision_count; i++) {
        FUZZ_REQUIRE(jrpc_slice_is(model->revisions->items[i]->content, profile->revisions[i]));
    }
    FUZZ_REQUIRE(profile->refusal_count == (model->refusals == NULL ? 0 : model->refusals->count));
    for (size_t i = 0; i < profile->refusal_count; i++) {
        require_text(profile->refusals[i].means, tree_member(model->refusals->items[i], "means"));
    }
    FUZZ_REQUIRE((profile->headers != NULL) == (model->headers != NULL));
    FUZZ_REQUIRE(jrpc_json_exists(profile->request_params) == (model->request_params != NULL));
}

static void require_said(const jck_profile *profile, const promise *model)
{
    FUZZ_REQUIRE(jrpc_slice_equal(profile->name, model->name));
    FUZZ_REQUIRE(jrpc_slice_equal(profile->extends, model->extends));
    require_text(profile->title, model->title);
    require_text(profile->url, model->url);
    FUZZ_REQUIRE(profile->strict == says(model->strict, "true"));
    FUZZ_REQUIRE(profile->no_discover == says(model->discover, "false"));
    FUZZ_REQUIRE((profile->suites != NULL) == (model->suites != NULL));
    FUZZ_REQUIRE(profile->suites == NULL || profile->suite_count == model->suites->count);
    for (size_t i = 0; profile->suites != NULL && i < profile->suite_count; i++) {
        FUZZ_REQUIRE(jrpc_slice_is(model->suites->items[i]->content, profile->suites[i]));
    }
    FUZZ_REQUIRE(profile->framing_given == (model->framing != NULL));
    FUZZ_REQUIRE(!profile->framing_given ||
                 jrpc_slice_is(model->framing->content, jrpc_framing_name(profile->framing)));
    FUZZ_REQUIRE(jrpc_json_exists(profile->requests) == (model->requests != NULL));
    FUZZ_REQUIRE((profile->prelude != NULL) == (model->prelude != NULL));
    FUZZ_REQUIRE(profile->prelude == NULL || profile->prelude_count == model->prelude->count);
    FUZZ_REQUIRE((profile->postlude != NULL) == (model->postlude != NULL));
    FUZZ_REQUIRE(profile->postlude == NULL || profile->postlude_count == model->postlude->count);
    require_words(profile->declares, profile->declare_count, model->declares);
    FUZZ_REQUIRE(profile->change_count == model->change_count);
    for (size_t i = 0; i < profile->change_count; i++) {
        require_change(&profile->changes[i], &model->changes[i]);
    }
}

void promises_require_kept(tree_pool *pool, const jck_profile *profile, const promise *model)
{
    require_said(profile, model);
    require_manner(pool, profile, model);
}

static size_t count_of(const char *const *list)
{
    size_t count = 0;
    while (list != NULL && list[count] != NULL) {
        count++;
    }
    return count;
}

// The target's own lines, then those of the profile; nothing that is made afterwards is taken for
// one.
static void require_headers(jck_target *target, const char *const *own, const char *const *more)
{
    memset(jrpc_arena_alloc(&target->arena, 64), 0x5A, 64);
    size_t before = count_of(own);
    FUZZ_REQUIRE(count_of(target->headers) == before + count_of(more));
    for (size_t i = 0; i < before + count_of(more); i++) {
        const char *line = i < before ? own[i] : more[i - before];
        FUZZ_REQUIRE(strcmp(target->headers[i], line) == 0);
    }
}

// A target says what it says itself, and all else as the profile has it.
// A header of the target's own whose name is that of the profile's first one, in other letters,
// with a letter more or one less: only the first two take its place.
static void require_own_header(const jck_profile *profile, unsigned choice)
{
    enum { AS_IT_IS, IN_CAPITALS, LONGER, SHORTER, MANNERS, LINE_BYTES = 200 };
    size_t count = 0;
    while (profile->headers != NULL && profile->headers[count] != NULL) {
        count++;
    }
    const char *first = count == 0 ? "" : profile->headers[0];
    size_t name = strcspn(first, ":");
    if (name == 0 || name + sizeof "x: own" > LINE_BYTES) {
        return;
    }
    char line[LINE_BYTES];
    unsigned manner = choice % MANNERS;
    (void)snprintf(line, sizeof line, "%.*s%s: own", (int)(name - (manner == SHORTER)), first,
                   manner == LONGER ? "x" : "");
    for (size_t i = 0; i < name && manner == IN_CAPITALS; i++) {
        line[i] = line[i] >= 'a' && line[i] <= 'z' ? (char)(line[i] - 'a' + 'A') : line[i];
    }
    const char *const own[] = {line, NULL};
    size_t expected = 1;
    for (size_t i = 0; i < count; i++) {
        size_t len = strcspn(profile->headers[i], ":");
        bool taken = len == strcspn(line, ":") && strncasecmp(profile->headers[i], line, len) == 0;
        expected += taken ? 0 : 1;
    }
    jck_target target;
    jck_target_init(&target);
    target.headers = own;
    FUZZ_REQUIRE(jck_profile_adopt(profile, &target, NULL));
    size_t kept = 0;
    while (target.headers[kept] != NULL) {
        kept++;
    }
    FUZZ_REQUIRE(kept == expected && strcmp(target.headers[0], line) == 0);
    jck_target_done(&target);
}

void promises_require_adopted(const jck_profile *profile, unsigned choice)
{
    for (unsigned i = 0; i < 4; i++) {
        require_own_header(profile, choice + i);
    }
    static const jrpc_slice declared[] = {JRPC_SLICE_INIT("nonce")};
    static const jck_step none = {.kind = JCK_STEP_CLOSE};
    // A profile has no headers of these names: they hold what its own names may not.
    static const char *const lines[] = {"x=1: a", "x=2: b", NULL};
    const char *const *own = choice / 20 % 3 == 0 ? NULL : lines + choice / 20 % 2;
    jck_target target;
    jck_target_init(&target);
    bool says_all = (choice & 1) != 0;
    target.transport = (jrpc_transport)(choice / 2 % JRPC_TRANSPORT_COUNT);
    target.framing_given = says_all;
    target.framing = JRPC_FRAMING_LENGTH32;
    target.prelude = says_all ? &none : NULL;
    target.postlude = says_all ? &none : NULL;
    target.declares = declared;
    target.declare_count = choice / 10 % 2;
    size_t before = target.declare_count;
    target.headers = own;
    FUZZ_REQUIRE(jck_profile_adopt(profile, &target, NULL));
    require_headers(&target, own, profile->headers);
    bool stream = jck_target_traits(&target)->byte_stream;
    bool framed = profile->framing_given && !says_all && stream;
    FUZZ_REQUIRE(target.framing == (framed ? profile->framing : JRPC_FRAMING_LENGTH32));
    FUZZ_REQUIRE(target.framing_given == (framed || says_all));
    FUZZ_REQUIRE(target.prelude == (says_all ? &none : profile->prelude));
    FUZZ_REQUIRE(target.postlude == (says_all ? &none : profile->postlude));
    FUZZ_REQUIRE(says_all || target.prelude_count == profile->prelude_count);
    FUZZ_REQUIRE(jrpc_slice_equal(target.profile, profile->name));
    FUZZ_REQUIRE(target.mapping_count == profile->mapping_count);
    FUZZ_REQUIRE(target.mirror_count == profile->mirror_count);
    FUZZ_REQUIRE(jrpc_json_exists(target.request_params) ==
                 jrpc_json_exists(profile->request_params));
    FUZZ_REQUIRE(target.declare_count == before + profile->declare_count);
    for (size_t i = 0; i < target.declare_count; i++) {
        FUZZ_REQUIRE(jrpc_slice_equal(target.declares[i],
                                      i < before ? declared[i] : profile->declares[i - before]));
    }
    jck_target_done(&target);
}
