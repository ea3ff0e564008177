#include "harness/report/words.h"

#include <ctype.h>
#include <inttypes.h>

// Names that do not depend on the system on which the report is written.
static const char *signal_name(int64_t number)
{
    static const struct {
        int64_t number;
        const char *name;
    } names[] = {
        {1, "SIGHUP"},   {2, "SIGINT"},   {3, "SIGQUIT"}, {4, "SIGILL"},   {6, "SIGABRT"},
        {7, "SIGBUS"},   {8, "SIGFPE"},   {9, "SIGKILL"}, {11, "SIGSEGV"}, {13, "SIGPIPE"},
        {15, "SIGTERM"}, {24, "SIGXCPU"}, {31, "SIGSYS"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (names[i].number == number) {
            return names[i].name;
        }
    }
    return NULL;
}

void jck_append_end(jrpc_buffer *out, jck_safe_place place, const jck_reading_case *test_case)
{
    static const struct {
        const char *kind;
        const char *sentence;
        bool valued;
    } ends[] = {
        {"closed", "the target closed the connection", false},
        {"reset", "the target reset the connection", false},
        {"exited", "the target exited with status ", true},
        {"signaled", "the target was killed by signal ", true},
        {"ws-close", "the target closed the WebSocket with code ", true},
    };
    if (test_case->end.len == 0 || jrpc_slice_is(test_case->end, "open")) {
        return;
    }
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        if (!jrpc_slice_is(test_case->end, ends[i].kind)) {
            continue;
        }
        (void)jrpc_buffer_append_str(out, ends[i].sentence);
        if (ends[i].valued) {
            (void)jrpc_buffer_printf(out, "%" PRId64, test_case->end_value);
        }
        const char *name = signal_name(test_case->end_value);
        if (jrpc_slice_is(test_case->end, "signaled") && name != NULL) {
            (void)jrpc_buffer_printf(out, " (%s)", name);
        }
        return;
    }
    (void)jrpc_buffer_append_str(out, "the connection ended: ");
    (void)jck_safe_append(out, place, test_case->end);
}

void jck_append_message(jrpc_buffer *out, jck_safe_place place, const jck_reading_message *message,
                        size_t max)
{
    (void)jrpc_buffer_append_str(out, message->sent ? "→ " : "← ");
    (void)jck_safe_append_capped(out, place, message->bytes, max, message->true_len);
}

bool jck_is_of_case(const jck_reading_message *message)
{
    return message->role.len == 0 || jrpc_slice_is(message->role, "noise");
}

const jck_reading_finding *jck_decisive_finding(const jck_reading_case *test_case)
{
    const jck_reading_finding *worst = NULL;
    for (size_t i = 0; i < test_case->finding_count; i++) {
        const jck_reading_finding *finding = &test_case->findings[i];
        if (!finding->known && (worst == NULL || finding->level > worst->level)) {
            worst = finding;
        }
    }
    return worst;
}

void jck_append_account(jrpc_buffer *out, jck_safe_place place, const jck_reading_case *test_case)
{
    const jck_reading_finding *finding = jck_decisive_finding(test_case);
    size_t before = out->len;
    if (finding != NULL) {
        (void)jck_safe_append(out, place, finding->rule);
        (void)jck_safe_append(out, place, JRPC_SLICE(": "));
        (void)jck_safe_append_sentence(out, place, finding->text, SIZE_MAX);
        return;
    }
    jck_append_end(out, place, test_case);
    if (out->len == before) {
        (void)jck_safe_append_sentence(out, place,
                                       test_case->reason.len > 0
                                           ? test_case->reason
                                           : jrpc_slice_str(jck_outcome_name(test_case->outcome)),
                                       SIZE_MAX);
    }
}

static void append_finding(jrpc_buffer *out, jck_safe_place place,
                           const jck_reading_finding *finding)
{
    (void)jck_safe_append(out, place, finding->rule);
    (void)jrpc_buffer_printf(out, " %s", jck_level_name(finding->level));
    if (finding->sentence.len > 0) {
        (void)jrpc_buffer_append_str(out, "  ");
        (void)jck_safe_append(out, place, finding->sentence);
    }
}

