#include "harness/report/reading.h"

#include "reference/base/limits.h"
#include "reference/json/equal.h"

#include <limits.h>
#include <string.h>

// The longest line that a person would still type.
#define AFTER_BYTES ((size_t)400)

// A string; anything else reads as empty. Running out of memory is noticed at the end, in the
// arena.
static void read_string(jrpc_json value, jrpc_arena *arena, jrpc_slice *ret_text)
{
    *ret_text = (jrpc_slice){"", 0};
    (void)jrpc_json_string(value, arena, ret_text);
}

static void read_text(jrpc_json object, const char *name, jrpc_arena *arena, jrpc_slice *ret_text)
{
    read_string(jrpc_json_get(object, name), arena, ret_text);
}

// An array member; anything else reads as no value.
static jrpc_json read_array(jrpc_json object, const char *name)
{
    jrpc_json value = jrpc_json_get(object, name);
    return jrpc_json_is(value, JRPC_JSON_ARRAY) ? value : JRPC_JSON_ABSENT;
}

static bool read_flag(jrpc_json object, const char *name)
{
    return jrpc_json_is(jrpc_json_get(object, name), JRPC_JSON_TRUE);
}

static int64_t read_number(jrpc_json object, const char *name, int64_t otherwise)
{
    int64_t number = otherwise;
    return jrpc_json_int64(jrpc_json_get(object, name), &number) ? number : otherwise;
}

static size_t read_size(jrpc_json object, const char *name)
{
    int64_t number = read_number(object, name, 0);
    return number > 0 ? (size_t)number : 0;
}

jck_event_kind jck_reading_kind(jrpc_json event)
{
    static const char *const names[] = {NULL, "start", "case", "ground", "finish", "rule"};
    jrpc_json name = jrpc_json_get(event, "event");
    for (int kind = JCK_EVENT_START; kind <= JCK_EVENT_RULE; kind++) {
        if (jrpc_json_string_is(name, jrpc_slice_str(names[kind]))) {
            return (jck_event_kind)kind;
        }
    }
    return JCK_EVENT_OTHER;
}

// The other parsers, as far as there are letters for them.
static const char letters[] = "bcdefghijklmnopqrstuvwxyz";

static uint32_t count_others(jrpc_json against)
{
    uint32_t count = jrpc_json_is(against, JRPC_JSON_ARRAY) ? jrpc_json_count(against) : 0;
    return count < sizeof letters ? count : (uint32_t)(sizeof letters - 1);
}

// The name of the library of another parser; if that does not tell it apart from the rest, or is
// not known, what the user typed.
static void read_name_of_other(jrpc_json all, jrpc_json other, jrpc_arena *arena,
                               jrpc_slice *ret_name)
{
    jrpc_json library = jrpc_json_get(jrpc_json_get(other, "implementation"), "name");
    size_t alike = 0;
    for (uint32_t i = 0; i < count_others(all) && jrpc_json_exists(library); i++) {
        jrpc_json one = jrpc_json_get(jrpc_json_element(all, i), "implementation");
        jrpc_json name = jrpc_json_get(one, "name");
        alike += jrpc_json_exists(name) && jrpc_json_equal(name, library) ? 1 : 0;
    }
    bool tells = jrpc_json_exists(library) && alike <= 1;
    read_string(tells ? library : jrpc_json_get(other, "name"), arena, ret_name);
}

// "orjson", or of several "b: orjson, c: simdjson": connection a is the target.
static void read_against(jrpc_json against, jrpc_arena *arena, jrpc_slice *ret_names)
{
    if (!jrpc_json_is(against, JRPC_JSON_ARRAY)) {
        read_name_of_other(against, against, arena, ret_names);
        return;
    }
    const char *names = "";
    for (uint32_t i = 0; i < count_others(against) && names != NULL; i++) {
        jrpc_slice name;
        read_name_of_other(against, jrpc_json_element(against, i), arena, &name);
        names = jrpc_arena_printf(arena, "%s%s%c: %.*s", names, i == 0 ? "" : ", ", letters[i],
                                  (int)name.len, name.ptr);
    }
    *ret_names = jrpc_slice_str(names == NULL ? "" : names);
}

