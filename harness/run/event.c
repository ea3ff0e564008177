#include "harness/run/event.h"

#include "harness/run/event_private.h"

#include <stdio.h>
#include <string.h>

static void begin(jrpc_json_writer *writer, jrpc_buffer *out, const char *kind)
{
    jrpc_json_writer_init(writer, out);
    jrpc_json_write_begin_object(writer);
    jrpc_json_write_key(writer, "event");
    jrpc_json_write_str(writer, kind);
}

static bool finish_line(jrpc_json_writer *writer)
{
    jrpc_json_write_end_object(writer);
    return jrpc_buffer_append_char(writer->buffer, '\n');
}

// Capability → method, and which of them were discovered.
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

// The software behind the target, if its description names it.
static void write_implementation(jrpc_json_writer *writer, const jck_target *target)
{
    if (target->implementation.name.len == 0) {
        return;
    }
    jrpc_json_write_key(writer, "implementation");
    jrpc_json_write_begin_object(writer);
    jck_event_text(writer, "name", target->implementation.name);
    if (target->implementation.version.len > 0) {
        jck_event_text(writer, "version", target->implementation.version);
    }
    if (target->implementation.language.len > 0) {
        jck_event_text(writer, "language", target->implementation.language);
    }
    jrpc_json_write_end_object(writer);
}

// "an MCP server over HTTP", and the profile to name for it.
static void write_likeness(jrpc_json_writer *writer, const jck_target *target)
{
    const jck_recognition *looks_like = target->looks_like;
    if (looks_like == NULL) {
        return;
    }
    jrpc_json_write_key(writer, "looks_like");
    jrpc_json_write_begin_object(writer);
    jck_event_text(writer, "profile", looks_like->profile);
    jck_event_text(writer, "as", looks_like->as);
    jrpc_json_write_end_object(writer);
}

// An Object if it is one, else an Array of them.
static void write_against(jrpc_json_writer *writer, const jck_start_event *event)
{
    if (event->against_count == 0) {
        return;
    }
    jrpc_json_write_key(writer, "against");
    if (event->against_count > 1) {
        jrpc_json_write_begin_array(writer);
    }
    for (size_t i = 0; i < event->against_count; i++) {
        jrpc_json_write_begin_object(writer);
        jck_event_masked(writer, "name", event->against[i].name);
        write_implementation(writer, &event->against[i]);
        jrpc_json_write_end_object(writer);
    }
    if (event->against_count > 1) {
        jrpc_json_write_end_array(writer);
    }
}

bool jck_event_write_start(jrpc_buffer *out, const jck_start_event *event)
{
    jrpc_json_writer writer;
    begin(&writer, out, "start");
    jck_event_number(&writer, "schema", JCK_EVENT_SCHEMA);
    jrpc_json_write_key(&writer, "tool");
    jrpc_json_write_begin_object(&writer);
    jck_event_text(&writer, "name", JRPC_SLICE("jrpcheck"));
    jck_event_text(&writer, "version", jrpc_slice_str(JRPCHECK_VERSION));
    jrpc_json_write_end_object(&writer);
    jrpc_json_write_key(&writer, "suite");
    jrpc_json_write_begin_object(&writer);
    jck_event_number(&writer, "cases", (int64_t)jck_suite_case_count(event->suite));
    jck_event_number(&writer, "rules", (int64_t)jck_suite_rule_count(event->suite));
    jck_event_number(&writer, "selected", (int64_t)event->selected);
    jrpc_json_write_end_object(&writer);
    if (event->side != JCK_SIDE_SERVER) {
        jck_event_text(&writer, "role", jrpc_slice_str(jck_side_name(event->side)));
    }
    jrpc_json_write_key(&writer, "target");
    jrpc_json_write_begin_object(&writer);
    jck_event_masked(&writer, "name", event->target->name);
    if (event->words != NULL) {
        jck_event_masked(&writer, "words", jrpc_slice_str(event->words));
    }
    const jrpc_traits *traits = jck_target_traits(event->target);
    jck_event_text(&writer, "transport", jrpc_slice_str(traits->name));
    if (traits->byte_stream) {
        jck_event_text(&writer, "framing",
                       jrpc_slice_str(jrpc_framing_name(event->target->framing)));
    }
    write_methods(&writer, event);
    write_implementation(&writer, event->target);
    write_likeness(&writer, event->target);
    jrpc_json_write_end_object(&writer);
    write_against(&writer, event);
    jck_event_text(&writer, "profile",
                   event->target->profile.len > 0 ? event->target->profile : JRPC_SLICE("spec"));
    jck_event_bool(&writer, "strict", event->strict);
    if (event->shard_count > 1) {
        jrpc_json_write_key(&writer, "shard");
        jrpc_json_write_begin_object(&writer);
        jck_event_number(&writer, "index", event->shard_index);
        jck_event_number(&writer, "of", event->shard_count);
        jrpc_json_write_end_object(&writer);
    }
    jck_event_text(&writer, "started", jrpc_slice_str(event->started));
    if (event->command != NULL) {
        jck_event_masked(&writer, "command", jrpc_slice_str(event->command));
    }
    // A seed has 64 bits, and JSON readers may keep only 53.
    char seed[24];
    int seed_len = snprintf(seed, sizeof seed, "%llu", (unsigned long long)event->seed);
    jck_event_text(&writer, "seed", jrpc_slice_of(seed, (size_t)seed_len));
    return finish_line(&writer);
}

