// Events as reports read them: every member is read as it stands in the event, which is read a
// second time as a plain tree; what a case shows about a rule agrees with a table; a tally keeps
// what it was given when the event is gone, with the messages of the step that failed; and a stream
// is refused if it is cut short, mixed or counted wrongly, and only then.
//
// The text is a stream, one event on each line.
#include "fuzz/fuzz.h"
#include "fuzz/model/member.h"
#include "fuzz/model/order.h"
#include "fuzz/model/runs.h"
#include "fuzz/render.h"
#include "harness/report/rulebook.h"
#include "harness/report/stream.h"
#include "harness/report/tally.h"
#include "harness/report/words.h"
#include "reference/json/read.h"

#include <stddef.h>

enum { ARENA_BYTES = 16 << 20 };

static void require_text(const tree *object, const char *name, jrpc_slice got)
{
    FUZZ_REQUIRE(jrpc_slice_equal(member_text(member_get(object, name)), got));
}

static jck_level level_of(const tree *object)
{
    jrpc_slice name = member_text(member_get(object, "level"));
    return jrpc_slice_is(name, "OBSERVE")  ? JCK_LEVEL_OBSERVE
           : jrpc_slice_is(name, "SHOULD") ? JCK_LEVEL_SHOULD
                                           : JCK_LEVEL_MUST;
}

static jck_outcome outcome_of(const tree *event)
{
    jrpc_slice name = member_text(member_get(event, "outcome"));
    int found = RUNS_ERROR;
    for (int i = 0; i < RUNS_OUTCOMES; i++) {
        found = jrpc_slice_is(name, runs_outcomes[i]) ? i : found;
    }
    for (int i = 0; i < JCK_OUTCOME_COUNT; i++) {
        if (strcmp(jck_outcome_name((jck_outcome)i), runs_outcomes[found]) == 0) {
            return (jck_outcome)i;
        }
    }
    return JCK_OUTCOME_ERROR;
}

// ---- the exchange

// What was read is what the digits of base64 say, six bits each, up to the first other character.
static void require_base64(jrpc_slice digits, jrpc_slice got)
{
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t count = 0;
    while (count < digits.len && digits.ptr[count] != '\0' &&
           strchr(alphabet, digits.ptr[count]) != NULL) {
        count++;
    }
    FUZZ_REQUIRE(got.len == count * 6 / 8);
    for (size_t bit = 0; bit < got.len * 8; bit++) {
        size_t digit = (size_t)(strchr(alphabet, digits.ptr[bit / 6]) - alphabet);
        unsigned wanted = (unsigned)(digit >> (5 - bit % 6)) & 1u;
        unsigned byte = (unsigned char)got.ptr[bit / 8];
        FUZZ_REQUIRE((byte >> (7 - bit % 8) & 1u) == wanted);
    }
}

static void require_message(const tree *value, const jck_reading_message *got)
{
    jrpc_slice digits = member_text(member_get(value, "base64"));
    const tree *length = member_get(value, "length");
    FUZZ_REQUIRE(got->sent == jrpc_slice_is(member_text(member_get(value, "dir")), "sent"));
    FUZZ_REQUIRE(member_is_size(member_get(value, "step"), (size_t)got->step) || got->step == 0);
    FUZZ_REQUIRE(member_is_number(member_get(value, "at_us"), got->at_us, 0));
    FUZZ_REQUIRE(got->true_len == got->bytes.len || member_is_size(length, got->true_len));
    FUZZ_REQUIRE(got->true_len >= got->bytes.len);
    require_text(value, "connection", got->connection);
    require_text(value, "role", got->role);
    if (digits.len > 0) {
        require_base64(digits, got->bytes);
    } else {
        require_text(value, "text", got->bytes);
    }
}

static void require_messages(const tree *array, const jck_reading_message *got, size_t count)
{
    FUZZ_REQUIRE(count == member_count(array));
    for (size_t i = 0; i < count; i++) {
        require_message(array->items[i], &got[i]);
    }
}

