// A bench for the judge: rows of a table become cases of a suite in a temporary folder, evidence is
// made from what a row says came back, and the verdict is spelled as one line that a row can state.
//
// What came: texts, each a message of the case, received at step 0 on connection a. Words in front
// of the text change that:
//   "@1 " to "@4 "                            another step
//   "@b "                                     connection b
//   "@sent "                                  it was sent
//   "@noise ", "@fence ", "@session ", "@opening "
//                                             another role
//   "@answer ", "@late ", "@again ", "@invented "
//                                             what it has to do with fences
//   "@after MS "                              so long after the message before it
//   "@flaw KIND "                             what its frame broke (jrpc_flaw)
//   "@broken "                                it was read whole and is not valid JSON
//   "@cut "                                   it was longer than what was kept
//   "@messages "                              the transport carries messages, with no bytes between
//   "@http STATUS TYPE "                      the status and media type that came with it
//   "@head STATUS LINE|LINE| "                the status and the whole head that came with it
//   "@closed ", "@surplus ", "@reused ", "@early "   what HTTP did with the connection
//   "@left WORD "                             what was left unread of many requests
//   "@echo "                                  what was sent in that step (the text is dropped)
// $ID in a text is the spelling of ${id}, $ID:int.a of ${id:int.a}, $ABSENT that of ${absent}.
//
// A verdict: the outcome, "*" where it is not conformant, then for each finding " RULE/L" with the
// level's letter, "?" where it is known and "@N" for a later step, then " name=value" for each
// observation: "fail* J2-4e/M invalid-request-id=null".
#ifndef TESTS_UNIT_JUDGE_BENCH_H
#define TESTS_UNIT_JUDGE_BENCH_H

#include "harness/judge/judge.h"
#include "harness/suite/profile.h"
#include "reference/json/value.h"

#include "tests/unit/judge/bench_ends.h"
#include "tests/unit/judge/bench_rules.h"
#include "tests/unit/judge/bench_texts.h"
#include "tests/unit/suite/folder.h"

// Rows end where nothing but zeros would follow.
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

#define BENCH_CAME 6
#define BENCH_BYTES ((size_t)1 << 24)

typedef struct row {
    const char *name;    // a sentence: what holds
    const char *members; // of the case, after id and title
    const char *came[BENCH_CAME];
    const char *verdict;
    bench_end end;
    const jck_calibration *known;
    const char *suite; // "jsonrpc-1.0", "ro-jrpc-1.0", "own" (builds on nothing), or NULL for "s"
    const char *url;   // of the target; NULL: none is known
    int64_t apart_us;  // from one message that is sent to the next; all else comes after the last
    const char *test_case;       // of the suites of the project, in place of members
    const jck_mapping *mapping;  // of the target
    const jrpc_framing *framing; // of the target
} row;

typedef struct bench {
    folder files;
    jck_suite *suite;
    const row *rows;
    size_t count;
} bench;

// The id of the case that row `index` became.
static inline jrpc_slice bench_id(size_t index, char out[32])
{
    return jrpc_slice_of(out, (size_t)snprintf(out, 32, "t/%zu", index));
}

static inline void bench_write_cases(bench *b, const char *suite, const char *file)
{
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), BENCH_BYTES);
    jrpc_buffer_printf(&text,
                       "{\"schema\":1,\"suite\":\"%s\",\"section\":\"1\",\"title\":\"t\","
                       "\"cases\":[\n",
                       suite);
    const char *between = "";
    for (size_t i = 0; i < b->count; i++) {
        if (strcmp(b->rows[i].suite == NULL ? "s" : b->rows[i].suite, suite) == 0) {
            jrpc_buffer_printf(&text, "%s{\"id\":\"t/%zu\",\"title\":\"t\",", between, i);
            jrpc_buffer_append_str(&text, b->rows[i].members);
            jrpc_buffer_append_str(&text, "}");
            between = ",\n";
        }
    }
    jrpc_buffer_append_str(&text, "]}");
    assert_false(text.failed);
    if (between[0] != '\0') {
        folder_add(&b->files, suite);
        folder_write(&b->files, file, jrpc_buffer_slice(&text));
    }
    jrpc_buffer_done(&text);
}

