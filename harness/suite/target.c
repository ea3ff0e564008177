#include "harness/suite/target.h"

#include "harness/suite/load.h"
#include "harness/suite/nearest.h"
#include "harness/suite/secret.h"
#include "harness/suite/target_private.h"
#include "reference/json/write.h"

const jrpc_traits *jck_target_traits(const jck_target *target)
{
    return jrpc_transport_traits(target->transport);
}

bool jck_target_can_push(const jck_target *target)
{
    return jck_target_traits(target)->can_push || target->events_url != NULL;
}

void jck_target_init(jck_target *target)
{
    *target = (jck_target){.transport = JRPC_TRANSPORT_STDIO, .framing = JRPC_FRAMING_LINE};
    jrpc_arena_init(&target->arena, jrpc_allocator_heap(), JCK_LIMIT_TARGET_BYTES);
}

void jck_target_done(jck_target *target)
{
    jrpc_arena_done(&target->arena);
    *target = (jck_target){0};
}

void *jck_target_alloc(jck_target *target, size_t count, size_t size, jrpc_error *error)
{
    void *room = jrpc_arena_array(&target->arena, count, size);
    if (room == NULL) {
        (void)jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory");
    }
    return room;
}

bool jck_target_set_name(jck_target *target, jrpc_slice words, jrpc_error *error)
{
    jrpc_buffer masked;
    jrpc_buffer_init(&masked, jrpc_allocator_heap(), SIZE_MAX);
    bool named = jck_mask_secrets(&masked, words) &&
                 jrpc_arena_copy(&target->arena, jrpc_buffer_slice(&masked), &target->name);
    jrpc_buffer_done(&masked);
    return named || jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory");
}

const char *jck_target_copy(jck_target *target, jrpc_slice text, jrpc_error *error)
{
    jrpc_slice copy = {NULL, 0};
    if (!jrpc_arena_copy(&target->arena, text, &copy)) {
        (void)jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory");
    }
    return copy.ptr;
}

bool jck_target_from_command(jck_target *target, char *const *argv, jrpc_error *error)
{
    jck_target_init(target);
    size_t count = 0;
    while (argv[count] != NULL) {
        count++;
    }
    if (count == 0 || argv[0][0] == '\0') {
        return jrpc_error_set(error, JRPC_ERROR_USAGE,
                              "no command stands after --; write -- ./my-server ARGS");
    }
    char **words = jck_target_alloc(target, count + 1, sizeof *words, error);
    size_t total = 1;
    for (size_t i = 0; i < count && words != NULL; i++) {
        jrpc_slice copy;
        if (!jrpc_arena_copy(&target->arena, jrpc_slice_str(argv[i]), &copy)) {
            return jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory");
        }
        // The arena's bytes are ours to write to: argv of a new program is not const.
        words[i] = (char *)(uintptr_t)copy.ptr;
        total += copy.len + 1;
    }
    char *name = words == NULL ? NULL : jck_target_alloc(target, total, 1, error);
    if (name == NULL) {
        return false;
    }
    size_t len = 0;
    for (size_t i = 0; i < count; i++) {
        size_t word_len = strlen(words[i]);
        if (i > 0) {
            name[len++] = ' ';
        }
        memcpy(name + len, words[i], word_len);
        len += word_len;
    }
    target->command = words;
    return jck_target_set_name(target, jrpc_slice_of(name, len), error);
}

const jck_mapping *jck_target_mapping(const jck_target *target, jrpc_slice capability)
{
    for (size_t i = 0; i < target->mapping_count; i++) {
        if (jrpc_slice_equal(target->mappings[i].capability, capability)) {
            return &target->mappings[i];
        }
    }
    return NULL;
}

bool jck_mapping_add(jrpc_arena *arena, const jck_mapping **list, size_t *count,
                     const jck_mapping *given, jrpc_error *error)
{
    jck_mapping mapping = *given;
    jrpc_buffer spelling;
    jrpc_buffer_init(&spelling, arena->allocator, given->method.len * 6 + 2);
    bool done = jrpc_json_quote(&spelling, given->method) &&
                jrpc_arena_copy(arena, jrpc_buffer_slice(&spelling), &mapping.method) &&
                jrpc_arena_copy(arena, given->capability, &mapping.capability);
    jrpc_buffer_done(&spelling);
    jck_mapping *mappings = jrpc_arena_array(arena, *count + 1, sizeof *mappings);
    if (!done || mappings == NULL) {
        return jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory");
    }
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++) {
        if (!jrpc_slice_equal((*list)[i].capability, given->capability)) {
            mappings[kept++] = (*list)[i];
        }
    }
    mappings[kept++] = mapping;
    *list = mappings;
    *count = kept;
    return true;
}

static bool drop_end(jrpc_slice *text, const char *end)
{
    size_t len = strlen(end);
    if (text->len <= len || !jrpc_slice_is(jrpc_slice_from(*text, text->len - len), end)) {
        return false;
    }
    text->len -= len;
    return true;
}

// Says which capabilities there are, nearest first.
static bool refuse_capability(jrpc_slice capability, jrpc_error *error)
{
    jck_nearest nearest;
    char hint[160];
    jck_nearest_init(&nearest, capability);
    jck_nearest_offer_all(&nearest, jck_capabilities());
    if (jck_nearest_hint(&nearest, hint, sizeof hint)[0] != '\0') {
        return jrpc_error_set(error, JRPC_ERROR_USAGE, "there is no capability \"%.*s\"%s",
                              JCK_WORD(capability), hint);
    }
    char known[400];
    return jrpc_error_set(error, JRPC_ERROR_USAGE, "there is no capability \"%.*s\"; known are %s",
                          JCK_WORD(capability),
                          jck_word_list(jck_capabilities(), known, sizeof known));
}