static void require_exchange(const tree *event, const jck_reading_case *got)
{
    const tree *exchange = member_get(event, "exchange");
    const tree *end = member_get(exchange, "end");
    require_messages(member_get(exchange, "messages"), got->messages, got->message_count);
    require_messages(member_get(event, "sequence"), got->sequence, got->sequence_count);
    FUZZ_REQUIRE(member_is_size(member_get(exchange, "left_out"), got->left_out));
    FUZZ_REQUIRE(
        member_is_number(member_get(member_get(exchange, "http"), "status"), got->http_status, 0));
    require_text(end, "kind", got->end);
    require_text(exchange, "stderr", got->error_output);
    static const char *const kinds[] = {"status", "signal", "code"};
    const tree *value = NULL;
    for (size_t i = 0; i < 3 && (value == NULL || value->kind != '0'); i++) {
        value = member_get(end, kinds[i]);
    }
    FUZZ_REQUIRE(member_is_number(value, got->end_value, 0));
}

// ---- a case

static void require_findings(const tree *event, const jck_reading_case *got)
{
    const tree *findings = member_get(event, "findings");
    FUZZ_REQUIRE(got->finding_count == member_count(findings));
    for (size_t i = 0; i < got->finding_count; i++) {
        const tree *said = findings->items[i];
        const jck_reading_finding *one = &got->findings[i];
        const tree *expected = member_get(said, "expected");
        FUZZ_REQUIRE(one->level == level_of(said));
        FUZZ_REQUIRE(one->repeats == member_is_true(member_get(said, "repeats")));
        FUZZ_REQUIRE(one->known == (member_is_true(member_get(said, "known")) && !one->repeats));
        FUZZ_REQUIRE(member_is_size(member_get(said, "step"), (size_t)one->step) || one->step == 0);
        require_text(said, "rule", one->rule);
        require_text(said, "text", one->text);
        require_text(said, "sentence", one->sentence);
        require_text(said, "came", one->came);
        FUZZ_REQUIRE(one->expected_count == member_count(expected));
        for (size_t k = 0; k < one->expected_count; k++) {
            require_text(expected->items[k], "kind", one->expected[k].kind);
            require_text(expected->items[k], "text", one->expected[k].text);
        }
    }
}

static void require_observations(const tree *event, const jck_reading_case *got)
{
    const tree *observed = member_get(event, "observed");
    size_t at = 0;
    for (size_t i = 0; observed != NULL && observed->kind == 'o' && i < observed->count; i++) {
        const tree *value = observed->items[i];
        bool several = value->kind == 'a';
        for (size_t k = 0; k < (several ? value->count : 1); k++) {
            FUZZ_REQUIRE(at < got->observation_count);
            const jck_reading_observation *one = &got->observations[at++];
            FUZZ_REQUIRE(jrpc_slice_equal(one->name, observed->names[i]->content));
            FUZZ_REQUIRE(
                jrpc_slice_equal(one->value, member_text(several ? value->items[k] : value)));
        }
    }
    FUZZ_REQUIRE(at == got->observation_count);
}

static void require_rules(const tree *event, const jck_reading_case *got)
{
    const tree *rules = member_get(event, "rules");
    size_t at = 0;
    for (size_t i = 0; i < member_count(rules); i++) {
        if (rules->items[i]->kind == 's') {
            FUZZ_REQUIRE(at < got->rule_count);
            FUZZ_REQUIRE(jrpc_slice_equal(got->rules[at++], rules->items[i]->content));
        }
    }
    FUZZ_REQUIRE(at == got->rule_count);
}

static void require_case(const tree *event, const jck_reading_case *got)
{
    static const struct {
        const char *name;
        size_t at;
    } texts[] = {
        {"id", offsetof(jck_reading_case, id)},
        {"suite", offsetof(jck_reading_case, suite)},
        {"section", offsetof(jck_reading_case, section)},
        {"title", offsetof(jck_reading_case, title)},
        {"file", offsetof(jck_reading_case, file)},
        {"reason", offsetof(jck_reading_case, reason)},
        {"reason_code", offsetof(jck_reading_case, reason_code)},
        {"capability", offsetof(jck_reading_case, capability)},
        {"blocked_by", offsetof(jck_reading_case, blocked_by)},
        {"unlock", offsetof(jck_reading_case, unlock)},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        require_text(event, texts[i].name,
                     *(const jrpc_slice *)(const void *)((const char *)got + texts[i].at));
    }
    FUZZ_REQUIRE(got->ground == jrpc_slice_is(member_text(member_get(event, "event")), "ground"));
    FUZZ_REQUIRE(got->outcome == outcome_of(event));
    FUZZ_REQUIRE(got->expected == member_is_true(member_get(event, "expected")));
    FUZZ_REQUIRE(member_is_size(member_get(event, "line"), got->line));
    FUZZ_REQUIRE(member_is_number(member_get(event, "duration_us"), got->duration_us, -1));
    require_rules(event, got);
    require_findings(event, got);
    require_observations(event, got);
}