static inline void bench_write_rules(bench *b, const char *specification, const char *more)
{
    jrpc_buffer text;
    char file[64];
    jrpc_buffer_init(&text, jrpc_allocator_heap(), BENCH_BYTES);
    jrpc_buffer_printf(&text,
                       "{\"schema\":1,\"specification\":\"%s\",\"title\":\"t\",%s\"rules\":[",
                       specification, more);
    const char *between = "";
    for (size_t i = 0; i < sizeof bench_rules / sizeof bench_rules[0]; i++) {
        if (strcmp(bench_rules[i].specification, specification) == 0) {
            jrpc_buffer_append_str(&text, between);
            jrpc_buffer_append_str(&text, bench_rules[i].rule);
            between = ",\n";
        }
    }
    jrpc_buffer_append_str(&text, "]}");
    (void)snprintf(file, sizeof file, "rules/%s.json", specification);
    folder_write(&b->files, file, jrpc_buffer_slice(&text));
    jrpc_buffer_done(&text);
}

// Makes the suite of a table of rows. Free with bench_done.
static inline void bench_load(bench *b, const row *rows, size_t count)
{
    *b = (bench){.rows = rows, .count = count};
    folder_make(&b->files);
    if (rows[0].test_case != NULL) {
        b->suite = jck_suite_load("cases", NULL, NULL, NULL);
        assert_non_null(b->suite);
        return;
    }
    folder_add(&b->files, "rules");
    bench_write_rules(b, "s", "");
    bench_write_rules(b, "jsonrpc-1.0", "\"dialect\":\"1.0\",\"builds-on\":[\"s\"],");
    bench_write_rules(b, "own", "");
    bench_write_rules(b, "ro-jrpc-1.0", "\"builds-on\":[\"s\"],");
    bench_write_cases(b, "s", "s/01.json");
    bench_write_cases(b, "jsonrpc-1.0", "jsonrpc-1.0/01.json");
    bench_write_cases(b, "own", "own/01.json");
    bench_write_cases(b, "ro-jrpc-1.0", "ro-jrpc-1.0/01.json");
    jrpc_error error = {0};
    b->suite = jck_suite_load(b->files.path, NULL, NULL, &error);
    if (b->suite == NULL) {
        fail_msg("%s:%zu:%zu: %s", error.source, error.line, error.column, error.message);
    }
}

static inline void bench_done(bench *b)
{
    jck_suite_free(b->suite);
    folder_remove(&b->files);
}

// One execution: the variables and the evidence of it.
typedef struct execution {
    jrpc_arena arena;
    const jck_case *test_case;
    jck_variables variables;
    jck_target target;
    jck_evidence evidence;
} execution;

static inline bool bench_word(const char **text, const char *word)
{
    size_t len = strlen(word);
    bool there = strncmp(*text, word, len) == 0;
    *text += there ? len : 0;
    return there;
}

static inline void bench_replace(jrpc_buffer *out, const char *text, execution *run)
{
    while (*text != '\0') {
        char name[32] = "id";
        if (bench_word(&text, "$ABSENT")) {
            (void)snprintf(name, sizeof name, "absent");
        } else if (bench_word(&text, "$ID")) {
            bool named = text[0] == '.' || text[0] == ':';
            size_t len = named ? 1 + strspn(text + 1, "abcdefghijklmnopqrstuvwxyz.") : 0;
            (void)snprintf(name, sizeof name, "id%.*s", (int)len, text);
            text += len;
        } else {
            jrpc_buffer_append_char(out, *text++);
            continue;
        }
        jrpc_slice spelling;
        assert_true(jck_variables_resolve(&run->variables, jrpc_slice_str(name), &spelling));
        jrpc_buffer_append(out, spelling);
    }
}

