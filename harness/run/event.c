#include "harness/run/event.h"

#include "reference/base/utf8.h"
#include "reference/json/write.h"

#include <stdio.h>
#include <string.h>

static bool finish_line(jrpc_json_writer *writer)
{
    jrpc_json_write_end_object(writer);
    return jrpc_buffer_append_char(writer->buffer, '\n');
}

static void begin(jrpc_json_writer *writer, jrpc_buffer *out, const char *kind)
{
    jrpc_json_writer_init(writer, out);
    jrpc_json_write_begin_object(writer);
    jrpc_json_write_key(writer, "event");
    jrpc_json_write_str(writer, kind);
}

static void write_text(jrpc_json_writer *writer, const char *name, jrpc_slice text)
{
    jrpc_json_write_key(writer, name);
    jrpc_json_write_string(writer, text);
}

static void write_number(jrpc_json_writer *writer, const char *name, int64_t number)
{
    jrpc_json_write_key(writer, name);
    jrpc_json_write_int(writer, number);
}

static void write_bool(jrpc_json_writer *writer, const char *name, bool value)
{
    jrpc_json_write_key(writer, name);
    jrpc_json_write_bool(writer, value);
}

// Capability → method, and which of them nobody named.
static void write_methods(jrpc_json_writer *writer, const jck_start_event *event)
{
    const jck_target *target = event->target;
    jrpc_json_write_key(writer, "methods");
    jrpc_json_write_begin_object(writer);
    for (size_t i = 0; i < target->mapping_count; i++) {
        jrpc_json_write_key_slice(writer, target->mappings[i].capability);
        jrpc_json_write_raw(writer, target->mappings[i].method);
    }
    jrpc_json_write_end_object(writer);
    jrpc_json_write_key(writer, "discovered");
    jrpc_json_write_begin_array(writer);
    for (size_t i = event->mapped; i < target->mapping_count; i++) {
        jrpc_json_write_string(writer, target->mappings[i].capability);
    }
    jrpc_json_write_end_array(writer);
}

// What is behind the target, where its description says so.
static void write_implementation(jrpc_json_writer *writer, const jck_target *target)
{
    if (target->implementation.name.len == 0) {
        return;
    }
    jrpc_json_write_key(writer, "implementation");
    jrpc_json_write_begin_object(writer);
    write_text(writer, "name", target->implementation.name);
    if (target->implementation.version.len > 0) {
        write_text(writer, "version", target->implementation.version);
    }
    if (target->implementation.language.len > 0) {
        write_text(writer, "language", target->implementation.language);
    }
    jrpc_json_write_end_object(writer);
}

bool jck_event_write_start(jrpc_buffer *out, const jck_start_event *event)
{
    jrpc_json_writer writer;
    begin(&writer, out, "start");
    write_number(&writer, "schema", JCK_EVENT_SCHEMA);
    jrpc_json_write_key(&writer, "tool");
    jrpc_json_write_begin_object(&writer);
    write_text(&writer, "name", JRPC_SLICE("jrpcheck"));
    write_text(&writer, "version", jrpc_slice_str(JRPCHECK_VERSION));
    jrpc_json_write_end_object(&writer);
    jrpc_json_write_key(&writer, "suite");
    jrpc_json_write_begin_object(&writer);
    write_number(&writer, "cases", (int64_t)jck_suite_case_count(event->suite));
    write_number(&writer, "rules", (int64_t)jck_suite_rule_count(event->suite));
    write_number(&writer, "selected", (int64_t)event->selected);
    jrpc_json_write_end_object(&writer);
    jrpc_json_write_key(&writer, "target");
    jrpc_json_write_begin_object(&writer);
    write_text(&writer, "name", event->target->name);
    const jrpc_traits *traits = jck_target_traits(event->target);
    write_text(&writer, "transport", jrpc_slice_str(traits->name));
    if (traits->byte_stream) {
        write_text(&writer, "framing", jrpc_slice_str(jrpc_framing_name(event->target->framing)));
    }
    write_methods(&writer, event);
    write_implementation(&writer, event->target);
    jrpc_json_write_end_object(&writer);
    write_text(&writer, "profile",
               event->target->profile.len > 0 ? event->target->profile : JRPC_SLICE("spec"));
    write_bool(&writer, "strict", event->strict);
    write_text(&writer, "started", jrpc_slice_str(event->started));
    // A seed has 64 bits, and readers of JSON may have 53.
    char seed[24];
    int seed_len = snprintf(seed, sizeof seed, "%llu", (unsigned long long)event->seed);
    write_text(&writer, "seed", jrpc_slice_of(seed, (size_t)seed_len));
    return finish_line(&writer);
}