bool jck_reading_of_start(jrpc_json event, jrpc_arena *arena, jck_reading_start *ret_start)
{
    jrpc_json target = jrpc_json_get(event, "target");
    jrpc_json software = jrpc_json_get(target, "implementation");
    jrpc_json shard = jrpc_json_get(event, "shard");
    jrpc_json likeness = jrpc_json_get(target, "looks_like");
    *ret_start = (jck_reading_start){
        .schema = read_size(event, "schema"),
        .shard = read_size(shard, "index"),
        .shards = read_size(shard, "of"),
        .selected = read_size(jrpc_json_get(event, "suite"), "selected"),
        .strict = read_flag(event, "strict"),
    };
    read_text(jrpc_json_get(event, "tool"), "version", arena, &ret_start->tool);
    read_text(event, "role", arena, &ret_start->role);
    read_text(target, "name", arena, &ret_start->target);
    read_text(target, "words", arena, &ret_start->words);
    read_text(target, "transport", arena, &ret_start->transport);
    read_text(target, "framing", arena, &ret_start->framing);
    read_text(software, "name", arena, &ret_start->implementation);
    read_text(software, "version", arena, &ret_start->version);
    read_text(software, "language", arena, &ret_start->language);
    read_text(likeness, "as", arena, &ret_start->looks_like);
    read_text(likeness, "profile", arena, &ret_start->profile_to_name);
    read_against(jrpc_json_get(event, "against"), arena, &ret_start->against);
    read_text(event, "profile", arena, &ret_start->profile);
    read_text(event, "command", arena, &ret_start->command);
    read_text(event, "seed", arena, &ret_start->seed);
    read_text(event, "started", arena, &ret_start->started);
    return !arena->failed;
}

bool jck_reading_of_finish(jrpc_json event, jrpc_arena *arena, jck_reading_finish *ret_finish)
{
    *ret_finish = (jck_reading_finish){
        .judged = read_size(event, "judged"),
        .duration_us = read_number(event, "duration_us", 0),
        .interrupted = read_flag(event, "interrupted"),
        .conformant = read_flag(event, "conformant"),
        .only_in_company = read_size(event, "only_in_company"),
        .sessions_lost = read_size(event, "sessions_lost"),
    };
    read_text(event, "stop", arena, &ret_finish->stop);
    read_text(event, "stopped", arena, &ret_finish->stopped);
    read_text(event, "hint", arena, &ret_finish->hint);
    read_text(event, "note", arena, &ret_finish->note);
    return !arena->failed;
}

static jck_level read_level(jrpc_json object)
{
    jrpc_json name = jrpc_json_get(object, "level");
    for (int level = JCK_LEVEL_OBSERVE; level < JCK_LEVEL_MUST; level++) {
        if (jrpc_json_string_is(name, jrpc_slice_str(jck_level_name((jck_level)level)))) {
            return (jck_level)level;
        }
    }
    return JCK_LEVEL_MUST;
}

static int read_step(jrpc_json object)
{
    int64_t step = read_number(object, "step", 0);
    return step > 0 && step < INT_MAX ? (int)step : 0;
}

static void read_expected(jrpc_json finding, jrpc_arena *arena, jck_reading_finding *ret_finding)
{
    jrpc_json array = read_array(finding, "expected");
    jck_reading_example *items =
        jrpc_arena_array(arena, jrpc_json_count(array) + 1u, sizeof *items);
    if (items == NULL) {
        return;
    }
    ret_finding->expected = items;
    for (jrpc_json_iterator it = jrpc_json_iterate(array); jrpc_json_step(&it);) {
        jck_reading_example *item = &items[ret_finding->expected_count++];
        read_text(it.value, "kind", arena, &item->kind);
        read_text(it.value, "text", arena, &item->text);
    }
}