bool jck_event_write_rule(jrpc_buffer *out, const jck_rule *rule)
{
    jrpc_json_writer writer;
    begin(&writer, out, "rule");
    jck_event_text(&writer, "id", rule->id);
    jck_event_text(&writer, "level", jrpc_slice_str(jck_level_name(rule->level)));
    jck_event_text(&writer, "specification", rule->specification);
    jck_event_text(&writer, "section", rule->section);
    jck_event_text(&writer, "title", rule->title);
    jck_event_text(&writer, "sentence", rule->sentence);
    return finish_line(&writer);
}

bool jck_event_write_fuzz(jrpc_buffer *out, const jck_fuzz_event *event)
{
    jrpc_json_writer writer;
    begin(&writer, out, "fuzz");
    jck_event_number(&writer, "elapsed_us", event->elapsed_us);
    jck_event_number(&writer, "messages", (int64_t)event->messages);
    jck_event_number(&writer, "behaviours", (int64_t)event->behaviours);
    if (event->edges > 0) {
        jck_event_number(&writer, "edges", (int64_t)event->edges);
    }
    jck_event_number(&writer, "findings", (int64_t)event->findings);
    jck_event_number(&writer, "suspicions", (int64_t)event->suspicions);
    return finish_line(&writer);
}

// What would have been right, and what came, if the judge has said so.
static void write_expected(jrpc_json_writer *writer, const jck_finding *finding)
{
    if (finding->expected == NULL) {
        return;
    }
    jrpc_json_write_key(writer, "expected");
    jrpc_json_write_begin_array(writer);
    for (size_t i = 0; i < finding->expected_count; i++) {
        const jck_example *example = &finding->expected[i];
        jrpc_json_write_begin_object(writer);
        jck_event_text(writer, "kind", jrpc_slice_str(jck_example_word(example->kind)));
        if (example->text.len > 0) {
            jck_event_text(writer, "text", example->text);
        }
        jrpc_json_write_end_object(writer);
    }
    jrpc_json_write_end_array(writer);
    jck_event_text(writer, "came", jrpc_slice_str(jck_came_word(finding->came)));
}