bool jck_event_write_rule(jrpc_buffer *out, const jck_rule *rule)
{
    jrpc_json_writer writer;
    begin(&writer, out, "rule");
    write_text(&writer, "id", rule->id);
    write_text(&writer, "level", jrpc_slice_str(jck_level_name(rule->level)));
    write_text(&writer, "specification", rule->specification);
    write_text(&writer, "section", rule->section);
    write_text(&writer, "title", rule->title);
    write_text(&writer, "sentence", rule->sentence);
    return finish_line(&writer);
}

static void write_base64(jrpc_json_writer *writer, jrpc_slice bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    jrpc_json_write_raw(writer, JRPC_SLICE("\""));
    jrpc_buffer *out = writer->buffer;
    for (size_t at = 0; at < bytes.len; at += 3) {
        unsigned group = 0;
        size_t left = bytes.len - at < 3 ? bytes.len - at : 3;
        for (size_t i = 0; i < 3; i++) {
            group = group << 8 | (i < left ? (unsigned char)bytes.ptr[at + i] : 0u);
        }
        for (size_t i = 0; i < 4; i++) {
            jrpc_buffer_append_char(out, i <= left ? digits[group >> (18 - 6 * i) & 63] : '=');
        }
    }
    jrpc_buffer_append_char(out, '"');
}

static bool is_plain_text(jrpc_slice bytes)
{
    for (size_t at = 0; at < bytes.len;) {
        size_t len = jrpc_utf8_sequence(bytes.ptr + at, bytes.len - at, NULL);
        if (len == 0 || bytes.ptr[at] == '\0') {
            return false;
        }
        at += len;
    }
    return true;
}

// A message as `text` where it is valid UTF-8 without NUL, else as `base64`; capped.
static void write_message(jrpc_json_writer *writer, const jck_message *message, size_t room)
{
    jrpc_slice bytes = message->bytes;
    size_t cap = room < JCK_EVENT_MESSAGE_BYTES ? room : JCK_EVENT_MESSAGE_BYTES;
    if (bytes.len > cap) {
        // Not in the middle of a character, if it is text.
        size_t end = cap;
        while (end > 0 && cap - end < 3 && ((unsigned char)bytes.ptr[end] & 0xC0) == 0x80) {
            end--;
        }
        bytes.len = is_plain_text(jrpc_slice_of(bytes.ptr, end)) ? end : cap;
    }
    bool as_text = is_plain_text(bytes);
    static const char *const roles[] = {NULL, "fence", "session", "noise"};
    jrpc_json_write_begin_object(writer);
    write_text(writer, "dir",
               message->direction == JCK_SENT ? JRPC_SLICE("sent") : JRPC_SLICE("received"));
    write_text(writer, "connection", jrpc_slice_of(&message->connection, 1));
    write_number(writer, "step", message->step);
    write_number(writer, "at_us", message->at_us);
    if (roles[message->role] != NULL) {
        write_text(writer, "role", jrpc_slice_str(roles[message->role]));
    }
    if (as_text) {
        write_text(writer, "text", bytes);
    } else {
        jrpc_json_write_key(writer, "base64");
        write_base64(writer, bytes);
    }
    if (message->true_len > bytes.len) {
        write_number(writer, "length", (int64_t)message->true_len);
    }
    jrpc_json_write_end_object(writer);
}

