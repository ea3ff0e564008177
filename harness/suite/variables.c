#include "harness/suite/variables.h"

#include "harness/suite/amend.h"
#include "harness/suite/kin.h"
#include "reference/base/limits.h"
#include "reference/json/write.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// Fresh Numbers per execution; serial * this stays unique for eight million executions.
#define NUMBERS_PER_EXECUTION 256u
// Numbers stay in 1000 … 2^31 - 1: a server that keeps 32 bits echoes them, and no literal id of a
// case is among them.
#define NUMBER_LEAST 1000u
#define NUMBER_SPAN (UINT32_C(0x7FFFFFFF) - NUMBER_LEAST)

void jck_variables_init(jck_variables *variables, jrpc_arena *arena, const jck_target *target,
                        uint32_t nonce, uint32_t serial)
{
    *variables =
        (jck_variables){.arena = arena, .target = target, .nonce = nonce, .serial = serial};
}

void jck_variables_set_step(jck_variables *variables, int step)
{
    variables->step = step;
}

static jck_variable *find(const jck_variables *variables, jrpc_slice name, int step)
{
    jck_variable *variable = variables->first;
    while (variable != NULL &&
           (variable->step != step || !jrpc_slice_equal(variable->name, name))) {
        variable = variable->next;
    }
    return variable;
}

// Adds or rebinds; `name` and `spelling` are copied.
static jck_variable *bind(jck_variables *variables, jrpc_slice name, int step, jrpc_slice spelling)
{
    jrpc_slice kept;
    if (!jrpc_arena_copy(variables->arena, spelling, &kept)) {
        return NULL;
    }
    jck_variable *variable = find(variables, name, step);
    if (variable != NULL) {
        variable->spelling = kept;
        return variable;
    }
    variable = jrpc_arena_alloc(variables->arena, sizeof *variable);
    if (variable == NULL || !jrpc_arena_copy(variables->arena, name, &variable->name)) {
        return NULL;
    }
    variable->spelling = kept;
    variable->step = step;
    variable->next = variables->first;
    variables->first = variable;
    return variable;
}

// Where the Numbers of a run begin: the nonce shifts them, so that two runs against one server
// differ.
static uint64_t first_place(const jck_variables *variables)
{
    return (uint32_t)(variables->nonce * UINT32_C(2654435761));
}

bool jck_variables_is_earlier_number(const jck_variables *variables, jrpc_json id)
{
    int64_t value = 0;
    if (!jrpc_json_int64(id, &value) || value < NUMBER_LEAST ||
        value - NUMBER_LEAST >= (int64_t)NUMBER_SPAN) {
        return false;
    }
    uint64_t start = first_place(variables) % NUMBER_SPAN;
    uint64_t place = ((uint64_t)(value - NUMBER_LEAST) + NUMBER_SPAN - start) % NUMBER_SPAN;
    return place < (uint64_t)variables->serial * NUMBERS_PER_EXECUTION;
}

// The next Number of this execution; 0 if all were given.
static uint32_t fresh_number(jck_variables *variables)
{
    if (variables->numbers == NUMBERS_PER_EXECUTION) {
        return 0;
    }
    uint64_t place = first_place(variables) + (uint64_t)variables->serial * NUMBERS_PER_EXECUTION +
                     variables->numbers++;
    return NUMBER_LEAST + (uint32_t)(place % NUMBER_SPAN);
}

// A fresh id; `suffix` is the step's number or the NAME.
static bool fresh_id(jck_variables *variables, jrpc_slice name, int step, bool number,
                     jrpc_slice suffix, jrpc_slice *ret_spelling)
{
    jck_variable *variable = find(variables, name, step);
    if (variable == NULL) {
        char spelling[160];
        if (number) {
            uint32_t value = fresh_number(variables);
            if (value == 0) {
                return false;
            }
            (void)snprintf(spelling, sizeof spelling, "%" PRIu32, value);
        } else {
            (void)snprintf(spelling, sizeof spelling, "\"jck-%08" PRIx32 "-%" PRIu32 "-%.*s\"",
                           variables->nonce, variables->serial, (int)suffix.len, suffix.ptr);
        }
        variable = bind(variables, name, step, jrpc_slice_str(spelling));
        if (variable == NULL) {
            return false;
        }
    }
    *ret_spelling = variable->spelling;
    return true;
}