// ---- what a case shows about a rule

static jck_standing standing_of(const jck_reading_case *of, jrpc_slice rule)
{
    static const char how[RUNS_OUTCOMES] = {
        [RUNS_SKIP] = 'u',  [RUNS_BLOCKED] = 'u', [RUNS_ERROR] = 'u',
        [RUNS_CRASH] = 'd', [RUNS_HANG] = 'd',    [RUNS_STUCK] = 'd',
    };
    int outcome = 0;
    while (strcmp(runs_outcomes[outcome], jck_outcome_name(of->outcome)) != 0) {
        outcome++;
    }
    bool decisive =
        of->finding_count == 0 && of->rule_count > 0 && jrpc_slice_equal(of->rules[0], rule);
    for (size_t i = of->finding_count; i > 0; i--) {
        const jck_reading_finding *one = &of->findings[i - 1];
        bool same = jrpc_slice_equal(one->rule, rule);
        decisive = same ? one->level != JCK_LEVEL_OBSERVE : decisive; // the first of them counts
    }
    bool named = false;
    for (size_t i = 0; i < of->rule_count; i++) {
        named = named || jrpc_slice_equal(of->rules[i], rule);
    }
    if (how[outcome] != '\0') {
        return how[outcome] == 'd' && decisive ? JCK_STANDING_DEAD : JCK_STANDING_UNTESTED;
    }
    jck_standing worst = !named                    ? JCK_STANDING_UNTESTED
                         : outcome == RUNS_OBSERVE ? JCK_STANDING_OPEN
                                                   : JCK_STANDING_KEPT;
    for (size_t i = 0; i < of->finding_count; i++) {
        static const jck_standing broken[] = {[JCK_LEVEL_OBSERVE] = JCK_STANDING_OPEN,
                                              [JCK_LEVEL_SHOULD] = JCK_STANDING_SHOULD,
                                              [JCK_LEVEL_MUST] = JCK_STANDING_MUST};
        jck_standing one = broken[of->findings[i].level];
        bool worse = jrpc_slice_equal(of->findings[i].rule, rule) && one > worst;
        worst = worse ? one : worst;
    }
    return worst;
}

static void require_standings(const jck_reading_case *of)
{
    for (size_t i = 0; i < of->rule_count; i++) {
        FUZZ_REQUIRE(jck_standing_of(of, of->rules[i]) == standing_of(of, of->rules[i]));
    }
    for (size_t i = 0; i < of->finding_count; i++) {
        jrpc_slice rule = of->findings[i].rule;
        FUZZ_REQUIRE(jck_standing_of(of, rule) == standing_of(of, rule));
    }
}

// ---- what a tally keeps

// The example of the only case has the last message that was sent up to the step that failed, or
// else the first one of all; the first message that was received in that step; and their numbers.
static void require_exhibit(const jck_reading_case *of, int step, const jck_exhibit *got)
{
    const jck_reading_message *sent = NULL;
    const jck_reading_message *received = NULL;
    size_t sent_count = 0;
    size_t received_count = 0;
    for (size_t i = of->message_count; i > 0; i--) {
        const jck_reading_message *one = &of->messages[i - 1];
        if (jck_is_of_case(one)) {
            sent_count += one->sent ? 1 : 0;
            received_count += one->sent ? 0 : 1;
            received = !one->sent && one->step == step ? one : received;
        }
    }
    for (size_t i = 0; i < of->message_count; i++) {
        const jck_reading_message *one = &of->messages[i];
        if (jck_is_of_case(one) && one->sent && (sent == NULL || one->step <= step)) {
            sent = one;
        }
    }
    FUZZ_REQUIRE(got->sent_count == sent_count && got->received_count == received_count);
    FUZZ_REQUIRE(got->has_sent == (sent != NULL) && got->has_received == (received != NULL));
    const jck_reading_message *const pairs[2][2] = {{sent, &got->sent}, {received, &got->received}};
    for (size_t i = 0; i < 2; i++) {
        if (pairs[i][0] != NULL) {
            jrpc_slice whole = pairs[i][0]->bytes;
            size_t len = whole.len < JCK_EXHIBIT_BYTES ? whole.len : JCK_EXHIBIT_BYTES;
            FUZZ_REQUIRE(jrpc_slice_equal(pairs[i][1]->bytes, jrpc_slice_of(whole.ptr, len)));
            FUZZ_REQUIRE(pairs[i][1]->true_len == pairs[i][0]->true_len);
        }
    }
    FUZZ_REQUIRE(got->http_status == (sent_count == 1 ? of->http_status : 0));
    FUZZ_REQUIRE(got->end_value == of->end_value);
}