static void write_end(jrpc_json_writer *writer, const jck_evidence *evidence)
{
    static const char *const kinds[] = {"open",   "closed",   "reset",
                                        "exited", "signaled", "ws-close"};
    static const char *const values[] = {NULL, NULL, NULL, "status", "signal", "code"};
    jrpc_json_write_key(writer, "end");
    jrpc_json_write_begin_object(writer);
    write_text(writer, "kind", jrpc_slice_str(kinds[evidence->end.kind]));
    if (values[evidence->end.kind] != NULL) {
        write_number(writer, values[evidence->end.kind], evidence->end.value);
    }
    jrpc_json_write_end_object(writer);
}

static void write_http(jrpc_json_writer *writer, const jck_evidence *evidence)
{
    for (size_t i = 0; i < evidence->count; i++) {
        const jck_message *message = &evidence->messages[i];
        if (message->http_status != 0 && message->role == JCK_MESSAGE_OF_CASE) {
            jrpc_json_write_key(writer, "http");
            jrpc_json_write_begin_object(writer);
            write_number(writer, "status", message->http_status);
            write_text(writer, "headers", message->http_headers);
            jrpc_json_write_end_object(writer);
            return;
        }
    }
}

static void write_exchange(jrpc_json_writer *writer, const jck_evidence *evidence)
{
    jrpc_json_write_key(writer, "exchange");
    jrpc_json_write_begin_object(writer);
    jrpc_json_write_key(writer, "messages");
    jrpc_json_write_begin_array(writer);
    size_t room = JCK_EVENT_EXCHANGE_BYTES;
    size_t left_out = 0;
    for (size_t i = 0; i < evidence->count; i++) {
        if (room == 0) {
            left_out++;
            continue;
        }
        write_message(writer, &evidence->messages[i], room);
        size_t shown = evidence->messages[i].bytes.len < JCK_EVENT_MESSAGE_BYTES
                           ? evidence->messages[i].bytes.len
                           : JCK_EVENT_MESSAGE_BYTES;
        room -= shown < room ? shown : room;
    }
    jrpc_json_write_end_array(writer);
    if (left_out > 0) {
        write_number(writer, "left_out", (int64_t)left_out);
    }
    write_end(writer, evidence);
    write_http(writer, evidence);
    if (evidence->stderr_tail.len > 0) {
        write_text(writer, "stderr", evidence->stderr_tail);
    }
    write_bool(writer, "isolated", evidence->isolated);
    jrpc_json_write_end_object(writer);
}

static void write_findings(jrpc_json_writer *writer, const jck_findings *findings)
{
    jrpc_json_write_key(writer, "findings");
    jrpc_json_write_begin_array(writer);
    for (size_t i = 0; findings != NULL && i < findings->count; i++) {
        const jck_finding *finding = &findings->items[i];
        jrpc_json_write_begin_object(writer);
        write_text(writer, "rule", finding->rule);
        write_text(writer, "level", jrpc_slice_str(jck_level_name(finding->level)));
        write_number(writer, "step", finding->step);
        write_text(writer, "text", finding->text);
        const jck_rule *rule = jck_suite_find_rule(findings->suite, finding->rule);
        if (rule != NULL) {
            write_text(writer, "sentence", rule->sentence);
        }
        if (finding->known) {
            write_bool(writer, "known", true);
        }
        jrpc_json_write_end_object(writer);
    }
    jrpc_json_write_end_array(writer);
}

static bool named_before(const jck_findings *findings, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (jrpc_slice_equal(findings->observations[i].name, findings->observations[index].name)) {
            return true;
        }
    }
    return false;
}