bool jck_is_id_variable(jrpc_slice name, bool *ret_number, jrpc_slice *ret_name)
{
    *ret_number = jrpc_slice_starts_with(name, JRPC_SLICE("id:int"));
    jrpc_slice rest = jrpc_slice_from(name, *ret_number ? 6 : 2);
    if (!jrpc_slice_starts_with(name, JRPC_SLICE("id")) || (rest.len > 0 && rest.ptr[0] != '.')) {
        return false;
    }
    *ret_name = jrpc_slice_from(rest, 1);
    return rest.len == 0 || jck_is_plain_name(*ret_name);
}

bool jck_is_plain_name(jrpc_slice name)
{
    if (name.len == 0 || name.len > 64) {
        return false;
    }
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        bool other = (c >= '0' && c <= '9') || c == '-' || c == '_';
        if (!letter && (i == 0 || !other)) {
            return false;
        }
    }
    return true;
}

// The words that may follow the name of a resource, and what each takes of "repo/issue".
static const struct {
    const char *word;
    bool resource;
    bool subresource;
} parts[] = {{":resource", true, false}, {":subresource", false, true}, {"", true, true}};

// Which of `parts` the word after a resource's name is; *ret_verb is the ".VERB" after it, or
// empty.
static bool find_part(jrpc_slice word, size_t *ret_part, jrpc_slice *ret_verb)
{
    size_t i = 0;
    while (!jrpc_slice_starts_with(word, jrpc_slice_str(parts[i].word))) {
        i++; // the last one matches every word
    }
    *ret_part = i;
    *ret_verb = jrpc_slice_from(word, strlen(parts[i].word));
    bool whole = ret_verb->len == 0 && parts[i].word[0] != '\0';
    return whole || (jrpc_slice_starts_with(*ret_verb, JRPC_SLICE(".")) &&
                     jck_is_plain_name(jrpc_slice_from(*ret_verb, 1)));
}

bool jck_is_resource_variable(jrpc_slice name, jrpc_slice *ret_capability, jrpc_slice *ret_part)
{
    for (const char *const *known = jck_resources(); *known != NULL; known++) {
        size_t part;
        jrpc_slice verb;
        jrpc_slice capability = jrpc_slice_str(*known);
        jrpc_slice word = jrpc_slice_from(name, capability.len);
        if (jrpc_slice_starts_with(name, capability) && find_part(word, &part, &verb)) {
            *ret_capability = capability;
            *ret_part = word;
            return true;
        }
    }
    return false;
}

// The spelling of a part of the resource that a capability is mapped to, such as "repo/issue".
static bool resolve_resource(jck_variables *variables, jrpc_slice capability, jrpc_slice word,
                             jrpc_slice *ret_spelling)
{
    size_t part = 0;
    jrpc_slice verb = {NULL, 0};
    const jck_mapping *mapping =
        variables->target == NULL ? NULL : jck_target_mapping(variables->target, capability);
    if (mapping == NULL || !find_part(word, &part, &verb)) {
        return false;
    }
    jrpc_slice path = jrpc_slice_inside(mapping->method);
    const char *slash = memchr(path.ptr, '/', path.len);
    size_t first = slash == NULL ? path.len : (size_t)(slash - path.ptr);
    jrpc_slice resource = jrpc_slice_of(path.ptr, parts[part].resource ? first : 0);
    jrpc_slice rest = jrpc_slice_from(path, first + 1);
    jrpc_slice subresource = parts[part].subresource ? rest : JRPC_SLICE("");
    const char *spelling = jrpc_arena_printf(
        variables->arena, "\"%.*s%s%.*s%.*s\"", (int)resource.len, resource.ptr,
        resource.len > 0 && subresource.len > 0 ? "." : "", (int)subresource.len,
        subresource.len > 0 ? subresource.ptr : "", (int)verb.len, verb.len > 0 ? verb.ptr : "");
    *ret_spelling = jrpc_slice_str(spelling == NULL ? "" : spelling);
    return spelling != NULL;
}

