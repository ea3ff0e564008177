// What command-line options add to a target.
#include "harness/suite/load.h"
#include "harness/suite/nearest.h"
#include "harness/suite/target_private.h"
#include "reference/base/file.h"

#include <time.h>

#define HEADER_FILE_BYTES ((size_t)1 << 20)

static bool drop_end(jrpc_slice *text, const char *end)
{
    size_t len = strlen(end);
    if (text->len <= len || !jrpc_slice_is(jrpc_slice_from(*text, text->len - len), end)) {
        return false;
    }
    text->len -= len;
    return true;
}

// Reports which capabilities there are, nearest first.
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
            "\"%s\" is not a mapping; write CAPABILITY=METHOD, such as echo=tools.echo", mapping);
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
                                          .by_name = !by_position,
                                          .assumed = !by_position && !by_name},
                           error);
}

// Copies one word from *text as a shell reads it and advances *text past it; false for an unclosed
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

// The words of a command, NULL-terminated; NULL with USAGE or MEMORY.
static char **split_words(jck_target *target, const char *words, jrpc_error *error)
{
    size_t size = strlen(words);
    // Every word takes at least one byte of the text plus one separator.
    char **argv = jck_target_alloc(target, size / 2 + 2, sizeof *argv, error);
    char *out = argv == NULL ? NULL : jck_target_alloc(target, size * 2 + 2, 1, error);
    if (out == NULL) {
        return NULL;
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
            (void)jrpc_error_set(error, JRPC_ERROR_USAGE, "a quote is left open in the command: %s",
                                 words);
            return NULL;
        }
        out += len + 1;
    }
    if (count == 0) {
        (void)jrpc_error_set(error, JRPC_ERROR_USAGE, "the command to start is empty");
        return NULL;
    }
    return argv;
}

bool jck_target_set_start(jck_target *target, const char *words, jrpc_error *error)
{
    target->start = split_words(target, words, error);
    return target->start != NULL;
}

bool jck_target_from_words(jck_target *target, const char *words, jrpc_error *error)
{
    jck_target_init(target);
    target->command = split_words(target, words, error);
    return target->command != NULL && jck_target_set_name(target, jrpc_slice_str(words), error);
}

// Appends a text (kept) to a NULL-terminated list. False with MEMORY.
static bool append(jck_target *target, const char *const **list, const char *text,
                   jrpc_error *error)
{
    size_t count = 0;
    while (*list != NULL && (*list)[count] != NULL) {
        count++;
    }
    const char **longer = jck_target_alloc(target, count + 2, sizeof *longer, error);
    if (longer == NULL || text == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        longer[i] = (*list)[i];
    }
    longer[count] = text;
    *list = longer;
    return true;
}

// "Name: value" in one line; the name is a token of HTTP (RFC 9110, section 5.6.2).
static bool is_header(const char *text)
{
    static const char token[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789!#$%&'*+-.^_`|~";
    size_t len = strspn(text, token);
    return len > 0 && text[len] == ':' && strpbrk(text, "\r\n") == NULL;
}

bool jck_target_add_header(jck_target *target, const char *header, jrpc_error *error)
{
    jck_places places = {.arena = &target->arena};
    if (!is_header(header) && strstr(header, "${") == NULL) {
        return jrpc_error_set(error, JRPC_ERROR_USAGE,
                              "\"%s\" is not a header; write 'Name: value' in one line", header);
    }
    const char *filled = jck_places_fill(&places, header, true, error);
    if (filled != NULL && !is_header(filled)) {
        // What the environment holds may be a secret: it is not shown.
        return jrpc_error_set(error, JRPC_ERROR_INVALID,
                              "with its variables filled in, \"%s\" is not a header in one line",
                              header);
    }
    return filled != NULL && append(target, &target->headers, filled, error);
}

bool jck_target_add_header_file(jck_target *target, const char *file, jrpc_error *error)
{
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), HEADER_FILE_BYTES);
    bool done = jrpc_file_read(file, &text, error);
    jrpc_slice rest = jrpc_buffer_slice(&text);
    for (size_t line = 1; done && rest.len > 0; line++) {
        const char *end = memchr(rest.ptr, '\n', rest.len);
        size_t len = end == NULL ? rest.len : (size_t)(end - rest.ptr);
        size_t kept = len > 0 && rest.ptr[len - 1] == '\r' ? len - 1 : len;
        const char *header = jck_target_copy(target, jrpc_slice_of(rest.ptr, kept), error);
        if (header == NULL ||
            (kept > 0 && header[0] != '#' && !jck_target_add_header(target, header, error))) {
            done = jrpc_error_prefix(error, "%.200s:%zu", file, line);
        }
        rest = jrpc_slice_from(rest, end == NULL ? len : len + 1);
    }
    jrpc_buffer_done(&text);
    return done;
}

bool jck_target_add_environment(jck_target *target, const char *pair, jrpc_error *error)
{
    const char *equals = strchr(pair, '=');
    if (equals == NULL || equals == pair) {
        return jrpc_error_set(error, JRPC_ERROR_USAGE, "\"%s\" sets no variable; write NAME=VALUE",
                              pair);
    }
    return append(target, &target->environment,
                  jck_target_copy(target, jrpc_slice_str(pair), error), error);
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

bool jck_target_set_secret(jck_target *target, const char *file, jrpc_error *error)
{
    jck_signer *signer = jck_target_alloc(target, 1, sizeof *signer, error);
    if (signer == NULL || !jck_signer_read(file, signer, error)) {
        return false;
    }
    target->signer = signer;
    return jck_target_declare(target, JRPC_SLICE("engine")) ||
           jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory for the secret");
}
