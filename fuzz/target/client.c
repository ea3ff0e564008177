// The judge on clients: whatever a client and its driver write, and however it ends, the verdict is
// sound and always the same; memory that runs out is the harness's error; a client that does what
// each step of its case asks passes; one thing wrong in what it writes or reports is noticed; of a
// client that runs by itself, calls, notifications and batches are counted right.
//
// The text is the id of a case, then lines: a digit for the step, a mark, a space and the message.
// The marks: > a command for the driver, < a report of the driver, ? a message that the client
// writes, ! one that it receives, % other bytes from the client, ~ other bytes from the driver,
// # a message of the suite's own. Options: the claim, two for that claim, how the client ends.
#include "fuzz/data.h"
#include "fuzz/fuzz.h"
#include "fuzz/session/exchange.h"
#include "reference/json/equal.h"
#include "reference/json/read.h"

enum { ROOM = 1 << 16, DEPTH = 200, CALL_US = 400000, ASKED_MAX = 32 };

// ---- any client

static void play_line(exchange *e, jrpc_slice line, int64_t at_us)
{
    static const char marks[] = "><?!~%#";
    if (line.len < 3) {
        return;
    }
    const char *known = line.ptr[1] == '\0' ? NULL : strchr(marks, line.ptr[1]);
    size_t mark = known == NULL ? 2 : (size_t)(known - marks);
    bool of_driver = mark <= 1 || mark == 4;
    jck_message message = {.direction = mark == 0 || mark == 3 ? JCK_SENT : JCK_RECEIVED,
                           .role = of_driver ? JCK_MESSAGE_OF_DRIVER : JCK_MESSAGE_OF_CASE,
                           .connection = of_driver            ? '-'
                                         : line.ptr[2] == 'b' ? 'b'
                                                              : 'a',
                           .step = (int)((unsigned char)line.ptr[0] % e->test_case->step_count),
                           .at_us = at_us,
                           .bytes = jrpc_slice_from(line, 3),
                           .true_len = line.len - 3};
    if (mark == 4 || mark == 5) {
        message.role = JCK_MESSAGE_NOISE;
        message.why = "no frame";
    } else if (mark == 6) {
        message.role = JCK_MESSAGE_OF_FENCE;
    }
    exchange_add(e, &message);
}

static void play_any(exchange *e, const fuzz_input *input, jrpc_slice text)
{
    int64_t at_us = 0;
    for (jrpc_slice line; jrpc_slice_take_line(&text, &line);) {
        play_line(e, line, at_us);
        at_us += (int64_t)1000 << input->options[3] % 10;
    }
    unsigned how = input->options[2];
    e->evidence.caller_left = how % 7 == 1;
    e->evidence.process_gone = how % 7 == 2;
    e->evidence.muteness = how % 7 == 3 ? JCK_STUCK : JCK_NOT_MUTE;
    e->evidence.flood_messages = how % 7 == 4 ? 1000 : 0;
    e->evidence.settled[e->test_case->step_count - 1] = how % 7 == 5   ? JCK_MUTE
                                                        : how % 7 == 6 ? JCK_NOT_RUN
                                                                       : JCK_SETTLED;
    for (size_t i = 0; i < e->test_case->step_count; i++) {
        e->evidence.ends[i].kind = (jrpc_end_kind)(how / 7 % 6);
        e->evidence.ends[i].value = (int)i;
    }
}

// ---- a client that is right, or wrong in one thing

typedef struct asked {
    const jck_request *request;
    size_t command; // its step
    int id;         // of the Request that it wrote, at most one; 0: a notification
    const char *outcome;
    bool reported;
} asked;

typedef struct player {
    exchange *e;
    unsigned defect; // in the first Request, or DEFECTS: in the first report; 0: none
    bool replies;    // to Requests of the server: by an error
    bool spoilt;
    int64_t now_us;
    asked calls[ASKED_MAX];
    size_t count;
} player;

static const char *const defects[] = {
    "{\"jsonrpc\":\"2.0\",\"method\":%s%s%s%s}",   "{\"jsonrpc\":\"2.1\",\"method\":%s%s%s%s}",
    "{\"jsonrqc\":\"2.0\",\"method\":%s%s%s%s}",   "{\"jsonrpc\":2.0,\"method\":%s%s%s%s}",
    "{\"jsonrpc\":\"2.0\",\"method\":[%s]%s%s%s}", "{\"jsonrpc\":\"2.0\",\"method\":%s%s%s%s,}",
};
enum { DEFECTS = sizeof defects / sizeof *defects };

