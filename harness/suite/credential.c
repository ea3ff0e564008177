#include "harness/suite/credential.h"

#include "harness/suite/target.h"
#include "reference/base/file.h"
#include "reference/json/scan.h"
#include "reference/wire/token.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#define HEADER "Authorization:"
#define FILE_BYTES ((size_t)1024)
// The age of the expired token. Servers accept tokens up to a minute old.
#define STALE_SECONDS 3600

static const char *const words[JCK_CREDENTIAL_COUNT] = {
    [JCK_CREDENTIAL_RIGHT] = "right",     [JCK_CREDENTIAL_NONE] = "none",
    [JCK_CREDENTIAL_FORGED] = "forged",   [JCK_CREDENTIAL_EXPIRED] = "expired",
    [JCK_CREDENTIAL_FOREIGN] = "foreign", [JCK_CREDENTIAL_UNSIGNED] = "unsigned",
    [JCK_CREDENTIAL_OTHER] = "other",
};

const char *jck_credential_word(jck_credential credential)
{
    return words[credential];
}

bool jck_credential_from_word(jrpc_slice word, jck_credential *ret_credential)
{
    for (int i = JCK_CREDENTIAL_RIGHT + 1; i < JCK_CREDENTIAL_COUNT; i++) {
        if (jrpc_slice_is(word, words[i])) {
            *ret_credential = (jck_credential)i;
            return true;
        }
    }
    return false;
}

static bool read_key(jrpc_slice text, jck_signer *ret_signer)
{
    while (text.len > 0 && jrpc_scan_is_space(text.ptr[text.len - 1])) {
        text.len--;
    }
    if (jrpc_slice_starts_with(text, JRPC_SLICE("0x"))) {
        text = jrpc_slice_from(text, 2);
    }
    bool right = text.len == sizeof ret_signer->key * 2;
    for (size_t i = 0; i < text.len && right; i += 2) {
        int byte = jrpc_scan_hex_pair(text.ptr + i);
        right = byte >= 0;
        ret_signer->key[i / 2] = (char)byte;
    }
    return right;
}

bool jck_signer_read(const char *file, jck_signer *ret_signer, jrpc_error *error)
{
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), FILE_BYTES);
    bool read = jrpc_file_read(file, &text, error) &&
                (read_key(jrpc_buffer_slice(&text), ret_signer) ||
                 jrpc_error_set(error, JRPC_ERROR_INVALID,
                                "%.200s: a secret has 64 hexadecimal digits (256 bits)", file));
    jrpc_buffer_done(&text);
    return read;
}

const char *jck_signer_line(const jck_signer *signer, jck_credential which, int64_t now_s,
                            jrpc_arena *arena)
{
    if (which == JCK_CREDENTIAL_NONE) {
        return HEADER;
    }
    jck_signer foreign = *signer;
    foreign.key[0] = (char)(foreign.key[0] ^ 1);
    const jck_signer *used = which == JCK_CREDENTIAL_FOREIGN ? &foreign : signer;
    jrpc_slice key = which == JCK_CREDENTIAL_UNSIGNED ? (jrpc_slice){NULL, 0}
                                                      : jrpc_slice_of(used->key, sizeof used->key);
    int64_t issued = which == JCK_CREDENTIAL_EXPIRED ? now_s - STALE_SECONDS : now_s;
    jrpc_buffer claims;
    jrpc_buffer line;
    jrpc_buffer_init(&claims, jrpc_allocator_heap(), JRPC_TOKEN_CLAIMS_MAX);
    jrpc_buffer_init(&line, jrpc_allocator_heap(), JRPC_TOKEN_CLAIMS_MAX * 2);
    (void)jrpc_buffer_printf(
        &claims, "{\"iat\":%" PRId64 "%s}", issued,
        which == JCK_CREDENTIAL_OTHER ? ",\"id\":\"jrpcheck\",\"jrpcheck\":{\"claim\":[1]}" : "");
    (void)jrpc_buffer_append_str(&line, HEADER " Bearer ");
    bool done = jrpc_token_write(jrpc_buffer_slice(&claims), key, &line);
    if (done && which == JCK_CREDENTIAL_FORGED) {
        char *signature = line.ptr + line.len - 1;
        while (*signature != '.') {
            signature--;
        }
        signature[1] = signature[1] == 'A' ? 'B' : 'A';
    }
    const char *made = done ? jrpc_arena_printf(arena, "%.*s", (int)line.len, line.ptr) : NULL;
    jrpc_buffer_done(&claims);
    jrpc_buffer_done(&line);
    return made;
}

const char *jck_target_credential(const jck_target *target, jck_credential which, jrpc_arena *arena)
{
    return target->signer == NULL
               ? target->credentials[which]
               : jck_signer_line(target->signer, which, (int64_t)time(NULL), arena);
}
