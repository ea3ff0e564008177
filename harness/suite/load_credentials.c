// The member "credentials" of a target file: header lines with valid tokens and others.
#include "harness/suite/target_private.h"
#include "reference/wire/token.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { TOKEN_SECONDS = 86400, EXPIRED_SECONDS = 3600 };

typedef struct loading {
    jck_reader *reader;
    jck_places *places;
    jck_target *target;
    const char *header, *scheme;
} loading;

// The line of the header with a token.
static void set(loading *load, jck_credential which, const char *token)
{
    const char *line = load->scheme[0] == '\0'
                           ? jrpc_arena_printf(load->reader->arena, "%s: %s", load->header, token)
                           : jrpc_arena_printf(load->reader->arena, "%s: %s %s", load->header,
                                               load->scheme, token);
    load->target->credentials[which] = line;
    if (line == NULL) {
        (void)jck_reader_starve(load->reader);
    }
}

// A String member with its places filled in; NULL if it is absent or after a diagnostic.
static const char *read_text(const loading *load, jrpc_json object, const char *name)
{
    jrpc_json value = jrpc_json_get(object, name);
    const char *text = NULL;
    jrpc_error error = {0};
    if (!jrpc_json_exists(value) || !jck_read_string_value(load->reader, value, name, &text)) {
        return NULL;
    }
    text = jck_places_fill(load->places, text, true, &error);
    if (text == NULL) {
        (void)jck_reader_refuse(load->reader, value, name, &error);
        return NULL;
    }
    if (strpbrk(text, "\r\n") != NULL) {
        (void)jck_wrong(load->reader, value, "%s: the value must be one line", name);
        return NULL;
    }
    return text;
}

// A token with these claims that expires that many seconds from now.
static void set_token(loading *load, jck_credential which, jrpc_json claims, jrpc_slice key,
                      int64_t seconds)
{
    char expires[40];
    jrpc_slice spelled = jrpc_json_spelling(claims);
    jrpc_buffer text;
    jrpc_buffer token;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), JRPC_TOKEN_CLAIMS_MAX);
    jrpc_buffer_init(&token, jrpc_allocator_heap(), JRPC_TOKEN_CLAIMS_MAX * 2);
    (void)snprintf(expires, sizeof expires, "\"exp\":%" PRId64 "}", (int64_t)time(NULL) + seconds);
    (void)jrpc_buffer_append(&text, jrpc_slice_of(spelled.ptr, spelled.len - 1));
    (void)jrpc_buffer_append_str(&text, jrpc_json_count(claims) > 0 ? "," : "");
    (void)jrpc_buffer_append_str(&text, expires);
    if (text.failed || !jrpc_token_write(jrpc_buffer_slice(&text), key, &token) ||
        !jrpc_buffer_append_char(&token, '\0')) {
        (void)jck_wrong(load->reader, claims, "the claims are too long for a token");
    } else {
        set(load, which, token.ptr);
    }
    jrpc_buffer_done(&text);
    jrpc_buffer_done(&token);
}

static void load_jwt(loading *load, jrpc_json jwt)
{
    static const char *const members[] = {"key", "claims", "other", NULL};
    if (!jck_read_object(load->reader, jwt, "jwt", members)) {
        return;
    }
    const char *text = read_text(load, jwt, "key");
    jrpc_json claims = jrpc_json_get(jwt, "claims");
    jrpc_json other = jrpc_json_get(jwt, "other");
    if (text == NULL || text[0] == '\0' || !jrpc_json_is(claims, JRPC_JSON_OBJECT) ||
        (jrpc_json_exists(other) && !jrpc_json_is(other, JRPC_JSON_OBJECT))) {
        (void)jck_wrong(load->reader, jwt,
                        "jwt takes key, a String, and claims and other, two Objects");
        return;
    }
    jrpc_slice key = jrpc_slice_str(text);
    const jrpc_slice none = {NULL, 0};
    set_token(load, JCK_CREDENTIAL_RIGHT, claims, key, TOKEN_SECONDS);
    set_token(load, JCK_CREDENTIAL_EXPIRED, claims, key, -EXPIRED_SECONDS);
    set_token(load, JCK_CREDENTIAL_FOREIGN, claims, jrpc_slice_from(key, 1), TOKEN_SECONDS);
    set_token(load, JCK_CREDENTIAL_UNSIGNED, claims, none, TOKEN_SECONDS);
    if (jrpc_json_exists(other)) {
        set_token(load, JCK_CREDENTIAL_OTHER, other, key, TOKEN_SECONDS);
    }
}