static inline bool bench_fence(const char **text, jck_fence_role *ret_role)
{
    static const char *const words[] = {[JCK_FENCE_ANSWER] = "@answer ",
                                        [JCK_FENCE_LATE] = "@late ",
                                        [JCK_FENCE_AGAIN] = "@again ",
                                        [JCK_FENCE_INVENTED] = "@invented "};
    for (int i = JCK_FENCE_ANSWER; i <= JCK_FENCE_INVENTED; i++) {
        if (bench_word(text, words[i])) {
            *ret_role = (jck_fence_role)i;
            return true;
        }
    }
    return false;
}

// Lines of a head, each of which ends with a bar, as a server sends them.
static inline jrpc_slice bench_head(execution *run, jrpc_slice lines)
{
    jrpc_buffer head;
    jrpc_slice kept;
    jrpc_buffer_init(&head, jrpc_allocator_heap(), BENCH_BYTES);
    for (size_t i = 0; i < lines.len; i++) {
        assert_true(lines.ptr[i] == '|' ? jrpc_buffer_append_str(&head, "\r\n")
                                        : jrpc_buffer_append_char(&head, lines.ptr[i]));
    }
    assert_true(jrpc_arena_copy(&run->arena, jrpc_buffer_slice(&head), &kept));
    jrpc_buffer_done(&head);
    return kept;
}

static inline void bench_receive(execution *run, const char *text)
{
    const jck_evidence *evidence = &run->evidence;
    int64_t now_us = evidence->count == 0 ? 0 : evidence->messages[evidence->count - 1].at_us;
    jck_message message = {.direction = JCK_RECEIVED, .connection = 'a', .at_us = now_us};
    bool cut = false, echo = false;
    for (bool more = true; more;) {
        if (text[0] == '@' && text[1] >= '1' && text[1] <= '4' && text[2] == ' ') {
            message.step = text[1] - '0';
            text += 3;
        } else if (bench_word(&text, "@sent ")) {
            message.direction = JCK_SENT;
        } else if (bench_word(&text, "@opening ")) {
            message.role = JCK_MESSAGE_OF_OPENING;
        } else if (bench_fence(&text, &message.fence)) {
            continue;
        } else if (bench_word(&text, "@broken ")) {
            message.broken = true;
        } else if (bench_word(&text, "@messages ")) {
            run->evidence.of_messages = true;
        } else if (bench_word(&text, "@flaw ")) {
            message.flaw = "a flaw";
            message.flaw_of = (jrpc_flaw)(*text - '0');
            text += 2;
        } else if (bench_word(&text, "@after ")) {
            message.at_us += strtol(text, (char **)(uintptr_t)&text, 10) * 1000;
            text++;
        } else if (bench_word(&text, "@http ")) {
            message.http_status = (int)strtol(text, (char **)(uintptr_t)&text, 10);
            const char *type = text + 1;
            text = strchr(type, ' ') + 1;
            message.http_headers = jrpc_slice_str(
                jrpc_arena_printf(&run->arena, "HTTP/1.1 %d\r\nContent-Type: %.*s\r\n\r\n",
                                  message.http_status, (int)(text - 1 - type), type));
        } else if (bench_word(&text, "@head ")) {
            message.http_status = (int)strtol(text, (char **)(uintptr_t)&text, 10);
            const char *end = strstr(++text, "| ");
            assert_non_null(end);
            message.http_headers = bench_head(run, jrpc_slice_of(text, (size_t)(end - text) + 1));
            text = end + 2;
        } else if (bench_word(&text, "@closed ")) {
            message.http_closed = true;
        } else if (bench_word(&text, "@surplus ")) {
            message.http_surplus = true;
        } else if (bench_word(&text, "@early ")) {
            message.http_early = true;
        } else if (bench_word(&text, "@reused ")) {
            message.http_reused = true;
        } else if (bench_word(&text, "@left ")) {
            const size_t len = strcspn(text, " ");
            message.http_left = jrpc_arena_printf(&run->arena, "%.*s", (int)len, text);
            text += len + 1;
        } else if (bench_word(&text, "@b ")) {
            message.connection = 'b';
        } else if (bench_word(&text, "@noise ")) {
            message.role = JCK_MESSAGE_NOISE;
            message.why = "no frame";
        } else if (bench_word(&text, "@fence ")) {
            message.role = JCK_MESSAGE_OF_FENCE;
        } else if (bench_word(&text, "@session ")) {
            message.role = JCK_MESSAGE_OF_SESSION;
        } else if (bench_word(&text, "@cut ")) {
            cut = true;
        } else if (bench_word(&text, "@echo ")) {
            echo = true;
        } else {
            more = false;
        }
    }
    jrpc_buffer bytes;
    jrpc_buffer_init(&bytes, jrpc_allocator_heap(), BENCH_BYTES);
    jck_variables_set_step(&run->variables, message.step);
    bench_replace(&bytes, text, run);
    message.bytes = jrpc_buffer_slice(&bytes);
    message.true_len = message.bytes.len + (cut ? 1000 : 0);
    for (size_t i = 0; i < run->evidence.count && echo; i++) {
        const jck_message *sent = &run->evidence.messages[i];
        if (sent->direction == JCK_SENT && sent->step == message.step) {
            message.bytes = sent->bytes;
            message.true_len = sent->bytes.len;
        }
    }
    assert_true(jck_evidence_add(&run->evidence, &message));
    jrpc_buffer_done(&bytes);
}