bool jck_target_add_mapping(jck_target *target, const char *mapping, jrpc_error *error)
{
    const char *equals = strchr(mapping, '=');
    if (equals == NULL || equals == mapping || equals[1] == '\0') {
        return jrpc_error_set(
            error, JRPC_ERROR_USAGE,
            "\"%s\" is no mapping; write CAPABILITY=METHOD, such as echo=tools.echo", mapping);
    }
    jrpc_slice capability = jrpc_slice_of(mapping, (size_t)(equals - mapping));
    jrpc_slice method = jrpc_slice_str(equals + 1);
    bool by_position = drop_end(&method, ":by-position");
    bool by_name = !by_position && drop_end(&method, ":by-name");
    if (!jck_is_capability(capability)) {
        return refuse_capability(capability, error);
    }
    return jck_mapping_add(&target->arena, &target->mappings, &target->mapping_count,
                           &(jck_mapping){.capability = capability,
                                          .method = method,
                                          .by_position = !by_name,
                                          .by_name = !by_position},
                           error);
}

bool jck_target_add_sighting(jck_target *target, jrpc_slice capability, const char *text)
{
    size_t count = target->sighting_count;
    jck_sighting *grown = jrpc_arena_array(&target->arena, count + 1, sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        grown[i] = target->sightings[i];
    }
    jrpc_slice copy = {NULL, 0};
    if (!jrpc_arena_copy(&target->arena, capability, &grown[count].capability) ||
        !jrpc_arena_copy(&target->arena, jrpc_slice_str(text), &copy)) {
        return false;
    }
    grown[count].text = copy.ptr;
    target->sightings = grown;
    target->sighting_count = count + 1;
    return true;
}

void jck_target_fix_params(jck_target *target, jrpc_slice capability)
{
    jck_mapping *mappings =
        jrpc_arena_array(&target->arena, target->mapping_count + 1, sizeof *mappings);
    for (size_t i = 0; mappings != NULL && i < target->mapping_count; i++) {
        mappings[i] = target->mappings[i];
        mappings[i].fixed =
            mappings[i].fixed || jrpc_slice_equal(mappings[i].capability, capability);
    }
    target->mappings = mappings == NULL ? target->mappings : mappings;
}

// Copies one word from *text as a shell reads it and moves *text behind it; false for an open
// quote.
static bool take_word(const char **text, char *out, size_t *ret_len)
{
    const char *p = *text;
    size_t len = 0;
    char quote = '\0';
    for (; *p != '\0' && (quote != '\0' || (*p != ' ' && *p != '\t' && *p != '\n')); p++) {
        bool escapes = *p == '\\' && p[1] != '\0' && quote != '\'' &&
                       (quote == '\0' || strchr("\\\"$`", p[1]) != NULL);
        if (escapes) {
            out[len++] = *++p;
        } else if (*p == quote) {
            quote = '\0';
        } else if (quote == '\0' && (*p == '"' || *p == '\'')) {
            quote = *p;
        } else {
            out[len++] = *p;
        }
    }
    out[len] = '\0';
    *ret_len = len;
    *text = p;
    return quote == '\0';
}

bool jck_target_set_start(jck_target *target, const char *words, jrpc_error *error)
{
    size_t size = strlen(words);
    // Every word takes at least one byte of the text and one of what separates it.
    char **argv = jck_target_alloc(target, size / 2 + 2, sizeof *argv, error);
    char *out = argv == NULL ? NULL : jck_target_alloc(target, size * 2 + 2, 1, error);
    if (out == NULL) {
        return false;
    }
    size_t count = 0;
    for (const char *p = words;;) {
        p += strspn(p, " \t\n");
        if (*p == '\0') {
            break;
        }
        size_t len;
        argv[count++] = out;
        if (!take_word(&p, out, &len)) {
            return jrpc_error_set(error, JRPC_ERROR_USAGE,
                                  "a quote is left open in the command: %s", words);
        }
        out += len + 1;
    }
    if (count == 0) {
        return jrpc_error_set(error, JRPC_ERROR_USAGE, "the command to start is empty");
    }
    target->start = argv;
    return true;
}

bool jck_target_add_header(jck_target *target, const char *header, jrpc_error *error)
{
    const char *colon = strchr(header, ':');
    if (colon == NULL || colon == header || strpbrk(header, "\r\n") != NULL) {
        return jrpc_error_set(error, JRPC_ERROR_USAGE,
                              "\"%s\" is no header; write 'Name: value' in one line", header);
    }
    size_t count = 0;
    while (target->headers != NULL && target->headers[count] != NULL) {
        count++;
    }
    const char **headers = jck_target_alloc(target, count + 2, sizeof *headers, error);
    const char *copy = jck_target_copy(target, jrpc_slice_str(header), error);
    if (headers == NULL || copy == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        headers[i] = target->headers[i];
    }
    headers[count] = copy;
    target->headers = headers;
    return true;
}

bool jck_target_set_prelude(jck_target *target, const char *file, jrpc_error *error)
{
    jck_reader reader;
    jck_scope scope = {0};
    jrpc_json root;
    jck_reader_init(&reader, &target->arena, NULL, NULL, error);
    if (!jck_reader_open(&reader, file, &root)) {
        return false;
    }
    return jck_load_steps(&reader, &scope, root, &target->prelude, &target->prelude_count) &&
           reader.wrong == 0;
}