// Tokens given literally.
static void load_tokens(loading *load, jrpc_json credentials)
{
    static const struct {
        const char *name;
        jck_credential which;
    } members[] = {{"token", JCK_CREDENTIAL_RIGHT},
                   {"expired", JCK_CREDENTIAL_EXPIRED},
                   {"other", JCK_CREDENTIAL_OTHER}};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        const char *token = read_text(load, credentials, members[i].name);
        if (token != NULL) {
            set(load, members[i].which, token);
        }
    }
}

// The right line with one character of its signature changed, or of the token if it has none.
static void set_forged(loading *load)
{
    const char *right = load->target->credentials[JCK_CREDENTIAL_RIGHT];
    const char *token = right + strlen(load->header) + 2;
    token += load->scheme[0] == '\0' ? 0 : strlen(load->scheme) + 1;
    const char *dot = strrchr(token, '.');
    size_t at = (size_t)((dot == NULL ? token : dot + 1) - right);
    char *forged = jrpc_arena_alloc(load->reader->arena, strlen(right) + 1);
    if (forged == NULL) {
        (void)jck_reader_starve(load->reader);
        return;
    }
    memcpy(forged, right, strlen(right) + 1);
    forged[at] = forged[at] == 'A' ? 'B' : 'A';
    load->target->credentials[JCK_CREDENTIAL_FORGED] = forged;
}

// The headers of the target, followed by the right line.
static void add_to_headers(loading *load)
{
    size_t count = 0;
    const char *const *plain = load->target->headers;
    while (plain != NULL && plain[count] != NULL) {
        count++;
    }
    const char **all = jck_reader_array(load->reader, count + 2, sizeof *all);
    if (all != NULL) {
        for (size_t i = 0; i < count; i++) {
            all[i] = plain[i];
        }
        all[count] = load->target->credentials[JCK_CREDENTIAL_RIGHT];
        load->target->headers = all;
    }
}

void jck_load_credentials(jck_reader *reader, jck_places *places, jrpc_json credentials,
                          jck_target *target)
{
    static const char *const members[] = {"header", "scheme", "token",      "expired",
                                          "other",  "jwt",    "jwt-secret", NULL};
    if (!jrpc_json_exists(credentials) ||
        !jck_read_object(reader, credentials, "credentials", members)) {
        return;
    }
    loading load = {reader, places, target, "Authorization", "Bearer"};
    jrpc_error error = {0};
    const char *secret = read_text(&load, credentials, "jwt-secret");
    if (secret != NULL) {
        if (jrpc_json_count(credentials) > 1 || !jck_target_set_secret(target, secret, &error)) {
            (void)jck_wrong(reader, credentials, "jwt-secret: %s",
                            error.code == JRPC_OK ? "no other member may be given with it"
                                                  : error.message);
        }
        return;
    }
    const char *header = read_text(&load, credentials, "header");
    const char *scheme = read_text(&load, credentials, "scheme");
    jrpc_json jwt = jrpc_json_get(credentials, "jwt");
    load.header = header == NULL ? load.header : header;
    load.scheme = scheme != NULL ? scheme : header == NULL ? load.scheme : "";
    if (load.header[0] == '\0' || strpbrk(load.header, "=: ") != NULL) {
        (void)jck_wrong(reader, credentials, "header must be the name of a header, one word");
        return;
    }
    if (jrpc_json_exists(jwt)) {
        load_jwt(&load, jwt);
    }
    load_tokens(&load, credentials);
    if (target->credentials[JCK_CREDENTIAL_RIGHT] == NULL) {
        (void)jck_wrong(reader, credentials, "credentials take a token, or a jwt");
        return;
    }
    target->credentials[JCK_CREDENTIAL_NONE] = jrpc_arena_printf(reader->arena, "%s:", load.header);
    set_forged(&load);
    add_to_headers(&load);
}
