#include "harness/live/account.h"

#include "harness/live/assign.h"
#include "harness/live/behaviour.h"
#include "harness/live/result.h"
#include "harness/live/scan.h"
#include "reference/base/hash.h"
#include "reference/json/equal.h"
#include "reference/json/read.h"

#include <string.h>

#define ARENA_BYTES ((size_t)64 << 20)
#define RESULT_BYTES ((size_t)8 << 20)
// Longer error messages are left to the judge.
#define MESSAGE_CONCISE 512u

const char *jck_symptom_name(jck_symptom symptom)
{
    static const char *const names[] = {"none",  "wrong", "missing", "extra",
                                        "ended", "mute",  "flood"};
    return names[symptom];
}

void jck_account_init(jck_account *account, const jck_due_context *context)
{
    *account = (jck_account){.context = context};
    jrpc_arena_init(&account->arena, jrpc_allocator_heap(), ARENA_BYTES);
    jrpc_json_document_init(&account->expected, jrpc_allocator_heap());
    jrpc_buffer_init(&account->result, jrpc_allocator_heap(), RESULT_BYTES);
}

void jck_account_done(jck_account *account)
{
    jrpc_buffer_done(&account->result);
    jrpc_json_document_done(&account->expected);
    jrpc_arena_done(&account->arena);
}

void jck_account_begin(jck_account *account, jck_sent *sent, size_t count)
{
    account->sent = sent;
    account->count = count;
    account->first = 0;
    account->after = 0;
    account->extras = 0;
    account->heard = 0;
    account->lenient = false;
    account->open = jck_target_traits(account->context->target)->exchanges;
    account->unassigned_count = 0;
    for (size_t i = 0; i < count; i++) {
        account->lenient = account->lenient || sent[i].due.kind == JCK_DUE_ANY;
        account->open = account->open || sent[i].travel.open;
        sent[i].answered = sent[i].failed = false;
        sent[i].symptom = JCK_SYMPTOM_NONE;
        sent[i].noted = 0;
        sent[i].behaviour = 0;
    }
}

// Whether the data of an error holds nothing that looks like a trace.
static bool is_data_plain(jrpc_slice data)
{
    return data.len < MESSAGE_CONCISE || (!jrpc_slice_contains(data, JRPC_SLICE("at ")) &&
                                          !jrpc_slice_contains(data, JRPC_SLICE("Traceback")));
}

static bool is_error_plain(jrpc_json error, int64_t *ret_code)
{
    jrpc_json message = jrpc_json_get(error, "message");
    jrpc_slice text = jrpc_json_spelling(message);
    return jrpc_json_is(error, JRPC_JSON_OBJECT) &&
           jrpc_json_int64(jrpc_json_get(error, "code"), ret_code) &&
           !jrpc_code_is_undefined(*ret_code) && jrpc_json_is(message, JRPC_JSON_STRING) &&
           text.len < MESSAGE_CONCISE && !jrpc_slice_contains(text, JRPC_SLICE("\\n")) &&
           !jrpc_slice_contains(text, JRPC_SLICE("Traceback")) && jrpc_json_count(error) <= 3 &&
           is_data_plain(jrpc_json_spelling(jrpc_json_get(error, "data")));
}

// Whether a Response has the form required of every Response.
static bool is_form_plain(jrpc_json response)
{
    jrpc_json error = jrpc_json_get(response, "error");
    jrpc_json result = jrpc_json_get(response, "result");
    return jrpc_json_is(response, JRPC_JSON_OBJECT) && jrpc_json_count(response) == 3 &&
           jrpc_json_string_is(jrpc_json_get(response, "jsonrpc"), JRPC_SLICE("2.0")) &&
           jrpc_json_exists(jrpc_json_get(response, "id")) &&
           jrpc_json_exists(error) != jrpc_json_exists(result);
}

static bool is_id_right(const jck_due *due, jrpc_json id)
{
    return (jrpc_json_exists(due->id) && jck_ids_equal(id, due->id)) ||
           ((due->odd & JCK_ODD_ID) != 0 && jck_id_may_return_as(due->id, id)) ||
           (due->null_id && jrpc_json_is(id, JRPC_JSON_NULL));
}