static bool resolve(void *context, jrpc_slice name, jrpc_slice *ret_spelling)
{
    player *p = context;
    for (size_t i = 0; i < p->count; i++) {
        if (jrpc_slice_equal(p->calls[i].request->name, name) && p->calls[i].id != 0) {
            const char *id = jrpc_arena_printf(&p->e->arena, "%d", p->calls[i].id);
            *ret_spelling = jrpc_slice_str(id);
            return true;
        }
    }
    return jck_variables_resolve(&p->e->variables, name, ret_spelling);
}

static void write_down(player *p, size_t step, bool sent, bool of_driver, const char *text)
{
    p->now_us += 1000;
    FUZZ_REQUIRE(text != NULL);
    jck_message message = {.direction = sent ? JCK_SENT : JCK_RECEIVED,
                           .role = of_driver ? JCK_MESSAGE_OF_DRIVER : JCK_MESSAGE_OF_CASE,
                           .connection = of_driver ? '-' : 'a',
                           .step = (int)step,
                           .at_us = p->now_us,
                           .bytes = jrpc_slice_str(text),
                           .true_len = strlen(text)};
    exchange_add(p->e, &message);
}

static bool command(player *p, size_t number)
{
    const jck_driver_command *command = &p->e->test_case->steps[number].command;
    if ((command->action != JCK_ACTION_CALL && command->action != JCK_ACTION_NOTIFY) ||
        command->request_count != 1 || p->count == ASKED_MAX ||
        jrpc_json_exists(command->requests[0].routing)) {
        return false;
    }
    p->calls[p->count++] = (asked){&command->requests[0], number, 0, NULL, false};
    write_down(p, number, true, true,
               jrpc_arena_printf(&p->e->arena, "{\"do\":\"%s\",\"tag\":%zu}",
                                 jck_driver_action_name(command->action), number + 1));
    return true;
}

static asked *find(player *p, jrpc_slice name)
{
    for (size_t i = 0; i < p->count; i++) {
        if (jrpc_slice_equal(p->calls[i].request->name, name)) {
            return &p->calls[i];
        }
    }
    return NULL;
}

static bool write_request(player *p, size_t step, jrpc_slice name)
{
    asked *call = find(p, name);
    if (call == NULL) {
        return false;
    }
    const jck_request *request = call->request;
    jrpc_slice params = jrpc_json_spelling(request->params);
    jrpc_slice method = jrpc_json_spelling(request->method);
    jrpc_arena *arena = &p->e->arena;
    call->id = request->notify ? 0 : (int)(call - p->calls) + 41;
    const char *about =
        jrpc_json_exists(request->params)
            ? jrpc_arena_printf(arena, ",\"params\":%.*s", (int)params.len, params.ptr)
            : "";
    const char *id = call->id == 0 ? "" : jrpc_arena_printf(arena, "%d", call->id);
    const char *named = jrpc_arena_printf(arena, "%.*s", (int)method.len, method.ptr);
    bool bad = p->defect != 0 && p->defect < DEFECTS && !p->spoilt;
    p->spoilt = p->spoilt || bad;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    write_down(p, step, false, false,
               jrpc_arena_printf(arena, defects[bad ? p->defect : 0], named, about,
                                 call->id == 0 ? "" : ",\"id\":", id));
#pragma GCC diagnostic pop
    return true;
}

// Gives an answer to the call with its id, if that call has none yet.
static void take(player *p, jrpc_json answer)
{
    jrpc_json result = jrpc_json_get(answer, "result");
    jrpc_json error = jrpc_json_get(answer, "error");
    bool whole = jrpc_json_string_is(jrpc_json_get(answer, "jsonrpc"), JRPC_SLICE("2.0")) &&
                 jrpc_json_exists(result) != jrpc_json_exists(error);
    jrpc_slice id = jrpc_json_spelling(jrpc_json_get(answer, "id"));
    for (size_t i = 0; i < p->count && whole; i++) {
        asked *call = &p->calls[i];
        const char *own = jrpc_arena_printf(&p->e->arena, "%d", call->id);
        if (call->id != 0 && call->outcome == NULL && jrpc_slice_is(id, own)) {
            bool good = jrpc_json_exists(result);
            jrpc_slice text = jrpc_json_spelling(good ? result : error);
            call->outcome = jrpc_arena_printf(&p->e->arena, "\"%s\":%.*s",
                                              good ? "result" : "error", (int)text.len, text.ptr);
        }
    }
}

