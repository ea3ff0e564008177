#include "harness/link/fence.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { ID_BYTES = 64, ID_LEN = 10 + 8 + 1 + 16, FORM_BYTES = sizeof((jck_fence_style *)0)->form };

// The content of the id of a fence, without quotes; it needs no escapes.
static jrpc_slice id_of(uint32_t nonce, uint64_t token, char room[ID_BYTES])
{
    int len = snprintf(room, ID_BYTES, "jck-fence-%08" PRIx32 "-%016" PRIx64, nonce, token);
    return jrpc_slice_of(room, (size_t)len);
}

// The same token as a number that every reader of numbers keeps exactly.
static int32_t number_of(uint64_t token)
{
    return (int32_t)(((uint64_t)1 << 29) | (token & (((uint64_t)1 << 29) - 1)));
}

bool jck_fence_write(jck_fences *fences, const jck_fence_style *style, uint32_t nonce,
                     jrpc_random *random, jrpc_buffer *out)
{
    char room[ID_BYTES];
    uint64_t token = jrpc_random_next(random);
    jrpc_slice id = id_of(nonce, token, room);
    bool has_params = style->params[0] != '\0';
    bool written =
        jrpc_buffer_printf(out, "{\"jsonrpc\":\"2.0\",\"method\":%s,%s%s%s\"id\":", style->method,
                           has_params ? "\"params\":" : "", style->params, has_params ? "," : "");
    written =
        written && (style->number ? jrpc_buffer_printf(out, "%" PRId32 "}", number_of(token))
                                  : jrpc_buffer_printf(out, "\"%.*s\"}", (int)id.len, id.ptr));
    if (!written) {
        return false;
    }
    size_t place = fences->count++ % JCK_FENCES_KEPT;
    fences->sent[place].token = token;
    fences->sent[place].answers = 0;
    return true;
}

// Counts an answer to the fence of that number.
static jck_fence_role count_answer(jck_fences *fences, uint32_t number)
{
    bool first = fences->sent[(number - 1) % JCK_FENCES_KEPT].answers++ == 0;
    return !first ? JCK_FENCE_AGAIN : number == fences->count ? JCK_FENCE_ANSWER : JCK_FENCE_LATE;
}

// The number of the fence with that id, 0 if none of those kept has it; tries the latest first.
static uint32_t find(const jck_fences *fences, uint32_t nonce, jrpc_json id)
{
    char room[ID_BYTES];
    int64_t given = 0;
    bool is_number = jrpc_json_int64(id, &given);
    for (uint32_t i = 0; i < fences->count && i < JCK_FENCES_KEPT; i++) {
        uint32_t number = fences->count - i;
        uint64_t token = fences->sent[(number - 1) % JCK_FENCES_KEPT].token;
        if (is_number ? given == number_of(token)
                      : jrpc_json_string_is(id, id_of(nonce, token, room))) {
            return number;
        }
    }
    return 0;
}

// The spelling of a Response without its id; an id of null is part of it. False if it is too long
// to be kept.
static bool form_of(jrpc_json value, char *form, size_t *ret_len)
{
    jrpc_slice whole = jrpc_json_spelling(value);
    jrpc_json id = jrpc_json_get(value, "id");
    bool varies = jrpc_json_is(id, JRPC_JSON_STRING) || jrpc_json_is(id, JRPC_JSON_NUMBER);
    jrpc_slice cut = varies ? jrpc_json_spelling(id) : (jrpc_slice){NULL, 0};
    size_t at = varies ? jrpc_json_offset(id) - jrpc_json_offset(value) : whole.len;
    if (whole.len == 0 || whole.len - cut.len > FORM_BYTES || at > whole.len) {
        return false;
    }
    memcpy(form, whole.ptr, at);
    memcpy(form + at, whole.ptr + at + cut.len, whole.len - cut.len - at);
    *ret_len = whole.len - cut.len;
    return true;
}

// Whether an id has the length and the prefix of a fence's id.
static bool looks_like_ours(uint32_t nonce, jrpc_json id)
{
    char room[ID_BYTES];
    char text[ID_BYTES];
    if (!jrpc_json_is(id, JRPC_JSON_STRING) || jrpc_json_count(id) != ID_LEN) {
        return false;
    }
    jrpc_slice ours = id_of(nonce, 0, room);
    size_t common = ours.len - 16;
    jrpc_arena arena;
    jrpc_slice content = {NULL, 0};
    jrpc_arena_init(&arena, jrpc_allocator_heap(), 4096);
    bool read = jrpc_json_string(id, &arena, &content) && content.len < sizeof text;
    bool ours_begins = read && memcmp(content.ptr, ours.ptr, common) == 0;
    jrpc_arena_done(&arena);
    return ours_begins;
}