// Writes the result that is due into account->result. Returns whether it is known.
static bool has_result(jck_account *account, const jck_due *due)
{
    jrpc_buffer_clear(&account->result);
    return due->form == JCK_FORM_KNOWN && jck_result_write(due, &account->result);
}

// Whether a result is equal to account->result.
static bool is_equal(jck_account *account, jrpc_json result)
{
    return jrpc_slice_equal(jrpc_buffer_slice(&account->result), jrpc_json_spelling(result)) ||
           (jrpc_json_read(&account->expected, jrpc_buffer_slice(&account->result),
                           JCK_MESSAGE_DEPTH, NULL) &&
            jrpc_json_equal(jrpc_json_root(&account->expected), result));
}

static bool is_result_right(jck_account *account, const jck_due *due, jrpc_json result)
{
    if (due->form == JCK_FORM_NEAR && due->mapping != NULL) {
        jrpc_buffer_clear(&account->result);
        return !jck_result_of_near(due, &account->result) || !is_equal(account, result);
    }
    return due->result && (!has_result(account, due) || is_equal(account, result));
}

// Whether an error is the one that the call asks for, or it asks for none.
static bool is_error_given(const jck_due *due, jrpc_json error, int64_t code)
{
    jck_error_given given;
    return due->form != JCK_FORM_KNOWN || !jck_contract_gives_error(due->mapping) ||
           (jck_error_given_of(due, &given) && code == given.code &&
            (!jrpc_json_exists(given.data) ||
             jrpc_json_equal(jrpc_json_get(error, "data"), given.data)));
}

// Whether it is known that the method can do what it is asked: the result is known, and nothing is
// too long or deep.
static bool is_served(jck_account *account, const jck_due *due)
{
    return (due->odd & (JCK_ODD_SIZE | JCK_ODD_DEPTH)) == 0 && has_result(account, due);
}

static bool fits(jck_account *account, const jck_due *due, jrpc_json response)
{
    int64_t code = 0;
    jrpc_json error = jrpc_json_get(response, "error");
    return due->kind != JCK_DUE_NOTHING && due->kind != JCK_DUE_BATCH && is_form_plain(response) &&
           is_id_right(due, jrpc_json_get(response, "id")) &&
           (jrpc_json_exists(error)
                // If the result is known, the params fit and there is no internal error.
                ? is_error_plain(error, &code) && jck_code_is_due(due, code) &&
                      is_error_given(due, error, code) &&
                      !((code == JRPC_INTERNAL_ERROR || code == JRPC_INVALID_REQUEST) &&
                        is_served(account, due))
                : is_result_right(account, due, jrpc_json_get(response, "result")));
}

// The next element of a batch for which a Response is due; `due` is written if there is one.
static bool next_owed(const jck_account *account, jrpc_json_iterator *at, jck_due *due)
{
    while (jrpc_json_step(at)) {
        *due = jck_due_of(account->context, at->value);
        if (due->kind == JCK_DUE_ONE) {
            return true;
        }
    }
    return false;
}

// Whether a Response is due for an element of the batch that is not used yet, and uses that one.
static bool takes_element(jck_account *account, const jck_due *due, jrpc_json response, bool *used)
{
    size_t index = 0;
    bool found = false;
    for (jrpc_json_iterator it = jrpc_json_iterate(due->value); !found && jrpc_json_step(&it);
         index++) {
        jck_due element = jck_due_of(account->context, it.value);
        found = !used[index] && element.kind == JCK_DUE_ONE && fits(account, &element, response);
        used[index] = used[index] || found;
    }
    return found;
}