// The client knows no method, and says so.
static void reply(player *p, size_t step, jrpc_json request)
{
    jrpc_json id = jrpc_json_get(request, "id");
    bool called = jrpc_json_is(id, JRPC_JSON_STRING) || jrpc_json_is(id, JRPC_JSON_NUMBER);
    if (p->replies && called && jrpc_json_is(jrpc_json_get(request, "method"), JRPC_JSON_STRING)) {
        jrpc_slice spelled = jrpc_json_spelling(id);
        write_down(p, step, false, false,
                   jrpc_arena_printf(&p->e->arena,
                                     "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32601,"
                                     "\"message\":\"m\"},\"id\":%.*s}",
                                     (int)spelled.len, spelled.ptr));
    }
}

static bool answer(player *p, size_t number)
{
    const jck_step *step = &p->e->test_case->steps[number];
    jrpc_buffer text;
    jrpc_json_document document;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), ROOM);
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    // How a correct client reacts to the forms of frames is not simulated.
    bool whole = step->head == NULL && step->manner.form == NULL &&
                 jck_payload_expand(&step->payload, resolve, p, &text, NULL) &&
                 jrpc_json_read(&document, jrpc_buffer_slice(&text), DEPTH, NULL) &&
                 jrpc_json_is(jrpc_json_root(&document), JRPC_JSON_OBJECT);
    if (whole) {
        take(p, jrpc_json_root(&document));
        write_down(p, number, true, false,
                   jrpc_arena_printf(&p->e->arena, "%.*s", (int)text.len, text.ptr));
        reply(p, number, jrpc_json_root(&document));
    }
    jrpc_json_document_done(&document);
    jrpc_buffer_done(&text);
    return whole;
}

static void report(player *p, size_t step, asked *call, const char *said)
{
    call->reported = true;
    write_down(p, step, false, true,
               jrpc_arena_printf(&p->e->arena, "{\"tag\":%zu,%s}", call->command + 1, said));
}

static bool outcome(player *p, size_t number)
{
    const jck_step *step = &p->e->test_case->steps[number];
    asked *call = step->name_count == 1 && !step->event ? find(p, step->names[0]) : NULL;
    if (call == NULL) {
        return false;
    }
    const char *said = call->outcome != NULL   ? call->outcome
                       : call->request->notify ? "\"result\":null"
                                               : "\"failed\":\"time-out\"";
    if (call->outcome == NULL && !call->request->notify) {
        p->now_us += CALL_US;
    }
    if (p->defect == DEFECTS && !p->spoilt && call->outcome != NULL) {
        said = "\"result\":\"something that nobody sent\"";
        p->spoilt = true;
    }
    report(p, number, call, said);
    return true;
}

// False if the case asks for more than calls, notifications and their answers.
static bool play(player *p)
{
    const jck_case *test_case = p->e->test_case;
    bool known = test_case->side == JCK_SIDE_CLIENT && !test_case->undriven &&
                 jrpc_slice_is(test_case->suite, "jsonrpc-2.0-client");
    p->e->evidence.call_us = CALL_US;
    for (size_t i = 0; i < test_case->step_count && known; i++) {
        const jck_step *step = &test_case->steps[i];
        switch (step->kind) {
        case JCK_STEP_DO:
            known = command(p, i);
            break;
        case JCK_STEP_HEAR:
            for (size_t k = 0; k < step->name_count && known; k++) {
                known = write_request(p, i, step->names[k]);
            }
            break;
        case JCK_STEP_ANSWER:
            known = answer(p, i);
            break;
        case JCK_STEP_OUTCOME:
            known = outcome(p, i);
            break;
        case JCK_STEP_SEND:
        case JCK_STEP_RECEIVE:
        case JCK_STEP_REPLY:
        case JCK_STEP_FENCE:
        case JCK_STEP_CLOSE:
        case JCK_STEP_LEAVE:
        case JCK_STEP_SERVE:
            known = false;
            break;
        }
    }
    // The driver reports what the case does not ask for as well.
    for (size_t i = 0; i < p->count && known; i++) {
        if (!p->calls[i].reported && p->calls[i].request->notify) {
            report(p, test_case->step_count - 1, &p->calls[i], "\"result\":null");
        }
    }
    return known;
}