// Whether a request calls a method of ours, and so is a fence sent back.
static bool calls_ours(const jck_fence_style *style, jrpc_json request)
{
    jrpc_slice method = jrpc_json_spelling(jrpc_json_get(request, "method"));
    return jrpc_slice_is(method, style->method) ||
           jrpc_slice_starts_with(method, JRPC_SLICE("\"jrpcheck."));
}

// A target that puts the answer to a single call into an Array has answered it all the same.
static jrpc_json out_of_array(jrpc_json value)
{
    bool single = jrpc_json_is(value, JRPC_JSON_ARRAY) && jrpc_json_count(value) == 1;
    jrpc_json element = single ? jrpc_json_element(value, 0) : value;
    bool answers = jrpc_json_exists(jrpc_json_get(element, "result")) ||
                   jrpc_json_exists(jrpc_json_get(element, "error"));
    return answers ? element : value;
}

bool jck_fences_are_answered(const jck_fences *fences)
{
    return fences->count == 0 || fences->sent[(fences->count - 1) % JCK_FENCES_KEPT].answers > 0;
}

jck_fence_role jck_fence_recognize(jck_fences *fences, const jck_fence_style *style, uint32_t nonce,
                                   jrpc_json value, uint32_t *ret_number)
{
    *ret_number = 0;
    value = out_of_array(value);
    if (!jrpc_json_is(value, JRPC_JSON_OBJECT)) {
        return JCK_FENCE_NONE;
    }
    jrpc_json id = jrpc_json_get(value, "id");
    bool response = !jrpc_json_exists(jrpc_json_get(value, "method"));
    if (looks_like_ours(nonce, id)) {
        *ret_number = find(fences, nonce, id);
        // A request from the target may have any id, even one of ours.
        return !response          ? (calls_ours(style, value) ? JCK_FENCE_ECHO : JCK_FENCE_NONE)
               : *ret_number == 0 ? JCK_FENCE_INVENTED
                                  : count_answer(fences, *ret_number);
    }
    if (response && style->number && jrpc_json_is(id, JRPC_JSON_NUMBER)) {
        *ret_number = find(fences, nonce, id);
        if (*ret_number > 0) {
            return count_answer(fences, *ret_number);
        }
    }
    char form[FORM_BYTES];
    size_t len = 0;
    if (response && style->by_form && !jck_fences_are_answered(fences) &&
        form_of(value, form, &len) &&
        jrpc_slice_equal(jrpc_slice_of(form, len), jrpc_slice_of(style->form, style->form_len))) {
        *ret_number = fences->count;
        return count_answer(fences, fences->count);
    }
    return JCK_FENCE_NONE;
}

void jck_fence_numbers_add(jck_fence_numbers *numbers, const jck_fences *fences)
{
    assert(fences->count > 0);
    uint64_t token = fences->sent[(fences->count - 1) % JCK_FENCES_KEPT].token;
    numbers->kept[numbers->count++ % JCK_FENCE_NUMBERS_KEPT] = number_of(token);
}

bool jck_fence_numbers_have(const jck_fence_numbers *numbers, jrpc_json value)
{
    int64_t given = 0;
    jrpc_json response = out_of_array(value);
    bool has = false;
    if (jrpc_json_int64(jrpc_json_get(response, "id"), &given) &&
        !jrpc_json_exists(jrpc_json_get(response, "method"))) {
        for (size_t i = 0; !has && i < numbers->count && i < JCK_FENCE_NUMBERS_KEPT; i++) {
            has = numbers->kept[i] == given;
        }
    }
    return has;
}

void jck_fences_settle(jck_fences *fences)
{
    if (!jck_fences_are_answered(fences)) {
        (void)count_answer(fences, fences->count);
    }
}

void jck_fence_learn(jck_fences *fences, jck_fence_style *style, jrpc_json value)
{
    style->by_form = form_of(value, style->form, &style->form_len) || style->by_form;
    if (fences->count > 0) {
        (void)count_answer(fences, fences->count);
    }
}
