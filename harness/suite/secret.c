#include "harness/suite/secret.h"

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

static bool is_name_char(char c)
{
    c = lower(c);
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

static bool holds(jrpc_slice name, const char *word)
{
    size_t len = strlen(word);
    for (size_t at = 0; at + len <= name.len; at++) {
        size_t same = 0;
        while (same < len && lower(name.ptr[at + same]) == word[same]) {
            same++;
        }
        if (same == len) {
            return true;
        }
    }
    return false;
}

static bool is_word(jrpc_slice name, const char *word)
{
    return name.len == strlen(word) && holds(name, word);
}

bool jck_is_secret_name(jrpc_slice name)
{
    static const char *const parts[] = {
        "token",   "secret",  "passw",   "passphrase", "pwd",           "credential", "cookie",
        "api_key", "api-key", "apikey",  "access_key", "access-key",    "accesskey",  "private_key",
        "jwt",     "bearer",  "session", "signature",  "authorization",
    };
    static const char *const words[] = {"key", "sig", "auth", "code", "pass"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (holds(name, parts[i])) {
            return true;
        }
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (is_word(name, words[i])) {
            return true;
        }
    }
    return false;
}

// The length of what precedes "@" in the authority of a URL that begins at `at`; 0 if there is
// none.
static size_t userinfo_at(jrpc_slice text, size_t at)
{
    size_t found = 0;
    for (size_t i = at; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i]; // a password may have letters beyond ASCII
        if (c == '/' || c == '?' || c == '#' || c == ' ' || c == '\'' || c == '"' || c < ' ') {
            break;
        }
        found = c == '@' ? i - at : found; // the last one: a password may contain others
    }
    return found;
}

// Where the value that begins at `at` ends.
static size_t value_end(jrpc_slice text, size_t at)
{
    size_t begin = at;
    while (at < text.len && strchr("&;#'\" ,\t\r\n", text.ptr[at]) == NULL) {
        at++;
    }
    // A colon before a space belongs to the surrounding sentence.
    bool sentence = at > begin && at < text.len && text.ptr[at] == ' ' && text.ptr[at - 1] == ':';
    return at - (sentence ? 1 : 0);
}

// Whether the name that ends before `at` names a secret. Short names such as "key" count only in a
// query, since `--key=FILE` names a file.
static bool is_secret_before(jrpc_slice text, size_t at)
{
    size_t begin = at;
    while (begin > 0 && is_name_char(text.ptr[begin - 1])) {
        begin--;
    }
    jrpc_slice name = jrpc_slice_of(text.ptr + begin, at - begin);
    bool option = name.len > 0 && name.ptr[0] == '-';
    while (name.len > 0 && name.ptr[0] == '-') {
        name = jrpc_slice_from(name, 1);
    }
    bool in_query = begin > 0 && strchr("?&;#", text.ptr[begin - 1]) != NULL;
    bool brief = is_word(name, "key") || is_word(name, "auth") || is_word(name, "sig") ||
                 is_word(name, "code") || is_word(name, "pass") || is_word(name, "session");
    return jck_is_secret_name(name) && (in_query || !brief || (option && is_word(name, "pass")));
}

bool jck_mask_secrets(jrpc_buffer *out, jrpc_slice text)
{
    static const jrpc_slice scheme_end = JRPC_SLICE_INIT("://");
    for (size_t at = 0; at < text.len;) {
        if (jrpc_slice_starts_with(jrpc_slice_from(text, at), scheme_end)) {
            (void)jrpc_buffer_append(out, scheme_end);
            at += scheme_end.len;
            size_t len = userinfo_at(text, at);
            const char *colon = len == 0 ? NULL : memchr(text.ptr + at, ':', len);
            if (colon != NULL) {
                size_t user = (size_t)(colon - (text.ptr + at)) + 1;
                (void)jrpc_buffer_append(out, jrpc_slice_of(text.ptr + at, user));
            }
            (void)jrpc_buffer_append_str(out, len > 0 ? JCK_MASK : "");
            at += len;
        } else if (text.ptr[at] == '=' && is_secret_before(text, at)) {
            size_t end = value_end(text, at + 1);
            (void)jrpc_buffer_append_str(out, end > at + 1 ? "=" JCK_MASK : "=");
            at = end;
        } else {
            (void)jrpc_buffer_append_char(out, text.ptr[at++]);
        }
    }
    return !out->failed;
}

bool jck_mask_header(jrpc_buffer *out, jrpc_slice header)
{
    const char *colon = header.len == 0 ? NULL : memchr(header.ptr, ':', header.len);
    jrpc_slice name = jrpc_slice_of(header.ptr, colon == NULL ? 0 : (size_t)(colon - header.ptr));
    if (colon == NULL || !jck_is_secret_name(name)) {
        return jck_mask_secrets(out, header);
    }
    (void)jrpc_buffer_append(out, name);
    return jrpc_buffer_append_str(out, ": " JCK_MASK);
}