// Whether each element is the answer that is due for an element of the batch. An invalid element
// with an id may be answered with null, so what has an id is placed first.
static bool fits_batch_anyhow(jck_account *account, const jck_due *due, jrpc_json array)
{
    jrpc_arena_clear(&account->arena);
    bool *used = jrpc_arena_array(&account->arena, due->length + 1, sizeof *used);
    bool fit = used != NULL;
    for (int null = 0; null < 2 && fit; null++) {
        for (jrpc_json_iterator it = jrpc_json_iterate(array); fit && jrpc_json_step(&it);) {
            bool is_null = jrpc_json_is(jrpc_json_get(it.value, "id"), JRPC_JSON_NULL);
            fit = is_null != (null == 1) || takes_element(account, due, it.value, used);
        }
    }
    return fit;
}

static bool fits_batch(jck_account *account, const jck_due *due, jrpc_json array)
{
    if (due->kind != JCK_DUE_BATCH || jrpc_json_count(array) != due->calls) {
        return false;
    }
    jrpc_json_iterator sent = jrpc_json_iterate(due->value);
    for (jrpc_json_iterator it = jrpc_json_iterate(array); jrpc_json_step(&it);) {
        jck_due element = {0};
        if (!next_owed(account, &sent, &element) || !fits(account, &element, it.value)) {
            return fits_batch_anyhow(account, due, array);
        }
    }
    return true;
}

static uint64_t behaviour_of(const jck_sent *sent, uint64_t behaviour)
{
    behaviour = jrpc_hash_number(behaviour, jck_due_class(&sent->due));
    return jrpc_hash_number(behaviour, sent->noted) | 1u;
}

static void settle(jck_account *account, jck_sent *sent, uint64_t behaviour, jck_symptom symptom)
{
    sent->answered = true;
    sent->turn = account->heard;
    sent->symptom = symptom;
    sent->behaviour = behaviour_of(sent, behaviour);
    account->after = (size_t)(sent - account->sent) + 1;
    while (account->first < account->count && account->sent[account->first].answered) {
        account->first++;
    }
}

static bool is_open(const jck_sent *sent, char connection)
{
    return !sent->answered && sent->connection == connection;
}

static bool has_own_id(const jck_sent *sent)
{
    return jrpc_json_exists(sent->due.id) && !jrpc_json_is(sent->due.id, JRPC_JSON_NULL);
}

static jck_sent *find_by_id(jck_account *account, char connection, jrpc_json id)
{
    uint64_t key = jck_id_key(id);
    for (size_t i = account->first; i < account->count; i++) {
        jck_sent *sent = &account->sent[i];
        if (is_open(sent, connection) && jck_id_keys_may_agree(key, sent->due.id_key) &&
            has_own_id(sent) && jck_ids_equal(id, sent->due.id)) {
            return sent;
        }
    }
    return NULL;
}

// The message that allows any answer and has this id.
static jck_sent *find_unclear(jck_account *account, char connection, jrpc_json id)
{
    for (size_t i = account->first; i < account->count; i++) {
        jck_sent *sent = &account->sent[i];
        if (is_open(sent, connection) && sent->due.kind == JCK_DUE_ANY &&
            jck_ids_equal(jrpc_json_get(sent->due.value, "id"), id)) {
            return sent;
        }
    }
    return NULL;
}

static jck_sent *find_by_changed_id(jck_account *account, char connection, jrpc_json response)
{
    for (size_t i = account->first; i < account->count; i++) {
        jck_sent *sent = &account->sent[i];
        if (is_open(sent, connection) && (sent->due.odd & JCK_ODD_ID) != 0 &&
            (sent->due.kind == JCK_DUE_ANY || fits(account, &sent->due, response))) {
            return sent;
        }
    }
    return NULL;
}

// The message whose id the target may have shortened to this one. Without this, its answer would
// not be missed if an answer with id null could be the one to this message.
static jck_sent *find_by_cut_id(jck_account *account, char connection, jrpc_json id)
{
    for (size_t i = account->first; i < account->count && !account->lenient; i++) {
        jck_sent *sent = &account->sent[i];
        if (is_open(sent, connection) && jck_id_may_be_cut_to(sent->due.id, id)) {
            return sent;
        }
    }
    return NULL;
}