static void require_kept_case(const jck_reading_case *of)
{
    jck_tally tally;
    jck_tally_init(&tally, 1);
    FUZZ_REQUIRE(jck_tally_case(&tally, of));
    FUZZ_REQUIRE(tally.cases == (of->ground ? 0 : 1));
    for (const jck_cause *cause = tally.causes.first; cause != NULL; cause = cause->next) {
        const jck_reading_finding *first = NULL;
        for (size_t i = 0; i < of->finding_count && cause->rule.len > 0; i++) {
            const jck_reading_finding *one = &of->findings[i];
            bool same = jrpc_slice_equal(one->rule, cause->rule);
            FUZZ_REQUIRE(!same || one->level <= cause->level || one->known || one->repeats ||
                         one->level == JCK_LEVEL_OBSERVE || cause->exhibit_count == 0 ||
                         first != NULL);
            first = same && first == NULL ? one : first;
        }
        bool alone = cause->exhibit_count == 1 && cause->cases == 1;
        bool once = first != NULL;
        for (size_t i = 0; once && i < of->finding_count; i++) {
            once =
                &of->findings[i] == first || !jrpc_slice_equal(of->findings[i].rule, first->rule);
        }
        if (alone && once) {
            require_exhibit(of, first->step, &cause->exhibits[0]);
        }
    }
    jck_tally_done(&tally);
}

static void require_finish(const tree *event, jrpc_json read, jrpc_slice line)
{
    jrpc_arena arena;
    jck_reading_finish got;
    jck_tally tally;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), ARENA_BYTES);
    FUZZ_REQUIRE(jck_reading_of_finish(read, &arena, &got));
    FUZZ_REQUIRE(member_is_size(member_get(event, "judged"), got.judged));
    FUZZ_REQUIRE(member_is_size(member_get(event, "sessions_lost"), got.sessions_lost));
    FUZZ_REQUIRE(member_is_size(member_get(event, "only_in_company"), got.only_in_company));
    FUZZ_REQUIRE(member_is_number(member_get(event, "duration_us"), got.duration_us, 0));
    FUZZ_REQUIRE(got.interrupted == member_is_true(member_get(event, "interrupted")));
    FUZZ_REQUIRE(got.conformant == member_is_true(member_get(event, "conformant")));
    jck_tally_init(&tally, 1);
    FUZZ_REQUIRE(jck_tally_finish(&tally, &got) && tally.finished);
    jrpc_arena_done(&arena);
    const jrpc_slice kept[] = {tally.finish.stop, tally.finish.stopped, tally.finish.hint,
                               tally.finish.note};
    static const char *const names[] = {"stop", "stopped", "hint", "note"};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        require_text(event, names[i], kept[i]);
        FUZZ_REQUIRE(kept[i].len == 0 || kept[i].ptr < line.ptr ||
                     kept[i].ptr >= line.ptr + line.len);
    }
    jck_tally_done(&tally);
}