// An id that resembles a captured one.
static bool resolve_kin(jck_variables *variables, jrpc_slice name, jrpc_slice *ret_spelling)
{
    jrpc_slice request;
    jck_kin kin;
    const jck_variable *captured =
        jck_kin_from_name(name, &request, &kin) ? find(variables, request, -1) : NULL;
    if (captured == NULL) {
        return false;
    }
    jrpc_buffer out;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), captured->spelling.len + 64);
    bool ok = jck_kin_spell(kin, captured->spelling, &out) &&
              jrpc_arena_copy(variables->arena, jrpc_buffer_slice(&out), ret_spelling);
    jrpc_buffer_done(&out);
    return ok;
}

bool jck_is_credential_variable(jrpc_slice name, jck_credential *ret_credential)
{
    static const jrpc_slice prefix = JRPC_SLICE_INIT("credential:");
    if (jrpc_slice_is(name, "credential")) {
        *ret_credential = JCK_CREDENTIAL_RIGHT;
        return true;
    }
    return jrpc_slice_starts_with(name, prefix) &&
           jck_credential_from_word(jrpc_slice_from(name, prefix.len), ret_credential);
}

// The token as a JSON String: the last word of its header line.
static bool resolve_credential(jck_variables *variables, jck_credential credential,
                               jrpc_slice *ret_spelling)
{
    const char *line =
        variables->target == NULL ? NULL : variables->target->credentials[credential];
    const char *token = line == NULL ? NULL : strrchr(line, ' ');
    jrpc_buffer quoted;
    jrpc_buffer_init(&quoted, jrpc_allocator_heap(), JRPC_LIMIT_DOCUMENT_BYTES);
    bool done = token != NULL && jrpc_json_quote(&quoted, jrpc_slice_str(token + 1)) &&
                jrpc_arena_copy(variables->arena, jrpc_buffer_slice(&quoted), ret_spelling);
    jrpc_buffer_done(&quoted);
    return done;
}

bool jck_variables_resolve(void *context, jrpc_slice name, jrpc_slice *ret_spelling)
{
    jck_variables *variables = context;
    bool number;
    jrpc_slice suffix;
    if (jck_is_id_variable(name, &number, &suffix)) {
        if (suffix.len > 0) {
            return fresh_id(variables, name, -1, number, suffix, ret_spelling);
        }
        char step[16];
        (void)snprintf(step, sizeof step, "%d", variables->step);
        return fresh_id(variables, name, variables->step, number, jrpc_slice_str(step),
                        ret_spelling);
    }
    if (jrpc_slice_is(name, "absent")) {
        *ret_spelling = jck_variables_absent(variables);
        return ret_spelling->len > 0;
    }
    jrpc_slice capability;
    if (jck_is_optional_variable(name, &capability)) {
        const jck_mapping *known =
            variables->target == NULL ? NULL : jck_target_mapping(variables->target, capability);
        *ret_spelling = known == NULL ? jck_variables_absent(variables) : known->method;
        return ret_spelling->len > 0;
    }
    jrpc_slice part;
    if (jck_is_resource_variable(name, &capability, &part)) {
        return resolve_resource(variables, capability, part, ret_spelling);
    }
    jck_credential credential;
    if (jck_is_credential_variable(name, &credential)) {
        return resolve_credential(variables, credential, ret_spelling);
    }
    jck_name_spelling how;
    if (jck_is_respelled_variable(name, &capability, &how)) {
        const jck_mapping *known =
            variables->target == NULL ? NULL : jck_target_mapping(variables->target, capability);
        return known != NULL &&
               jck_kin_spell_name(known->method, how, variables->arena, ret_spelling);
    }
    const jck_variable *captured = find(variables, name, -1);
    if (captured != NULL) {
        *ret_spelling = captured->spelling;
        return true;
    }
    if (resolve_kin(variables, name, ret_spelling)) {
        return true;
    }
    const jck_mapping *mapping =
        variables->target == NULL ? NULL : jck_target_mapping(variables->target, name);
    if (mapping == NULL) {
        return false;
    }
    *ret_spelling = mapping->method;
    return true;
}