// Whether an element of the batch has the same id as an element of the Array.
static bool shares_id(jrpc_json batch, jrpc_json array)
{
    for (jrpc_json_iterator a = jrpc_json_iterate(array); jrpc_json_step(&a);) {
        jrpc_json id = jrpc_json_get(a.value, "id");
        bool usable = jrpc_json_exists(id) && !jrpc_json_is(id, JRPC_JSON_NULL);
        for (jrpc_json_iterator b = jrpc_json_iterate(batch); usable && jrpc_json_step(&b);) {
            if (jck_ids_equal(id, jrpc_json_get(b.value, "id"))) {
                return true;
            }
        }
    }
    return false;
}

// The batch that an Array answers: correctly, or by its ids, or because there is no other. If there
// is also a message that allows any answer, a wrong answer could belong to that one.
static jck_sent *find_batch(jck_account *account, char connection, jrpc_json array, bool *ret_right)
{
    jck_sent *named = NULL;
    jck_sent *open = NULL;
    for (size_t i = account->first; i < account->count; i++) {
        jck_sent *sent = &account->sent[i];
        if (!is_open(sent, connection) || sent->due.kind != JCK_DUE_BATCH) {
            continue;
        }
        if (fits_batch(account, &sent->due, array)) {
            *ret_right = true;
            return sent;
        }
        named = named == NULL && shares_id(sent->due.value, array) ? sent : named;
        open = open == NULL ? sent : open;
    }
    *ret_right = false;
    return named != NULL || account->lenient ? named : open;
}

// The batch of notifications that an empty Array answers: most targets answer in order, so the next
// one after the last answer, or else the first.
static jck_sent *find_silent_batch(jck_account *account, char connection)
{
    for (size_t i = 0; i < account->count; i++) {
        jck_sent *sent = &account->sent[(account->after + i) % account->count];
        if (is_open(sent, connection) && sent->due.form == JCK_FORM_BATCH &&
            sent->due.kind == JCK_DUE_NOTHING) {
            return sent;
        }
    }
    return NULL;
}

static void keep_unassigned(jck_account *account, char connection, jrpc_json value, bool broken,
                            uint64_t behaviour)
{
    jrpc_json error = jrpc_json_get(value, "error");
    jck_unassigned kept = {.connection = connection, .behaviour = behaviour};
    kept.turn = account->heard;
    kept.valid = !broken || account->open;
    kept.result = jrpc_json_exists(jrpc_json_get(value, "result"));
    kept.plain = is_form_plain(value) && (kept.result || is_error_plain(error, &kept.code));
    if (account->unassigned_count < JCK_UNASSIGNED_MOST) {
        account->unassigned[account->unassigned_count++] = kept;
    }
}

void jck_account_hear(jck_account *account, char connection, jrpc_json value, bool broken)
{
    uint64_t behaviour = jck_behaviour_of(value);
    jrpc_json id = jrpc_json_get(value, "id");
    bool right = false;
    jck_sent *sent = NULL;
    account->heard++;
    if (jrpc_json_is(value, JRPC_JSON_ARRAY) && jrpc_json_count(value) == 0 && !account->lenient) {
        sent = find_silent_batch(account, connection);
        if (sent != NULL) {
            settle(account, sent, behaviour, JCK_SYMPTOM_EXTRA);
            return;
        }
    }
    if (jrpc_json_is(value, JRPC_JSON_ARRAY)) {
        sent = find_batch(account, connection, value, &right);
    } else if (!jrpc_json_exists(id) || jrpc_json_is(id, JRPC_JSON_NULL)) {
        keep_unassigned(account, connection, value, broken, behaviour);
        return;
    } else {
        sent = find_by_id(account, connection, id);
        sent = sent == NULL ? find_unclear(account, connection, id) : sent;
        right = sent != NULL && (sent->due.kind == JCK_DUE_ANY || fits(account, &sent->due, value));
        jck_sent *changed = sent == NULL ? find_by_changed_id(account, connection, value) : NULL;
        right = right || changed != NULL;
        sent = changed != NULL ? changed : sent;
        sent = sent == NULL ? find_by_cut_id(account, connection, id) : sent;
    }
    // Whether a Response with id null can belong to a message.
    if (sent != NULL) {
        right = right || account->lenient;
        sent->failed = jrpc_json_exists(jrpc_json_get(value, "error"));
        settle(account, sent, behaviour, right ? JCK_SYMPTOM_NONE : JCK_SYMPTOM_WRONG);
    } else if (!account->lenient) {
        account->extras++;
        account->behaviour = behaviour;
    }
}