static void require_start(const tree *event, jrpc_json read)
{
    jrpc_arena arena;
    jck_reading_start got;
    const tree *target = member_get(event, "target");
    const tree *software = member_get(target, "implementation");
    const tree *likeness = member_get(target, "looks_like");
    jrpc_arena_init(&arena, jrpc_allocator_heap(), ARENA_BYTES);
    FUZZ_REQUIRE(jck_reading_of_start(read, &arena, &got) && jck_reading_keep_start(&got, &arena));
    FUZZ_REQUIRE(member_is_size(member_get(event, "schema"), got.schema));
    FUZZ_REQUIRE(member_is_size(member_get(member_get(event, "shard"), "index"), got.shard));
    FUZZ_REQUIRE(member_is_size(member_get(member_get(event, "shard"), "of"), got.shards));
    FUZZ_REQUIRE(member_is_size(member_get(member_get(event, "suite"), "selected"), got.selected));
    FUZZ_REQUIRE(got.strict == member_is_true(member_get(event, "strict")));
    require_text(member_get(event, "tool"), "version", got.tool);
    require_text(event, "role", got.role);
    require_text(event, "profile", got.profile);
    require_text(event, "command", got.command);
    require_text(event, "seed", got.seed);
    require_text(event, "started", got.started);
    require_text(target, "name", got.target);
    require_text(target, "words", got.words);
    require_text(target, "transport", got.transport);
    require_text(target, "framing", got.framing);
    require_text(software, "name", got.implementation);
    require_text(software, "version", got.version);
    require_text(software, "language", got.language);
    require_text(likeness, "as", got.looks_like);
    require_text(likeness, "profile", got.profile_to_name);
    jrpc_arena_done(&arena);
}

static void require_rule(const tree *event, jrpc_json read)
{
    jrpc_arena arena;
    jck_reading_rule got;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), ARENA_BYTES);
    FUZZ_REQUIRE(jck_reading_of_rule(read, &arena, &got) && got.level == level_of(event));
    require_text(event, "id", got.id);
    require_text(event, "section", got.section);
    require_text(event, "title", got.title);
    require_text(event, "sentence", got.sentence);
    jrpc_arena_done(&arena);
}

static void require_case_event(const tree *event, jrpc_json read)
{
    jrpc_arena arena;
    jck_reading_case got;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), ARENA_BYTES);
    FUZZ_REQUIRE(jck_reading_of_case(read, &arena, &got));
    require_case(event, &got);
    require_exchange(event, &got);
    require_standings(&got);
    require_kept_case(&got);
    FUZZ_REQUIRE(jck_reading_of_verdict(read, &arena, &got));
    require_case(event, &got);
    jrpc_arena_done(&arena);
}

static void require_event(const tree *event, jrpc_json read, jrpc_slice line)
{
    static const struct {
        const char *name;
        jck_event_kind kind;
    } kinds[] = {{"start", JCK_EVENT_START},
                 {"case", JCK_EVENT_CASE},
                 {"ground", JCK_EVENT_GROUND},
                 {"finish", JCK_EVENT_FINISH},
                 {"rule", JCK_EVENT_RULE}};
    jck_event_kind kind = JCK_EVENT_OTHER;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        bool same = jrpc_slice_is(member_text(member_get(event, "event")), kinds[i].name);
        kind = same ? kinds[i].kind : kind;
    }
    FUZZ_REQUIRE(jck_reading_kind(read) == kind);
    // Each reader takes any event, whatever its kind.
    require_start(event, read);
    require_finish(event, read, line);
    require_rule(event, read);
    require_case_event(event, read);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    tree_pool pool = {NULL};
    render_events events;
    render_events_of(input.text, &events);
    jck_stream stream;
    jck_stream_init(&stream);
    order so_far = {.in_run = false};
    bool goes_on = true;
    for (size_t i = 0; i < events.count; i++) {
        jrpc_json_document document;
        jrpc_json_document_init(&document, jrpc_allocator_heap());
        FUZZ_REQUIRE(jrpc_json_read(&document, events.lines[i], TREE_DEPTH, NULL));
        const tree *event = tree_read(&pool, events.lines[i]);
        require_event(event, jrpc_json_root(&document), events.lines[i]);
        if (goes_on) {
            bool unsure = false;
            bool wanted = order_take(&so_far, event, &unsure);
            goes_on = jck_stream_take(&stream, jrpc_json_root(&document), NULL);
            FUZZ_REQUIRE(goes_on == wanted || (unsure && wanted));
        }
        jrpc_json_document_done(&document);
    }
    if (goes_on) {
        FUZZ_REQUIRE(jck_stream_end(&stream, NULL) == (!so_far.in_run && so_far.runs > 0));
    }
    tree_pool_done(&pool);
    return 0;
}