static void read_findings(jrpc_json event, jrpc_arena *arena, jck_reading_case *ret_case)
{
    jrpc_json array = read_array(event, "findings");
    jck_reading_finding *items =
        jrpc_arena_array(arena, jrpc_json_count(array) + 1u, sizeof *items);
    if (items == NULL) {
        return;
    }
    size_t count = 0;
    for (jrpc_json_iterator it = jrpc_json_iterate(array); jrpc_json_step(&it);) {
        jck_reading_finding *item = &items[count++];
        item->level = read_level(it.value);
        item->repeats = read_flag(it.value, "repeats");
        item->known = read_flag(it.value, "known") && !item->repeats;
        item->step = read_step(it.value);
        read_text(it.value, "rule", arena, &item->rule);
        read_text(it.value, "text", arena, &item->text);
        read_text(it.value, "sentence", arena, &item->sentence);
        read_text(it.value, "came", arena, &item->came);
        read_expected(it.value, arena, item);
    }
    ret_case->findings = items;
    ret_case->finding_count = count;
}

static void read_rules(jrpc_json event, jrpc_arena *arena, jck_reading_case *ret_case)
{
    jrpc_json array = read_array(event, "rules");
    jrpc_slice *items = jrpc_arena_array(arena, jrpc_json_count(array) + 1u, sizeof *items);
    if (items == NULL) {
        return;
    }
    for (jrpc_json_iterator it = jrpc_json_iterate(array); jrpc_json_step(&it);) {
        if (jrpc_json_is(it.value, JRPC_JSON_STRING)) {
            read_string(it.value, arena, &items[ret_case->rule_count++]);
        }
    }
    ret_case->rules = items;
}

static void add_observation(jck_reading_observation *item, jrpc_json name, jrpc_json value,
                            jrpc_arena *arena)
{
    read_string(name, arena, &item->name);
    read_string(value, arena, &item->value);
}

// Name → value, or name → several values.
static void read_observations(jrpc_json event, jrpc_arena *arena, jck_reading_case *ret_case)
{
    jrpc_json object = jrpc_json_get(event, "observed");
    if (!jrpc_json_is(object, JRPC_JSON_OBJECT)) {
        return;
    }
    size_t room = 0;
    for (jrpc_json_iterator it = jrpc_json_iterate(object); jrpc_json_step(&it);) {
        room += jrpc_json_is(it.value, JRPC_JSON_ARRAY) ? jrpc_json_count(it.value) : 1u;
    }
    jck_reading_observation *items = jrpc_arena_array(arena, room + 1, sizeof *items);
    if (items == NULL) {
        return;
    }
    size_t count = 0;
    for (jrpc_json_iterator it = jrpc_json_iterate(object); jrpc_json_step(&it);) {
        if (!jrpc_json_is(it.value, JRPC_JSON_ARRAY)) {
            add_observation(&items[count++], it.key, it.value, arena);
            continue;
        }
        for (jrpc_json_iterator of = jrpc_json_iterate(it.value); jrpc_json_step(&of);) {
            add_observation(&items[count++], it.key, of.value, arena);
        }
    }
    ret_case->observations = items;
    ret_case->observation_count = count;
}

static int base64_digit(char byte)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *found = byte == '\0' ? NULL : strchr(digits, byte);
    return found == NULL ? -1 : (int)(found - digits);
}

// RFC 4648; reading ends at the first character that is not a digit.
static void decode_base64(jrpc_slice text, jrpc_arena *arena, jrpc_slice *ret_bytes)
{
    char *bytes = jrpc_arena_alloc(arena, text.len / 4 * 3 + 3);
    if (bytes == NULL) {
        return;
    }
    size_t len = 0;
    unsigned group = 0;
    unsigned bits = 0;
    for (size_t i = 0; i < text.len && base64_digit(text.ptr[i]) >= 0; i++) {
        group = (group << 6 | (unsigned)base64_digit(text.ptr[i])) & 0xFFFu;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            bytes[len++] = (char)(unsigned char)(group >> bits & 0xFFu);
        }
    }
    *ret_bytes = jrpc_slice_of(bytes, len);
}