void jck_account_note(jck_account *account, size_t index, int status, unsigned magnitude)
{
    jck_sent *sent = &account->sent[index];
    sent->noted = (uint64_t)status * 16u + magnitude;
    if (sent->noted > 0) { // an answer without a usable id is entered later
        sent->behaviour = behaviour_of(sent, sent->behaviour);
    }
}

void jck_account_note_last(jck_account *account, unsigned magnitude)
{
    jck_sent *sent = account->after > 0 ? &account->sent[account->after - 1] : NULL;
    if (magnitude > 0 && sent != NULL && sent->answered && sent->turn == account->heard) {
        sent->noted = magnitude;
        sent->behaviour = behaviour_of(sent, sent->behaviour);
    }
}

static bool is_missing(const jck_sent *sent)
{
    return !sent->answered && (sent->due.kind == JCK_DUE_ONE || sent->due.kind == JCK_DUE_BATCH);
}

size_t jck_account_missing(const jck_account *account, char connection)
{
    size_t missing = 0;
    size_t unassigned = 0;
    for (size_t i = account->first; i < account->count; i++) {
        missing +=
            is_missing(&account->sent[i]) && account->sent[i].connection == connection ? 1 : 0;
    }
    for (size_t i = 0; i < account->unassigned_count; i++) {
        unassigned += account->unassigned[i].connection == connection ? 1 : 0;
    }
    return missing > unassigned ? missing - unassigned : 0;
}

// The first message without its answer. Bytes that are not JSON may also belong to a message to
// which any answer is right.
static jck_sent *find_suspect(jck_account *account, const jck_unassigned *response)
{
    for (size_t i = account->first; i < account->count; i++) {
        jck_sent *sent = &account->sent[i];
        if (is_open(sent, response->connection) &&
            (is_missing(sent) || (!response->valid && sent->due.kind == JCK_DUE_ANY))) {
            return sent;
        }
    }
    return NULL;
}

// A Response that is left over was not due, or is a wrong answer to a message without one.
static void settle_unassigned(jck_account *account)
{
    size_t message_of[JCK_UNASSIGNED_MOST];
    if (!jck_assign(account, message_of)) {
        return;
    }
    for (size_t r = 0; r < account->unassigned_count; r++) {
        if (message_of[r] != SIZE_MAX) {
            settle(account, &account->sent[message_of[r]], account->unassigned[r].behaviour,
                   JCK_SYMPTOM_NONE);
        }
    }
    for (size_t r = 0; r < account->unassigned_count; r++) {
        if (message_of[r] != SIZE_MAX) {
            continue;
        }
        const jck_unassigned *left = &account->unassigned[r];
        jck_sent *suspect = find_suspect(account, left);
        if (account->lenient && left->valid) {
            continue;
        }
        if (suspect != NULL) {
            settle(account, suspect, left->behaviour, JCK_SYMPTOM_WRONG);
        } else {
            account->extras++;
            account->behaviour = left->behaviour;
        }
    }
}

size_t jck_account_close(jck_account *account)
{
    jrpc_arena_clear(&account->arena);
    if (account->unassigned_count > 0) {
        settle_unassigned(account);
    }
    size_t symptoms = account->extras;
    for (size_t i = 0; i < account->count; i++) {
        jck_sent *sent = &account->sent[i];
        sent->symptom = is_missing(sent) ? JCK_SYMPTOM_MISSING : sent->symptom;
        symptoms += sent->symptom != JCK_SYMPTOM_NONE ? 1 : 0;
    }
    return symptoms;
}