void jck_append_details(jrpc_buffer *out, const jck_details *how, const jck_reading_case *test_case)
{
    for (size_t i = 0; i < test_case->finding_count; i++) {
        if (!test_case->findings[i].known) {
            (void)jrpc_buffer_append_str(out, how->before);
            append_finding(out, how->place, &test_case->findings[i]);
            (void)jrpc_buffer_printf(out, "%s%s  ", how->behind, how->before);
            (void)jck_safe_append_sentence(out, how->place, test_case->findings[i].text, SIZE_MAX);
            (void)jrpc_buffer_append_str(out, how->behind);
        }
    }
    for (size_t i = 0; i < test_case->message_count; i++) {
        if (jck_is_of_case(&test_case->messages[i])) {
            (void)jrpc_buffer_append_str(out, how->before);
            jck_append_message(out, how->place, &test_case->messages[i], how->message_bytes);
            (void)jrpc_buffer_append_str(out, how->behind);
        }
    }
    if (test_case->end.len > 0 && !jrpc_slice_is(test_case->end, "open")) {
        (void)jrpc_buffer_append_str(out, how->before);
        jck_append_end(out, how->place, test_case);
        (void)jrpc_buffer_append_str(out, how->behind);
    }
    jrpc_slice line;
    for (jrpc_slice rest = test_case->error_output; jrpc_slice_take_line(&rest, &line);) {
        (void)jrpc_buffer_printf(out, "%sstderr: ", how->before);
        (void)jck_safe_append_capped(out, how->place, line, how->message_bytes, line.len);
        (void)jrpc_buffer_append_str(out, how->behind);
    }
}

static bool holds_only(jrpc_slice text, const char *marks)
{
    for (size_t i = 0; i < text.len; i++) {
        char byte = text.ptr[i];
        if (!isalnum((unsigned char)byte) && (byte == '\0' || strchr(marks, byte) == NULL)) {
            return false;
        }
    }
    return text.len > 0 && text.ptr[0] != '-';
}

bool jck_is_slug(jrpc_slice id)
{
    return holds_only(id, "-._/+");
}

// Whether a shell reads the text as words and nothing else: a stream may come from anybody. Single
// quotes may contain any visible text; a quote is spelled '\'' as usual.
static bool is_quoted(jrpc_slice text)
{
    bool inside = false;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        bool escaped = !inside && c == '\\' && i + 1 < text.len && text.ptr[i + 1] == '\'';
        i += escaped;
        inside = inside != (c == '\'');
        bool plain = isalnum((unsigned char)c) || (c != '\0' && strchr("-_./:=,+@% '", c) != NULL);
        if ((unsigned char)c < ' ' || (!inside && !escaped && !plain)) {
            return false;
        }
    }
    return text.len > 0 && !inside;
}