static void judge_right(exchange *e, unsigned defect, bool replies)
{
    player p = {.e = e, .defect = defect, .replies = replies};
    if (!play(&p)) {
        return;
    }
    jrpc_arena arena;
    jck_verdict verdict = exchange_judge(e, jrpc_allocator_heap(), &arena);
    exchange_require_sound(e, &verdict);
    FUZZ_REQUIRE(p.spoilt || (verdict.conformant && verdict.findings.count == 0));
    FUZZ_REQUIRE(!p.spoilt || verdict.findings.count != 0);
    FUZZ_REQUIRE(verdict.driver_mistake == NULL);
    jrpc_arena_done(&arena);
}

// ---- a client that runs by itself

// Each byte of the text is one message of the client; what it wrote is counted.
static void judge_by_itself(exchange *e, jrpc_slice text)
{
    size_t calls = 0;
    size_t notifications = 0;
    size_t batches = 0;
    player p = {.e = e};
    for (size_t i = 0; i < text.len && i < ASKED_MAX; i++) {
        unsigned kind = (unsigned char)text.ptr[i] % 4;
        const char *call =
            jrpc_arena_printf(&e->arena, "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"id\":%zu}", i);
        const char *note = "{\"jsonrpc\":\"2.0\",\"method\":\"n\",\"params\":[]}";
        FUZZ_REQUIRE(call != NULL);
        calls += kind != 1;
        notifications += kind != 0;
        batches += kind >= 2;
        write_down(&p, 0, false, false,
                   kind == 0   ? call
                   : kind == 1 ? note
                   : kind == 2 ? jrpc_arena_printf(&e->arena, "[%s,%s]", call, note)
                               : jrpc_arena_printf(&e->arena, "[%s, %s]", note, call));
    }
    const struct {
        const char *name;
        size_t count;
    } counted[] = {{"calls", calls}, {"notifications", notifications}, {"batches", batches}};
    jrpc_arena arena;
    jck_verdict verdict = exchange_judge(e, jrpc_allocator_heap(), &arena);
    exchange_require_sound(e, &verdict);
    FUZZ_REQUIRE(verdict.findings.count == 0);
    for (size_t i = 0; i < 3; i++) {
        const char *expected = jrpc_arena_printf(&e->arena, "%zu", counted[i].count);
        size_t found = 0;
        for (size_t k = 0; k < verdict.findings.observation_count; k++) {
            const jck_observation *one = &verdict.findings.observations[k];
            if (jrpc_slice_is(one->name, counted[i].name)) {
                FUZZ_REQUIRE(jrpc_slice_is(one->value, expected));
                found++;
            }
        }
        FUZZ_REQUIRE(found == (counted[i].count > 0 ? 1 : 0));
    }
    jrpc_arena_done(&arena);
}

// The case that a word names, or one of a client that its letters choose.
static const jck_case *case_of(jrpc_slice word)
{
    const jck_suite *suite = fuzz_suite();
    const jck_case *named = jck_suite_find_case(suite, word);
    size_t at = 0;
    for (size_t i = 0; i < word.len; i++) {
        at = at * 31 + (unsigned char)word.ptr[i];
    }
    while (named == NULL || named->side != JCK_SIDE_CLIENT) {
        named = jck_suite_case(suite, at++ % jck_suite_case_count(suite));
    }
    return named;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { ANY, STARVED, RIGHT, BY_ITSELF, CLAIMS };
    fuzz_input input = fuzz_input_of(data, size);
    jrpc_slice rest = input.text;
    jrpc_slice word = rest;
    (void)jrpc_slice_take_line(&rest, &word);
    unsigned claim = input.options[0] % CLAIMS;
    exchange e;
    exchange_begin(&e, fuzz_suite(), fuzz_target(),
                   claim == BY_ITSELF
                       ? jck_suite_find_case(fuzz_suite(), JRPC_SLICE("undriven/requests"))
                       : case_of(word));
    if (claim == ANY || claim == STARVED) {
        play_any(&e, &input, rest);
    }
    if (claim == STARVED) {
        exchange_require_frugal(&e, input.options[1]);
    } else if (claim == RIGHT) {
        judge_right(&e, input.options[1] % (DEFECTS + 1), input.options[2] % 2 != 0);
    } else if (claim == BY_ITSELF) {
        judge_by_itself(&e, rest);
    } else if (fuzz_turn(&input, 0, 4)) {
        exchange_require_repeatable(&e);
    } else {
        exchange_require_sound_verdict(&e);
    }
    exchange_done(&e);
    return 0;
}