static void write_findings(jrpc_json_writer *writer, const jck_findings *findings)
{
    jrpc_json_write_key(writer, "findings");
    jrpc_json_write_begin_array(writer);
    for (size_t i = 0; findings != NULL && i < findings->count; i++) {
        const jck_finding *finding = &findings->items[i];
        jrpc_json_write_begin_object(writer);
        jck_event_text(writer, "rule", finding->rule);
        jck_event_text(writer, "level", jrpc_slice_str(jck_level_name(finding->level)));
        jck_event_number(writer, "step", finding->step);
        jck_event_text(writer, "text", finding->text);
        const jck_rule *rule = jck_suite_find_rule(findings->suite, finding->rule);
        if (rule != NULL) {
            jck_event_text(writer, "sentence", rule->sentence);
        }
        if (finding->known || finding->repeats) {
            jck_event_bool(writer, "known", true);
        }
        if (finding->repeats) {
            jck_event_bool(writer, "repeats", true);
        }
        write_expected(writer, finding);
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

// An Object name → value; if a name was observed with several values, an Array of them.
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

static void write_reason(jrpc_json_writer *writer, const jck_reason *reason)
{
    jck_event_text(writer, "reason_code", jrpc_slice_str(jck_reason_word(reason->code)));
    jck_event_text(writer, "reason", jrpc_slice_str(reason->text));
    if (reason->capability.len > 0) {
        jck_event_text(writer, "capability", reason->capability);
    }
    if (reason->rule.len > 0) {
        jck_event_text(writer, "blocked_by", reason->rule);
    }
    if (reason->unlock != NULL) {
        jck_event_text(writer, "unlock", jrpc_slice_str(reason->unlock));
    }
}

static const char *name_of_way(jck_way way)
{
    static const char *const names[] = {"company",  "alike",     "alone", "again",
                                        "repeated", "neighbour", "once",  "untried"};
    return names[way];
}

// How other cases contributed to the verdict, if they did.
static void write_company(jrpc_json_writer *writer, const jck_company *company)
{
    jrpc_json_write_key(writer, "company");
    jrpc_json_write_begin_object(writer);
    jck_event_text(writer, "way", jrpc_slice_str(name_of_way(company->way)));
    jrpc_json_write_key(writer, "cases");
    jrpc_json_write_begin_array(writer);
    for (size_t i = 0; i < company->case_count; i++) {
        jrpc_json_write_string(writer, company->cases[i]->id);
    }
    jrpc_json_write_end_array(writer);
    jrpc_json_write_end_object(writer);
}

static void write_attempts(jrpc_json_writer *writer, const jck_attempt *attempts)
{
    jrpc_json_write_key(writer, "attempts");
    jrpc_json_write_begin_array(writer);
    for (const jck_attempt *at = attempts; at != NULL; at = at->before) {
        jrpc_json_write_begin_object(writer);
        jck_event_text(writer, "outcome", jrpc_slice_str(jck_outcome_name(at->verdict.outcome)));
        jck_event_exchange(writer, &at->evidence);
        jrpc_json_write_end_object(writer);
    }
    jrpc_json_write_end_array(writer);
}

bool jck_event_write_case(jrpc_buffer *out, const jck_case_event *event)
{
    const jck_case *test_case = event->test_case;
    const jck_findings *findings = event->verdict == NULL ? NULL : &event->verdict->findings;
    jrpc_json_writer writer;
    begin(&writer, out, event->kind);
    jck_event_text(&writer, "id", test_case->id);
    jck_event_text(&writer, "suite", test_case->suite);
    jck_event_text(&writer, "section", test_case->section);
    jck_event_text(&writer, "title", test_case->title);
    jrpc_json_write_key(&writer, "rules");
    jrpc_json_write_begin_array(&writer);
    for (size_t i = 0; i < test_case->rule_count; i++) {
        jrpc_json_write_string(&writer, test_case->rules[i]);
    }
    jrpc_json_write_end_array(&writer);
    if (test_case->file != NULL) {
        jck_event_text(&writer, "file", below_cases(test_case->file));
        jck_event_number(&writer, "line", (int64_t)test_case->line);
    }
    jck_event_text(&writer, "outcome", jrpc_slice_str(jck_outcome_name(event->outcome)));
    jck_event_bool(&writer, "expected", event->expected);
    if (event->reason != NULL && event->reason->code != JCK_REASON_NONE) {
        write_reason(&writer, event->reason);
    }
    write_findings(&writer, findings);
    write_observed(&writer, findings);
    if (event->evidence != NULL) {
        jck_event_exchange(&writer, event->evidence);
        jck_event_number(&writer, "duration_us", event->evidence->duration_us);
    }
    if (event->sequence_count > 0) {
        jck_event_sequence(&writer, event->sequence, event->sequence_count);
    }
    if (event->company != NULL && event->company->way > JCK_WAY_ALONE) {
        write_company(&writer, event->company);
    }
    if (event->attempts != NULL) {
        write_attempts(&writer, event->attempts);
    }
    return finish_line(&writer);
}

// Kinds of wait that took less than a millisecond are left out.
static void write_spent(jrpc_json_writer *writer, const jck_spent *spent)
{
    jrpc_json_write_key(writer, "spent_ms");
    jrpc_json_write_begin_object(writer);
    for (int on = 0; on < JCK_SPENT_ON_COUNT; on++) {
        jrpc_json_write_key(writer, jck_spent_on_name((jck_spent_on)on));
        jrpc_json_write_begin_object(writer);
        for (int kind = 0; kind < JCK_SPENT_KIND_COUNT; kind++) {
            if (spent->us[on][kind] >= 1000) {
                jck_event_number(writer, jck_spent_kind_name((jck_spent_kind)kind),
                                 spent->us[on][kind] / 1000);
            }
        }
        jrpc_json_write_end_object(writer);
    }
    jrpc_json_write_end_object(writer);
}

// Whether a selected case tests a rule of the specification: the others have no part in the run.
static bool is_of_run(const jck_finish_event *event, jrpc_slice specification)
{
    const jck_suite *suite = event->suite;
    for (size_t r = 0; r < jck_suite_rule_count(suite); r++) {
        const jck_rule *rule = jck_suite_rule(suite, r);
        bool of_it = jrpc_slice_equal(rule->specification, specification);
        for (size_t i = 0; of_it && i < jck_suite_case_count(suite); i++) {
            if ((event->selected == NULL || event->selected[i]) &&
                jck_case_names(jck_suite_case(suite, i), rule->id)) {
                return true;
            }
        }
    }
    return false;
}

static void write_untested(jrpc_json_writer *writer, const jck_finish_event *event)
{
    jrpc_slice specification = {"", 0};
    bool of_run = false;
    jrpc_json_write_key(writer, "rules_untested");
    jrpc_json_write_begin_array(writer);
    for (size_t i = 0; i < jck_suite_rule_count(event->suite); i++) {
        const jck_rule *rule = jck_suite_rule(event->suite, i);
        if (event->rules_tested[i]) {
            continue;
        }
        // The rules of a specification are adjacent.
        if (!jrpc_slice_equal(rule->specification, specification)) {
            specification = rule->specification;
            of_run = is_of_run(event, specification);
        }
        if (of_run) {
            jrpc_json_write_string(writer, rule->id);
        }
    }
    jrpc_json_write_end_array(writer);
}

bool jck_event_write_finish(jrpc_buffer *out, const jck_finish_event *event)
{
    jrpc_json_writer writer;
    begin(&writer, out, "finish");
    jrpc_json_write_key(&writer, "counts");
    jrpc_json_write_begin_object(&writer);
    for (int i = 0; i < JCK_OUTCOME_COUNT; i++) {
        jck_event_number(&writer, jck_outcome_name((jck_outcome)i), (int64_t)event->counts[i]);
    }
    jrpc_json_write_end_object(&writer);
    jck_event_number(&writer, "judged", (int64_t)event->judged);
    jck_event_number(&writer, "skipped", (int64_t)event->skipped);
    jck_event_number(&writer, "unexpected", (int64_t)event->unexpected);
    write_untested(&writer, event);
    jck_event_number(&writer, "duration_us", event->duration_us);
    jck_event_number(&writer, "timers_expired", (int64_t)event->timers_expired);
    if (event->sessions_lost > 0) {
        jck_event_number(&writer, "sessions_lost", (int64_t)event->sessions_lost);
    }
    write_spent(&writer, event->spent);
    jck_event_bool(&writer, "interrupted", event->interrupted);
    jck_event_bool(&writer, "conformant", event->conformant);
    jck_event_number(&writer, "only_in_company", (int64_t)event->only_in_company);
    if (event->stop != NULL) {
        jck_event_text(&writer, "stop", jrpc_slice_str(event->stop));
    }
    if (event->stopped != NULL) {
        jck_event_masked(&writer, "stopped", jrpc_slice_str(event->stopped));
    }
    if (event->hint != NULL) {
        jck_event_text(&writer, "hint", jrpc_slice_str(event->hint));
    }
    if (event->note != NULL) {
        jck_event_masked(&writer, "note", jrpc_slice_str(event->note));
    }
    return finish_line(&writer);
}