const jck_call *jck_variables_call(void *context, jrpc_slice capability)
{
    const jck_variables *variables = context;
    const jck_mapping *mapping =
        variables->target == NULL ? NULL : jck_target_mapping(variables->target, capability);
    // What a case captures under the name of a capability hides it.
    return mapping == NULL || find(variables, capability, -1) != NULL ? NULL : mapping->call;
}

bool jck_variables_expand(jck_variables *variables, const jck_payload *payload, jrpc_buffer *out,
                          jrpc_error *error)
{
    size_t from = jrpc_buffer_slice(out).len;
    if (!jck_call_expand(payload, jck_variables_resolve, jck_variables_call, variables, out,
                         error)) {
        return false;
    }
    return variables->target == NULL || jck_amend(variables->target->request_params, out, from) ||
           jrpc_error_set(error, JRPC_ERROR_LIMIT,
                          "the message is too long with what the params "
                          "of each request carry");
}

bool jck_variables_capture(jck_variables *variables, jrpc_slice name, jrpc_slice spelling)
{
    return bind(variables, name, -1, spelling) != NULL;
}

bool jck_variables_inherit(jck_variables *variables, const jck_variable *captured)
{
    bool kept = true;
    for (; captured != NULL; captured = captured->next) {
        bool number = false;
        jrpc_slice suffix;
        if (!jck_is_id_variable(captured->name, &number, &suffix)) {
            kept = jck_variables_capture(variables, captured->name, captured->spelling) && kept;
        }
    }
    return kept;
}

jrpc_slice jck_variables_absent(const jck_variables *variables)
{
    return jrpc_slice_str(
        jrpc_arena_printf(variables->arena, "\"jrpcheck.absent.%08" PRIx32 "\"", variables->nonce));
}

// The text of a String that may be an id of ours: those are short.
static bool short_text(jrpc_json id, char room[96], jrpc_slice *ret_text)
{
    jrpc_arena arena;
    jrpc_slice text = {NULL, 0};
    if (!jrpc_json_is(id, JRPC_JSON_STRING) || jrpc_json_count(id) >= 96) {
        return false;
    }
    jrpc_arena_init(&arena, jrpc_allocator_heap(), 4096);
    bool read = jrpc_json_string(id, &arena, &text) && text.len < 96;
    if (read) {
        memcpy(room, text.ptr, text.len);
        *ret_text = jrpc_slice_of(room, text.len);
    }
    jrpc_arena_done(&arena);
    return read;
}

// Whether what follows the nonce in an id is a serial and the name of a call: a truncated id is not
// one of another execution.
static bool is_whole(jrpc_slice rest)
{
    size_t digits = 0;
    while (digits < rest.len && rest.ptr[digits] >= '0' && rest.ptr[digits] <= '9') {
        digits++;
    }
    return digits > 0 && digits + 1 < rest.len && rest.ptr[digits] == '-';
}

jck_id_origin jck_variables_origin(const jck_variables *variables, jrpc_json id, int *ret_step)
{
    char room[96];
    char all[32];
    char own[48];
    jrpc_slice text;
    int all_len = snprintf(all, sizeof all, "jck-%08" PRIx32 "-", variables->nonce);
    int own_len = snprintf(own, sizeof own, "%s%" PRIu32 "-", all, variables->serial);
    if (!short_text(id, room, &text) ||
        !jrpc_slice_starts_with(text, jrpc_slice_of(all, (size_t)all_len))) {
        return JCK_ID_UNKNOWN;
    }
    if (!jrpc_slice_starts_with(text, jrpc_slice_of(own, (size_t)own_len))) {
        return is_whole(jrpc_slice_from(text, (size_t)all_len)) ? JCK_ID_OF_ANOTHER
                                                                : JCK_ID_UNKNOWN;
    }
    int step = 0;
    for (size_t i = (size_t)own_len; i < text.len; i++) {
        if (text.ptr[i] < '0' || text.ptr[i] > '9' || step > 100000) {
            return JCK_ID_OF_CASE;
        }
        step = step * 10 + (text.ptr[i] - '0');
    }
    *ret_step = step;
    return JCK_ID_OF_STEP;
}