// Makes the evidence of the case of row `index` without anything received. Free with
// bench_forget.
static inline void bench_send(const bench *b, size_t index, execution *run)
{
    char id[32];
    const char *real = b->rows[index].test_case;
    *run = (execution){.test_case = jck_suite_find_case(
                           b->suite, real != NULL ? jrpc_slice_str(real) : bench_id(index, id))};
    if (run->test_case == NULL) {
        fail_msg("there is no case %s", real == NULL ? id : real);
    }
    jrpc_arena_init(&run->arena, jrpc_allocator_heap(), BENCH_BYTES * 4);
    run->target.url = b->rows[index].url;
    run->target.mappings = b->rows[index].mapping;
    run->target.mapping_count = run->target.mappings != NULL;
    const jrpc_framing *framing = b->rows[index].framing;
    run->target.framing = framing == NULL ? JRPC_FRAMING_LINE : *framing;
    bool described = run->target.url != NULL || run->target.mappings != NULL || framing != NULL;
    jck_variables_init(&run->variables, &run->arena, described ? &run->target : NULL, 0xabcd, 5);
    assert_true(jck_evidence_init(&run->evidence, &run->arena, run->test_case->step_count));
    for (size_t i = 0; i < run->test_case->step_count; i++) {
        const jck_step *step = &run->test_case->steps[i];
        if (step->kind != JCK_STEP_SEND) {
            continue;
        }
        jrpc_buffer bytes;
        jrpc_error error = {0};
        jrpc_buffer_init(&bytes, jrpc_allocator_heap(), BENCH_BYTES);
        jck_variables_set_step(&run->variables, (int)i);
        assert_true(jck_variables_expand(&run->variables, &step->payload, &bytes, &error));
        const jck_message sent = {.direction = JCK_SENT,
                                  .connection = step->connection,
                                  .step = (int)i,
                                  .at_us = (int64_t)i * b->rows[index].apart_us,
                                  .bytes = jrpc_buffer_slice(&bytes),
                                  .true_len = bytes.len};
        assert_true(jck_evidence_add(&run->evidence, &sent));
        jrpc_buffer_done(&bytes);
    }
    bench_end_with(&run->evidence, b->rows[index].end);
}

static inline void bench_forget(execution *run)
{
    jrpc_arena_done(&run->arena);
}

