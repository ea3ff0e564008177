// The member `recognise` of a profile.
#include "harness/suite/load_profile.h"

static const char *const members[] = {"as", "framing", "signs", "asks", NULL};
static const char *const sign_members[] = {"message", "says", "status", NULL};
static const char *const refusal_members[] = {"message", "says", "status", "means", NULL};

// A status alone does not identify a protocol, but it can be a refusal.
static void load_sign(jck_reader *reader, jrpc_json object, bool status_is_enough, jck_sign *ret)
{
    static const jck_scope nothing = {.suite = NULL};
    *ret = (jck_sign){.message = jrpc_json_get(object, "message")};
    (void)jck_read_word(reader, object, "says", false, &ret->says);
    (void)jck_read_integer(reader, object, "status", false, 100, 599, &ret->status);
    if (jrpc_json_exists(ret->message) &&
        jck_read_kind(reader, ret->message, "message", JRPC_JSON_OBJECT)) {
        jck_check_pattern(reader, &nothing, ret->message);
    }
    if (!jrpc_json_exists(ret->message) && ret->says.len == 0 &&
        !(status_is_enough && ret->status != 0)) {
        (void)jck_wrong(reader, object, "a sign needs message or says");
    }
}

static void load_signs(jck_reader *reader, jrpc_json array, jck_recognition *ret)
{
    if (!jrpc_json_exists(array) || !jck_read_kind(reader, array, "signs", JRPC_JSON_ARRAY)) {
        return;
    }
    jck_sign *signs = jck_reader_array(reader, jrpc_json_count(array), sizeof *signs);
    for (jrpc_json_iterator it = jrpc_json_iterate(array); signs != NULL && jrpc_json_step(&it);) {
        if (jck_read_object(reader, it.value, "a sign", sign_members)) {
            load_sign(reader, it.value, false, &signs[ret->sign_count++]);
        }
    }
    ret->signs = signs;
}

void jck_load_refusals(jck_reader *reader, jrpc_json root, const jck_denial **ret,
                       size_t *ret_count)
{
    jrpc_json array = jrpc_json_get(root, "refusals");
    size_t count = 0;
    if (!jrpc_json_exists(array) || !jck_read_kind(reader, array, "refusals", JRPC_JSON_ARRAY)) {
        return;
    }
    jck_denial *items = jck_reader_array(reader, jrpc_json_count(array), sizeof *items);
    for (jrpc_json_iterator it = jrpc_json_iterate(array); items != NULL && jrpc_json_step(&it);) {
        if (jck_read_object(reader, it.value, "a refusal", refusal_members)) {
            load_sign(reader, it.value, true, &items[count].sign);
            (void)jck_read_word(reader, it.value, "means", true, &items[count].means);
            count++;
        }
    }
    *ret = items;
    *ret_count = items == NULL ? 0 : count;
}

static void load_asks(jck_reader *reader, jrpc_json array, jck_recognition *ret)
{
    jck_scope scope = {.suite = NULL};
    if (!jrpc_json_exists(array) ||
        !jck_load_steps(reader, &scope, array, &ret->asks, &ret->ask_count)) {
        return;
    }
    for (size_t i = 0; i < ret->ask_count; i++) {
        if (ret->asks[i].kind != JCK_STEP_SEND || ret->asks[i].expect.kind != JCK_EXPECT_RESPONSE) {
            (void)jck_wrong(reader, array,
                            "each of asks sends a call with \"id\": \"${id}\" and expects a "
                            "Response");
        }
    }
}

bool jck_load_recognition(jck_reader *reader, jrpc_json root, jck_recognition *ret)
{
    jrpc_json object = jrpc_json_get(root, "recognise");
    size_t wrong = reader->wrong;
    *ret = (jck_recognition){.framing_given = false};
    if (!jrpc_json_exists(object) || !jck_read_object(reader, object, "recognise", members)) {
        return false;
    }
    (void)jck_read_word(reader, root, "profile", true, &ret->profile);
    (void)jck_read_word(reader, object, "as", true, &ret->as);
    jck_read_framing(reader, object, &ret->framing_given, &ret->framing);
    load_signs(reader, jrpc_json_get(object, "signs"), ret);
    load_asks(reader, jrpc_json_get(object, "asks"), ret);
    if (ret->sign_count + ret->ask_count == 0) {
        (void)jck_wrong(reader, object, "recognise needs signs or asks");
    }
    return reader->wrong == wrong;
}

const jck_recognition *jck_recognitions_load(jck_suite *suite, const char *directory,
                                             size_t *ret_count)
{
    jrpc_arena *arena = &suite->arena;
    const char **names = jck_profile_names(arena, directory);
    size_t most = 0;
    *ret_count = 0;
    while (names != NULL && names[most] != NULL) {
        most++;
    }
    jck_recognition *items = jrpc_arena_array(arena, most + 1, sizeof *items);
    for (size_t i = 0; items != NULL && i < most; i++) {
        jck_reader reader;
        jrpc_json root;
        const char *file = jrpc_arena_printf(arena, "%s/profiles/%s.json", directory, names[i]);
        jck_reader_init(&reader, arena, NULL, NULL, NULL);
        if (file != NULL && jck_reader_open(&reader, file, &root) &&
            jck_load_recognition(&reader, root, &items[*ret_count])) {
            ++*ret_count;
        }
    }
    return *ret_count == 0 ? NULL : items;
}
