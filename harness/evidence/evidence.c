#include "harness/evidence/evidence.h"

#include "reference/base/visible.h"

#include <string.h>

bool jck_evidence_init(jck_evidence *evidence, jrpc_arena *arena, size_t step_count)
{
    *evidence = (jck_evidence){.arena = arena, .step_count = step_count};
    evidence->settled =
        jrpc_arena_array(arena, step_count == 0 ? 1 : step_count, sizeof *evidence->settled);
    evidence->ends =
        jrpc_arena_array(arena, step_count == 0 ? 1 : step_count, sizeof *evidence->ends);
    bool made = evidence->settled != NULL && evidence->ends != NULL;
    for (size_t i = 0; i < step_count && made; i++) {
        evidence->settled[i] = JCK_NOT_RUN;
        evidence->ends[i] = (jrpc_peer_ending){.kind = JRPC_END_OPEN};
    }
    return made;
}

static bool grow(jck_evidence *evidence)
{
    size_t capacity = evidence->capacity == 0 ? 8 : evidence->capacity * 2;
    jck_message *messages = jrpc_arena_array(evidence->arena, capacity, sizeof *messages);
    if (messages == NULL) {
        return false;
    }
    for (size_t i = 0; i < evidence->count; i++) {
        messages[i] = evidence->messages[i];
    }
    evidence->messages = messages;
    evidence->capacity = capacity;
    return true;
}

// How many bytes of a message are kept beside those that are kept already.
static size_t kept_length(const jck_evidence *evidence, size_t len)
{
    size_t room = JCK_EVIDENCE_EXCHANGE_BYTES - evidence->kept_bytes;
    size_t most = room < JCK_EVIDENCE_MESSAGE_BYTES ? room : JCK_EVIDENCE_MESSAGE_BYTES;
    return len < most ? len : most;
}

bool jck_evidence_add(jck_evidence *evidence, const jck_message *message)
{
    jck_message kept = *message;
    jrpc_slice why = {NULL, 0};
    size_t len = kept_length(evidence, message->bytes.len);
    if (kept.true_len < message->bytes.len) {
        kept.true_len = message->bytes.len;
    }
    if ((evidence->count == evidence->capacity && !grow(evidence)) ||
        !jrpc_arena_copy(evidence->arena, jrpc_slice_of(message->bytes.ptr, len), &kept.bytes) ||
        !jrpc_arena_copy(evidence->arena, message->http_headers, &kept.http_headers) ||
        (message->why != NULL &&
         !jrpc_arena_copy(evidence->arena, jrpc_slice_str(message->why), &why))) {
        return false;
    }
    kept.why = why.ptr;
    evidence->messages[evidence->count++] = kept;
    evidence->kept_bytes += len;
    return true;
}

bool jck_evidence_is_answer(const jck_message *message, int step, char connection)
{
    return message->direction == JCK_RECEIVED && message->role == JCK_MESSAGE_OF_CASE &&
           message->step == step && message->connection == connection;
}