// An Object name → value; where a name was observed with several values, an Array of them.
static void write_observed(jrpc_json_writer *writer, const jck_findings *findings)
{
    jrpc_json_write_key(writer, "observed");
    jrpc_json_write_begin_object(writer);
    for (size_t i = 0; findings != NULL && i < findings->observation_count; i++) {
        if (named_before(findings, i)) {
            continue;
        }
        jrpc_slice name = findings->observations[i].name;
        jrpc_json_write_key_slice(writer, name);
        size_t same = 0;
        for (size_t k = i; k < findings->observation_count; k++) {
            same += jrpc_slice_equal(findings->observations[k].name, name);
        }
        if (same > 1) {
            jrpc_json_write_begin_array(writer);
        }
        for (size_t k = i; k < findings->observation_count; k++) {
            if (jrpc_slice_equal(findings->observations[k].name, name)) {
                jrpc_json_write_string(writer, findings->observations[k].value);
            }
        }
        if (same > 1) {
            jrpc_json_write_end_array(writer);
        }
    }
    jrpc_json_write_end_object(writer);
}

// "jsonrpc-2.0/06-batch.json" of a longer path: where a case stands, whatever machine it is on.
static jrpc_slice below_cases(const char *path)
{
    size_t at = strlen(path);
    for (int slashes = 0; at > 0; at--) {
        slashes += path[at - 1] == '/';
        if (slashes == 2) {
            break;
        }
    }
    return jrpc_slice_str(path + at);
}

bool jck_event_write_case(jrpc_buffer *out, const jck_case_event *event)
{
    const jck_case *test_case = event->test_case;
    const jck_findings *findings = event->verdict == NULL ? NULL : &event->verdict->findings;
    jrpc_json_writer writer;
    begin(&writer, out, event->kind);
    write_text(&writer, "id", test_case->id);
    write_text(&writer, "suite", test_case->suite);
    write_text(&writer, "section", test_case->section);
    write_text(&writer, "title", test_case->title);
    jrpc_json_write_key(&writer, "rules");
    jrpc_json_write_begin_array(&writer);
    for (size_t i = 0; i < test_case->rule_count; i++) {
        jrpc_json_write_string(&writer, test_case->rules[i]);
    }
    jrpc_json_write_end_array(&writer);
    if (test_case->file != NULL) {
        write_text(&writer, "file", below_cases(test_case->file));
        write_number(&writer, "line", (int64_t)test_case->line);
    }
    write_text(&writer, "outcome", jrpc_slice_str(jck_outcome_name(event->outcome)));
    write_bool(&writer, "expected", event->expected);
    if (event->reason != NULL) {
        write_text(&writer, "reason", jrpc_slice_str(event->reason));
    }
    write_findings(&writer, findings);
    write_observed(&writer, findings);
    if (event->evidence != NULL) {
        write_exchange(&writer, event->evidence);
        write_number(&writer, "duration_us", event->evidence->duration_us);
    }
    return finish_line(&writer);
}

bool jck_event_write_finish(jrpc_buffer *out, const jck_finish_event *event)
{
    jrpc_json_writer writer;
    begin(&writer, out, "finish");
    jrpc_json_write_key(&writer, "counts");
    jrpc_json_write_begin_object(&writer);
    for (int i = 0; i < JCK_OUTCOME_COUNT; i++) {
        write_number(&writer, jck_outcome_name((jck_outcome)i), (int64_t)event->counts[i]);
    }
    jrpc_json_write_end_object(&writer);
    write_number(&writer, "judged", (int64_t)event->judged);
    write_number(&writer, "skipped", (int64_t)event->skipped);
    write_number(&writer, "unexpected", (int64_t)event->unexpected);
    jrpc_json_write_key(&writer, "rules_untested");
    jrpc_json_write_begin_array(&writer);
    for (size_t i = 0; i < jck_suite_rule_count(event->suite); i++) {
        if (!event->rules_tested[i]) {
            jrpc_json_write_string(&writer, jck_suite_rule(event->suite, i)->id);
        }
    }
    jrpc_json_write_end_array(&writer);
    write_number(&writer, "duration_us", event->duration_us);
    write_number(&writer, "timers_expired", (int64_t)event->timers_expired);
    write_bool(&writer, "interrupted", event->interrupted);
    write_bool(&writer, "conformant", event->conformant);
    if (event->stopped != NULL) {
        write_text(&writer, "stopped", jrpc_slice_str(event->stopped));
    }
    return finish_line(&writer);
}