static void read_message(jrpc_json value, jrpc_arena *arena, jck_reading_message *ret_message)
{
    *ret_message = (jck_reading_message){
        .sent = jrpc_json_string_is(jrpc_json_get(value, "dir"), JRPC_SLICE("sent")),
        .step = read_step(value),
        .at_us = read_number(value, "at_us", 0),
        .true_len = read_size(value, "length"),
    };
    jrpc_slice base64;
    read_text(value, "connection", arena, &ret_message->connection);
    read_text(value, "role", arena, &ret_message->role);
    read_text(value, "text", arena, &ret_message->bytes);
    read_text(value, "base64", arena, &base64);
    if (base64.len > 0) {
        decode_base64(base64, arena, &ret_message->bytes);
    }
    if (ret_message->true_len < ret_message->bytes.len) {
        ret_message->true_len = ret_message->bytes.len;
    }
}

static void read_messages(jrpc_json array, jrpc_arena *arena,
                          const jck_reading_message **ret_messages, size_t *ret_count)
{
    jck_reading_message *items =
        jrpc_arena_array(arena, jrpc_json_count(array) + 1u, sizeof *items);
    *ret_messages = items;
    *ret_count = 0;
    if (items == NULL) {
        return;
    }
    for (jrpc_json_iterator it = jrpc_json_iterate(array); jrpc_json_step(&it);) {
        read_message(it.value, arena, &items[(*ret_count)++]);
    }
}

static bool is_word(jrpc_slice id)
{
    for (size_t i = 0; i < id.len; i++) {
        bool plain = (id.ptr[i] >= 'a' && id.ptr[i] <= 'z') ||
                     (id.ptr[i] >= '0' && id.ptr[i] <= '9') || memchr("/.-_", id.ptr[i], 4) != NULL;
        if (!plain) {
            return false;
        }
    }
    return id.len > 0;
}

// The options that name the cases with which a case failed again, as words of a shell.
static void read_after(jrpc_json event, jrpc_arena *arena, jrpc_slice *ret_after)
{
    jrpc_json company = jrpc_json_get(event, "company");
    jrpc_json ids = read_array(company, "cases");
    bool again = jrpc_json_string_is(jrpc_json_get(company, "way"), JRPC_SLICE("again"));
    jrpc_buffer words;
    jrpc_buffer_init(&words, arena->allocator, JRPC_LIMIT_DOCUMENT_BYTES * 4);
    for (uint32_t i = 0, next = 0; again && i < jrpc_json_count(ids); i = next) {
        jrpc_slice id;
        jrpc_slice other;
        if (!jrpc_json_string(jrpc_json_element(ids, i), arena, &id) || !is_word(id)) {
            jrpc_buffer_clear(&words); // naming only some of the cases would repeat nothing
            break;
        }
        for (next = i + 1; jrpc_json_string(jrpc_json_element(ids, next), arena, &other) &&
                           jrpc_slice_equal(id, other);) {
            next++;
        }
        (void)jrpc_buffer_printf(&words, " --after %.*s", (int)id.len, id.ptr);
        if (next - i > 1) {
            (void)jrpc_buffer_printf(&words, "'*%u'", (unsigned)(next - i));
        }
    }
    // Too many to be typed: the stream has them, and jrpcheck shrink reads it.
    if (words.len <= AFTER_BYTES) {
        (void)jrpc_arena_copy(arena, jrpc_buffer_slice(&words), ret_after);
    }
    arena->failed = arena->failed || words.failed;
    jrpc_buffer_done(&words);
}

static void read_exchange(jrpc_json event, jrpc_arena *arena, jck_reading_case *ret_case)
{
    jrpc_json exchange = jrpc_json_get(event, "exchange");
    read_after(event, arena, &ret_case->after);
    read_messages(read_array(exchange, "messages"), arena, &ret_case->messages,
                  &ret_case->message_count);
    read_messages(read_array(event, "sequence"), arena, &ret_case->sequence,
                  &ret_case->sequence_count);
    jrpc_json end = jrpc_json_get(exchange, "end");
    ret_case->left_out = read_size(exchange, "left_out");
    ret_case->end_value =
        read_number(end, "status", read_number(end, "signal", read_number(end, "code", 0)));
    ret_case->http_status = read_number(jrpc_json_get(exchange, "http"), "status", 0);
    read_text(end, "kind", arena, &ret_case->end);
    read_text(exchange, "stderr", arena, &ret_case->error_output);
}