bool jck_evidence_is_received_in(const jck_message *message, int step)
{
    return message->direction == JCK_RECEIVED && message->step == step &&
           (message->role == JCK_MESSAGE_OF_CASE || message->role == JCK_MESSAGE_NOISE);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

// Takes the last line that is not blank off the end of *text.
static jrpc_slice take_last_line(jrpc_slice *text)
{
    if (text->len == 0) {
        return *text;
    }
    size_t end = text->len;
    while (end > 0 && is_blank(text->ptr[end - 1])) {
        end--;
    }
    size_t begin = end;
    while (begin > 0 && text->ptr[begin - 1] != '\n') {
        begin--;
    }
    jrpc_slice line = jrpc_slice_of(text->ptr + begin, end - begin);
    *text = jrpc_slice_of(text->ptr, begin);
    return line;
}

// What runtimes write below an error, whatever the error is.
static bool follows_any_error(jrpc_slice line)
{
    static const char *const beginnings[] = {" ",         "\t",           "Node.js v",     "}",
                                             "goroutine", "exit status ", "note: run with"};
    for (size_t i = 0; i < sizeof beginnings / sizeof beginnings[0]; i++) {
        if (jrpc_slice_starts_with(line, jrpc_slice_str(beginnings[i]))) {
            return true;
        }
    }
    return false;
}

static bool names_an_error(jrpc_slice line)
{
    static const char *const words[] = {"Error",    "error",     "Exception", "exception",
                                        "panicked", "panic:",    "Fatal",     "fatal",
                                        "FATAL",    "Assertion", "what():"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (!is_blank(line.ptr[0]) && jrpc_slice_contains(line, jrpc_slice_str(words[i]))) {
            return true;
        }
    }
    return false;
}

jrpc_slice jck_last_words(jrpc_slice error_output)
{
    jrpc_slice rest = error_output;
    jrpc_slice last = take_last_line(&rest);
    if (!follows_any_error(last)) {
        return last;
    }
    for (jrpc_slice line; (line = take_last_line(&rest)).len > 0;) {
        if (names_an_error(line)) {
            return line;
        }
    }
    return last;
}

const char *jck_excerpt(jrpc_arena *arena, jrpc_slice bytes, size_t max)
{
    static const char hex[] = "0123456789abcdef";
    size_t shown = bytes.len < max ? bytes.len : max;
    char *text = jrpc_arena_alloc(arena, shown * 4 + sizeof "…");
    if (text == NULL) {
        return "?";
    }
    size_t at = 0;
    for (size_t i = 0; i < shown;) {
        // A character that the end cuts in two is shown by its bytes.
        size_t len = jrpc_visible_sequence(bytes.ptr + i, shown - i);
        bool imitates = bytes.ptr[i] == '\\' && i + 1 < shown && bytes.ptr[i + 1] == 'x';
        if (len > 0 && !imitates) {
            memcpy(text + at, bytes.ptr + i, len);
            at += len;
            i += len;
            continue;
        }
        unsigned char byte = (unsigned char)bytes.ptr[i++];
        text[at++] = '\\';
        text[at++] = 'x';
        text[at++] = hex[byte >> 4];
        text[at++] = hex[byte & 15];
    }
    if (shown < bytes.len) {
        memcpy(text + at, "…", sizeof "…" - 1);
    }
    return text;
}

// How many bytes of error output are quoted.
#define LAST_WORDS ((size_t)200)
#define LINE_MAX_BYTES (2 * LAST_WORDS)

const char *jck_quote_last_words(jrpc_arena *arena, jrpc_slice error_output)
{
    jrpc_slice last = error_output;
    while (last.len > 0 && strchr(" \t\r\n", last.ptr[last.len - 1]) != NULL) {
        last.len--;
    }
    jrpc_slice words = jck_last_words(last);
    bool trace = (jrpc_slice_contains(last, JRPC_SLICE("\n ")) ||
                  jrpc_slice_contains(last, JRPC_SLICE("\n\t"))) &&
                 words.ptr[0] != ' ' && words.ptr[0] != '\t';
    if (trace) {
        last = words;
    } else if (last.len > LAST_WORDS) {
        last = jrpc_slice_from(last, last.len - LAST_WORDS);
        const char *line_end = memchr(last.ptr, '\n', last.len);
        last = jrpc_slice_from(last, line_end == NULL ? 0 : (size_t)(line_end + 1 - last.ptr));
    }
    // The excerpt is shorter still.
    last.len = last.len < LINE_MAX_BYTES ? last.len : LINE_MAX_BYTES;
    char *line = jrpc_arena_alloc(arena, last.len + 1);
    if (line == NULL) {
        return "?";
    }
    for (size_t i = 0; i < last.len; i++) {
        bool feeds = last.ptr[i] == '\n' || last.ptr[i] == '\r';
        line[i] = feeds ? ' ' : last.ptr[i];
    }
    return jck_excerpt(arena, jrpc_slice_of(line, last.len), LAST_WORDS);
}