// Judges the evidence that a row has so far.
static inline void bench_judge(const bench *b, size_t index, execution *run, jrpc_arena *arena,
                               jck_verdict *ret_verdict)
{
    jck_judge(b->suite, run->test_case, &run->variables, &run->evidence, b->rows[index].known,
              arena, ret_verdict);
}

// Makes the whole evidence of a row and judges it. Free `run` with bench_forget, after the verdict
// was used.
static inline void bench_execute(const bench *b, size_t index, execution *run, jrpc_arena *arena,
                                 jck_verdict *ret_verdict)
{
    bench_send(b, index, run);
    for (size_t i = 0; i < BENCH_CAME && b->rows[index].came[i] != NULL; i++) {
        bench_receive(run, b->rows[index].came[i]);
    }
    bench_judge(b, index, run, arena, ret_verdict);
}

// A verdict as one line.
static inline const char *bench_spell(const jck_verdict *verdict, jrpc_arena *arena)
{
    static const char letters[] = "OSM";
    const char *text = jrpc_arena_printf(arena, "%s%s", jck_outcome_name(verdict->outcome),
                                         verdict->conformant ? "" : "*");
    for (size_t i = 0; i < verdict->findings.count; i++) {
        const jck_finding *finding = &verdict->findings.items[i];
        char step[16] = "";
        if (finding->step > 0) {
            (void)snprintf(step, sizeof step, "@%d", finding->step);
        }
        text = jrpc_arena_printf(arena, "%s %.*s/%c%s%s", text, (int)finding->rule.len,
                                 finding->rule.ptr, letters[finding->level],
                                 finding->known ? "?" : "", step);
    }
    for (size_t i = 0; i < verdict->findings.observation_count; i++) {
        const jck_observation *seen = &verdict->findings.observations[i];
        text = jrpc_arena_printf(arena, "%s %.*s=%.*s", text, (int)seen->name.len, seen->name.ptr,
                                 (int)seen->value.len, seen->value.ptr);
    }
    assert_non_null(text);
    return text;
}

// Writes a profile into the suite: members of its file after schema, profile and title.
static inline void bench_profile(bench *b, const char *members)
{
    char text[4096];
    char path[256];
    jrpc_error error = {0};
    (void)snprintf(text, sizeof text, "{\"schema\":1,\"profile\":\"p\",\"title\":\"t\",%s}",
                   members);
    folder_write(&b->files, "p.json", jrpc_slice_str(text));
    const jck_profile *profile = jck_profile_load(
        b->suite, b->files.path, folder_path(&b->files, "p.json", path), NULL, NULL, &error);
    assert_string_equal(error.message, "");
    assert_true(jck_profile_apply(b->suite, profile, &error));
}

// Judges every row and compares; all rows that differ are printed before the test fails. `profile`
// as in bench_profile, NULL: none.
static inline void bench_check_under(const char *profile, const row *rows, size_t count)
{
    bench b;
    size_t wrong = 0;
    bench_load(&b, rows, count);
    if (profile != NULL) {
        bench_profile(&b, profile);
    }
    for (size_t i = 0; i < count; i++) {
        execution run;
        jrpc_arena arena;
        jck_verdict verdict;
        jrpc_arena_init(&arena, jrpc_allocator_heap(), BENCH_BYTES);
        bench_execute(&b, i, &run, &arena, &verdict);
        const char *spelled = bench_spell(&verdict, &arena);
        if (strcmp(spelled, rows[i].verdict) != 0) {
            print_error("row %zu, %s:\n  expected %s\n  got      %s\n", i, rows[i].name,
                        rows[i].verdict, spelled);
            wrong++;
        }
        jrpc_arena_done(&arena);
        bench_forget(&run);
    }
    bench_done(&b);
    assert_int_equal(wrong, 0);
}

#define BENCH_CHECK(table) bench_check_under(NULL, table, sizeof(table) / sizeof(table)[0])
#define BENCH_CHECK_UNDER(profile, table)                                                          \
    bench_check_under(profile, table, sizeof(table) / sizeof(table)[0])

#endif