static jck_outcome read_outcome(jrpc_json event)
{
    jrpc_json name = jrpc_json_get(event, "outcome");
    for (int outcome = 0; outcome < JCK_OUTCOME_COUNT; outcome++) {
        if (jrpc_json_string_is(name, jrpc_slice_str(jck_outcome_name((jck_outcome)outcome)))) {
            return (jck_outcome)outcome;
        }
    }
    return JCK_OUTCOME_ERROR;
}

bool jck_reading_keep_start(jck_reading_start *start, jrpc_arena *arena)
{
    jrpc_slice *const texts[] = {
        &start->tool,       &start->words,           &start->target,         &start->transport,
        &start->framing,    &start->profile,         &start->seed,           &start->started,
        &start->version,    &start->language,        &start->implementation, &start->role,
        &start->looks_like, &start->profile_to_name, &start->against,        &start->command,
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        jrpc_slice text = *texts[i];
        *texts[i] = (jrpc_slice){"", 0}; // a report that fails is still closed, after the event
        (void)jrpc_arena_copy(arena, text, texts[i]);
    }
    return !arena->failed;
}

bool jck_reading_of_rule(jrpc_json event, jrpc_arena *arena, jck_reading_rule *ret_rule)
{
    *ret_rule = (jck_reading_rule){.level = read_level(event)};
    read_text(event, "id", arena, &ret_rule->id);
    read_text(event, "section", arena, &ret_rule->section);
    read_text(event, "title", arena, &ret_rule->title);
    read_text(event, "sentence", arena, &ret_rule->sentence);
    return !arena->failed;
}

bool jck_reading_of_verdict(jrpc_json event, jrpc_arena *arena, jck_reading_case *ret_case)
{
    *ret_case = (jck_reading_case){
        .ground = jck_reading_kind(event) == JCK_EVENT_GROUND,
        .outcome = read_outcome(event),
        .expected = read_flag(event, "expected"),
        .line = read_size(event, "line"),
        .duration_us = read_number(event, "duration_us", -1),
    };
    read_text(event, "id", arena, &ret_case->id);
    read_text(event, "suite", arena, &ret_case->suite);
    read_text(event, "section", arena, &ret_case->section);
    read_text(event, "title", arena, &ret_case->title);
    read_text(event, "file", arena, &ret_case->file);
    read_text(event, "reason", arena, &ret_case->reason);
    read_text(event, "reason_code", arena, &ret_case->reason_code);
    read_text(event, "capability", arena, &ret_case->capability);
    read_text(event, "blocked_by", arena, &ret_case->blocked_by);
    read_text(event, "unlock", arena, &ret_case->unlock);
    read_rules(event, arena, ret_case);
    read_findings(event, arena, ret_case);
    read_observations(event, arena, ret_case);
    return !arena->failed;
}

bool jck_reading_of_case(jrpc_json event, jrpc_arena *arena, jck_reading_case *ret_case)
{
    (void)jck_reading_of_verdict(event, arena, ret_case);
    read_exchange(event, arena, ret_case);
    return !arena->failed;
}

bool jck_reading_is_breach(const jck_reading_case *test_case, bool strict)
{
    switch (test_case->outcome) {
    case JCK_OUTCOME_PASS:
    case JCK_OUTCOME_SKIP:
    case JCK_OUTCOME_OBSERVE:
    case JCK_OUTCOME_BLOCKED:
        return false;
    case JCK_OUTCOME_WARN:
        return strict;
    case JCK_OUTCOME_FAIL:
    case JCK_OUTCOME_STUCK:
    case JCK_OUTCOME_HANG:
    case JCK_OUTCOME_CRASH:
    case JCK_OUTCOME_ERROR:
        return true;
    case JCK_OUTCOME_ENDED:
        break;
    }
    for (size_t i = 0; i < test_case->finding_count; i++) {
        if (test_case->findings[i].level == JCK_LEVEL_MUST && !test_case->findings[i].known) {
            return true;
        }
    }
    return false;
}