const jck_role_words *jck_words_of_role(jrpc_slice role)
{
    static const jck_role_words table[] = {
        {"server", "the server's process ended", "the server no longer answers, on any connection",
         "the server keeps running, whatever it answers"},
        {"client", "the client's process ended", "the client no longer responds",
         "the client keeps working, whatever it receives"},
        {"parser", "the parser's process ended", "the parser no longer answers",
         "the parser keeps working, whatever the text"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (jrpc_slice_is(role, table[i].role)) {
            return &table[i];
        }
    }
    return &table[0];
}

void jck_append_target_words(jrpc_buffer *out, jck_safe_place place, const jck_reading_start *start)
{
    jrpc_slice target = start->target;
    if (is_quoted(start->words)) {
        (void)jck_safe_append(out, place, start->words);
        return;
    }
    if (start->schema > 1) {
        return; // without it nothing can be repeated by name
    }
    bool is_url = jrpc_slice_contains(target, JRPC_SLICE("://")) ||
                  jrpc_slice_starts_with(target, JRPC_SLICE("unix:"));
    // The name of a description is a slug; a single word that is a path is a command.
    bool is_name = start->implementation.len > 0 ||
                   (jck_is_slug(target) && target.ptr[0] != '/' && target.ptr[0] != '.');
    bool is_command = jrpc_slice_is(start->transport, "stdio");
    if (holds_only(target, "-._/+:@=, ") && (is_url || is_name || is_command)) {
        (void)jrpc_buffer_append_str(out, is_url || is_name ? "" : "-- ");
        (void)jck_safe_append(out, place, target);
    }
}

// The word after an option in a command line, as it is quoted there; empty if there is none.
static jrpc_slice word_after(jrpc_slice command, jrpc_slice option)
{
    for (size_t at = 0; at + option.len < command.len; at++) {
        if (jrpc_slice_starts_with(jrpc_slice_from(command, at), option)) {
            jrpc_slice word = jrpc_slice_from(command, at + option.len);
            char end = word.len > 0 && word.ptr[0] == '\'' ? '\'' : ' ';
            size_t len = end == ' ' ? 0 : 1;
            while (len < word.len && word.ptr[len] != end) {
                len++;
            }
            word.len = end == ' ' ? len : len < word.len ? len + 1 : 0;
            return word;
        }
    }
    return (jrpc_slice){NULL, 0};
}

bool jck_append_repro(jrpc_buffer *out, jck_safe_place place, const jck_reading_start *start,
                      jrpc_slice id, jrpc_slice after)
{
    size_t before = out->len;
    (void)jrpc_buffer_append_str(out, "jrpcheck repro ");
    if (jrpc_slice_starts_with(id, JRPC_SLICE("fuzz/"))) {
        // The suite has no such case, only the folder that it was saved in.
        jrpc_slice folder = word_after(start->command, JRPC_SLICE(" --save "));
        if (folder.len == 0) {
            jrpc_buffer_truncate(out, before);
            return false;
        }
        (void)jrpc_buffer_append_str(out, "--cases ");
        (void)jck_safe_append(out, place, folder);
        (void)jrpc_buffer_append_str(out, " ");
    }
    (void)jck_safe_append(out, place, id);
    (void)jck_safe_append(out, place, after);
    (void)jrpc_buffer_append_str(out, " ");
    size_t named = out->len;
    jck_append_target_words(out, place, start);
    if (jck_is_slug(id) && out->len > named) {
        return true;
    }
    jrpc_buffer_truncate(out, before);
    return false;
}

bool jck_append_command(jrpc_buffer *out, jck_safe_place place, const jck_reading_start *start)
{
    if (!is_quoted(start->command)) {
        return false;
    }
    (void)jrpc_buffer_append_str(out, "jrpcheck ");
    return jck_safe_append(out, place, start->command);
}

void jck_append_likeness(jrpc_buffer *out, jck_safe_place place, const jck_reading_start *start,
                         const char *before, const char *after)
{
    static const struct {
        const char *transport, *words;
    } known[] = {{"http", "HTTP"}, {"websocket", "WebSocket"}, {"tcp", "TCP"}};
    if (start->looks_like.len == 0 || start->profile_to_name.len == 0) {
        return;
    }
    jrpc_slice over = start->transport;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        over = jrpc_slice_is(start->transport, known[i].transport) ? jrpc_slice_str(known[i].words)
                                                                   : over;
    }
    (void)jrpc_buffer_append_str(out, before);
    (void)jrpc_buffer_append_str(out, "this looks like ");
    (void)jck_safe_append(out, place, start->looks_like);
    (void)jrpc_buffer_append_str(out, " over ");
    (void)jck_safe_append(out, place, over);
    (void)jrpc_buffer_append_str(out, ": add --profile ");
    (void)jck_safe_append(out, place, start->profile_to_name);
    (void)jrpc_buffer_append_str(out, after);
}

void jck_append_hint(jrpc_buffer *out, jck_safe_place place, const jck_reading_finish *finish,
                     const char *before, const char *after)
{
    const jrpc_slice sentences[] = {finish->hint, finish->note};
    for (size_t i = 0; i < sizeof sentences / sizeof sentences[0]; i++) {
        if (sentences[i].len > 0) {
            (void)jrpc_buffer_append_str(out, before);
            (void)jck_safe_append_sentence(out, place, sentences[i], SIZE_MAX);
            (void)jrpc_buffer_append_str(out, after);
        }
    }
}
