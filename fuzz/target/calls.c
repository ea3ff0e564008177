// The calls of a client, against a list of them: each is over exactly once; a right Response to a
// call that is under way ends that call with its very value, wherever it stands in the text; what
// cannot be begun leaves nothing behind, neither in the table nor in the buffer, and takes nothing
// away; what can be begun is begun; and calls that are begun while others end disturb none of them.
//
// A line of the text is a step:
//   >3          three calls are begun, in a batch; one without a number
//   <3          the same, with room for as many bytes as the line has
//   +3          a batch of three calls, with a notification before and after each
//   ?3          a batch of three whose last call cannot be begun
//   -7          call 7 is cancelled
//   ~5          all calls of the message with call 5 are over; of all without a number
//   !           the deadlines are reached (each third call has one); with a number, they nearly are
//   otherwise   the text is received
// Options: whether the end of a call begins another one, which message a text is known to answer,
// and the n-th allocation that fails.
#include "reference/calls/calls.h"
#include "fuzz/fuzz.h"
#include "fuzz/model/grammar.h"
#include "fuzz/model/tree.h"
#include "fuzz/starve.h"
#include "reference/json/value.h"

#include <stdlib.h>

enum { ROOM = 1 << 16, MOST = 400, BATCH_MOST = 9, UNDER_WAY_MOST = 64, DEADLINE_US = 1000 };

typedef struct client {
    jrpc_calls *calls;
    fuzz_starve starve;
    jrpc_buffer out;
    bool goes_on; // the end of a call begins another one
    bool is_begun[MOST + BATCH_MOST + 1], is_over[MOST + BATCH_MOST + 1];
    uint64_t first_of[MOST + BATCH_MOST + 1];  // of the same message
    const tree *wanted[MOST + BATCH_MOST + 1]; // what the text that is taken says of a call
    bool wants_error[MOST + BATCH_MOST + 1];
    bool heard[MOST + BATCH_MOST + 1]; // the text that is taken names a call of this message
    uint64_t scope;                    // of the text that is taken
    size_t under_way;
} client;

static bool begin(client *c, size_t count, bool batch, size_t room);
static uint64_t number_of(const tree *id, bool *ret_unsure);

// An answer to a call that was never begun is not taken for a late one, nor the other way round.
static void stray(void *context, jrpc_stray_kind kind, jrpc_slice text, const char *why)
{
    const client *c = context;
    tree_pool pool = {NULL};
    FUZZ_REQUIRE(why[0] != '\0');
    if (kind != JRPC_STRAY_NOT_JSON && grammar_check(text, TREE_DEPTH).verdict == GRAMMAR_JSON) {
        bool unsure = false;
        const tree *value = tree_read(&pool, text);
        uint64_t number = value->kind != 'o' ? 0 : number_of(tree_member(value, "id"), &unsure);
        if (number != 0 && !unsure) {
            FUZZ_REQUIRE(kind != JRPC_STRAY_OVER || c->is_over[number]);
            FUZZ_REQUIRE(kind != JRPC_STRAY_UNKNOWN_ID || c->scope != 0 || !c->is_begun[number]);
        }
    }
    tree_pool_done(&pool);
}

static void hear(void *context, const jrpc_answer *answer)
{
    client *c = context;
    FUZZ_REQUIRE(answer->id != 0 && answer->id <= MOST + BATCH_MOST);
    FUZZ_REQUIRE(c->is_begun[answer->id] && !c->is_over[answer->id]);
    c->is_over[answer->id] = true;
    c->under_way--;
    const tree *wanted = c->wanted[answer->id];
    // Only an Array with an answer to its message leaves a call out.
    FUZZ_REQUIRE(answer->kind != JRPC_ANSWER_MISSING || c->heard[c->first_of[answer->id]]);
    if (answer->kind == JRPC_ANSWER_RESULT || answer->kind == JRPC_ANSWER_ERROR) {
        FUZZ_REQUIRE(answer->why[0] == '\0' && jrpc_json_exists(answer->value));
    } else {
        FUZZ_REQUIRE(answer->why[0] != '\0');
    }
    if (wanted != NULL) {
        FUZZ_REQUIRE(answer->kind ==
                     (c->wants_error[answer->id] ? JRPC_ANSWER_ERROR : JRPC_ANSWER_RESULT));
        FUZZ_REQUIRE(jrpc_slice_equal(jrpc_json_spelling(answer->value), wanted->spelling));
    }
    if (c->goes_on && answer->id % 2 == 0) {
        (void)begin(c, 1, false, ROOM);
    }
}

// What is in the buffer already. It stays there, whatever happens to the calls.
static const jrpc_slice before = JRPC_SLICE_INIT("before");

// Calls that cannot be begun, each for another reason.
static void spoil(jrpc_call_parts *part, uint64_t which)
{
    static const jrpc_request_parts no_verb = {.resource = JRPC_SLICE_INIT("r")};
    static const jrpc_request_parts no_json = {.resource = JRPC_SLICE_INIT("r"),
                                               .verb = JRPC_SLICE_INIT("get"),
                                               .target = JRPC_SLICE_INIT("[")};
    switch (which % 6) {
    case 0:
        part->method = JRPC_SLICE("");
        break;
    case 1:
        part->method = JRPC_SLICE("\xFF");
        break;
    case 2:
        part->params = JRPC_SLICE("1");
        break;
    case 3:
        part->params = JRPC_SLICE("[");
        break;
    case 4:
        part->structured = &no_verb;
        break;
    default:
        part->structured = &no_json;
        break;
    }
}

static bool begin_parts(client *c, const jrpc_call_parts *parts, size_t count, bool batch,
                        size_t room, uint64_t *ids, jrpc_error *error)
{
    jrpc_buffer_clear(&c->out);
    FUZZ_REQUIRE(jrpc_buffer_append(&c->out, before));
    size_t maximum = c->out.maximum;
    c->out.maximum = before.len + (room < maximum - before.len ? room : maximum - before.len);
    size_t calls = jrpc_calls_count(c->calls);
    bool begun = batch ? jrpc_calls_begin_batch(c->calls, parts, count, &c->out, ids, error)
                       : jrpc_calls_begin(c->calls, parts, &c->out, ids, error);
    c->out.maximum = maximum;
    FUZZ_REQUIRE(begun == (error->code == JRPC_OK));
    FUZZ_REQUIRE(jrpc_slice_starts_with(jrpc_buffer_slice(&c->out), before));
    FUZZ_REQUIRE(begun || (c->out.len == before.len && !c->out.failed &&
                           jrpc_calls_count(c->calls) == calls));
    return begun;
}

// Begins calls with room for `room` bytes. Returns whether they were.
static bool begin(client *c, size_t count, bool batch, size_t room)
{
    jrpc_call_parts parts[BATCH_MOST];
    uint64_t ids[BATCH_MOST] = {0};
    jrpc_error error = {.code = JRPC_OK};
    uint64_t next = jrpc_calls_next_id(c->calls);
    if (next > MOST) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        parts[i] = (jrpc_call_parts){
            .method = JRPC_SLICE("m"), .params = JRPC_SLICE("[1]"), .answered = hear, .context = c};
        parts[i].deadline_us = (next + i) % 3 == 0 ? DEADLINE_US : 0;
    }
    bool begun = begin_parts(c, parts, count, batch, room, ids, &error);
    bool fits = c->under_way + count <= UNDER_WAY_MOST;
    if (!begun) {
        // `out` is full, or the table, or memory is out.
        FUZZ_REQUIRE(!fits || room < ROOM || fuzz_starve_failed(&c->starve));
        FUZZ_REQUIRE(error.code == JRPC_ERROR_LIMIT ||
                     (error.code == JRPC_ERROR_MEMORY && fuzz_starve_failed(&c->starve)));
        return false;
    }
    FUZZ_REQUIRE(fits);
    FUZZ_REQUIRE(grammar_check(jrpc_slice_from(jrpc_buffer_slice(&c->out), before.len), TREE_DEPTH)
                     .verdict == GRAMMAR_JSON);
    FUZZ_REQUIRE(jrpc_calls_next_id(c->calls) == next + count);
    for (size_t i = 0; i < count; i++) {
        FUZZ_REQUIRE(ids[i] == next + i);
        c->is_begun[ids[i]] = true;
        c->first_of[ids[i]] = next;
        c->under_way++;
    }
    FUZZ_REQUIRE(jrpc_calls_count_of(c->calls, next) == count);
    return true;
}

// A batch with a notification before and after each call: only the calls have ids, in their order,
// and the text contains those ids.
static void begin_among_notifications(client *c, size_t count)
{
    jrpc_call_parts parts[2 * BATCH_MOST + 1];
    uint64_t ids[2 * BATCH_MOST + 1] = {0};
    jrpc_error error = {.code = JRPC_OK};
    uint64_t next = jrpc_calls_next_id(c->calls);
    for (size_t i = 0; i < 2 * count + 1; i++) {
        parts[i] = (jrpc_call_parts){
            .method = JRPC_SLICE("m"), .notification = i % 2 == 0, .answered = hear, .context = c};
    }
    // The deadline of a call follows from its number, as everywhere in this target.
    for (size_t i = 0; i < count; i++) {
        parts[2 * i + 1].deadline_us = (next + i) % 3 == 0 ? DEADLINE_US : 0;
    }
    if (next > MOST || !begin_parts(c, parts, 2 * count + 1, true, ROOM, ids, &error)) {
        return;
    }
    tree_pool pool = {NULL};
    jrpc_slice text = jrpc_slice_from(jrpc_buffer_slice(&c->out), before.len);
    FUZZ_REQUIRE(grammar_check(text, TREE_DEPTH).verdict == GRAMMAR_JSON);
    const tree *sent = tree_read(&pool, text);
    FUZZ_REQUIRE(sent->kind == 'a' && sent->count == 2 * count + 1);
    for (size_t i = 0; i < sent->count; i++) {
        bool unsure = false;
        const tree *id = tree_member(sent->items[i], "id");
        uint64_t wanted = i % 2 == 0 ? 0 : next + i / 2;
        FUZZ_REQUIRE((id == NULL) == (wanted == 0) && ids[i] == wanted);
        FUZZ_REQUIRE(wanted == 0 || (number_of(id, &unsure) == wanted && !unsure));
    }
    tree_pool_done(&pool);
    FUZZ_REQUIRE(jrpc_calls_next_id(c->calls) == next + count);
    for (uint64_t id = next; id < next + count; id++) {
        c->is_begun[id] = true;
        c->first_of[id] = next;
        c->under_way++;
    }
}

// The last of the calls cannot be begun, so none is.
static void begin_in_vain(client *c, size_t count)
{
    jrpc_call_parts parts[BATCH_MOST];
    uint64_t ids[BATCH_MOST] = {0};
    jrpc_error error = {.code = JRPC_OK};
    uint64_t next = jrpc_calls_next_id(c->calls);
    for (size_t i = 0; i < count; i++) {
        parts[i] = (jrpc_call_parts){.method = JRPC_SLICE("m"), .answered = hear, .context = c};
    }
    for (uint64_t which = 0; which < 6; which++) {
        parts[count - 1] = (jrpc_call_parts){.method = JRPC_SLICE("m"), .context = c};
        spoil(&parts[count - 1], which);
        error.code = JRPC_OK;
        FUZZ_REQUIRE(!begin_parts(c, parts, count, count > 1, ROOM, ids, &error));
        FUZZ_REQUIRE(error.code == JRPC_ERROR_INVALID || c->under_way + count > UNDER_WAY_MOST ||
                     fuzz_starve_failed(&c->starve));
        FUZZ_REQUIRE(jrpc_calls_next_id(c->calls) == next);
    }
}

// The number of an id that is spelled in digits; 0: it is none. *ret_unsure: it may be one all the
// same.
static uint64_t number_of(const tree *id, bool *ret_unsure)
{
    uint64_t number = 0;
    if (id == NULL || id->kind != '0') {
        return 0;
    }
    for (size_t i = 0; i < id->spelling.len; i++) {
        char digit = id->spelling.ptr[i];
        if (digit < '0' || digit > '9' || number > MOST + BATCH_MOST) {
            *ret_unsure = *ret_unsure || digit < '0' || digit > '9';
            return 0;
        }
        number = number * 10 + (uint64_t)(digit - '0');
    }
    return number <= MOST + BATCH_MOST ? number : 0;
}

// Whether a value is a Response by section 5, with nothing else in it.
static bool is_response(const tree *value, bool *ret_is_error)
{
    static const char *const members[] = {"jsonrpc", "id", "result", "error", NULL};
    static const char *const of_error[] = {"code", "message", "data", NULL};
    if (value->kind != 'o' || !tree_has_only(value, members)) {
        return false;
    }
    const tree *version = tree_member(value, "jsonrpc");
    const tree *result = tree_member(value, "result");
    const tree *error = tree_member(value, "error");
    bool unsure = false;
    *ret_is_error = error != NULL;
    return version != NULL && tree_is_text(version, "2.0") && (result == NULL) != (error == NULL) &&
           (error == NULL ||
            (error->kind == 'o' && tree_has_only(error, of_error) &&
             tree_member(error, "message") != NULL && tree_member(error, "message")->kind == 's' &&
             tree_member(error, "code") != NULL &&
             tree_is_between(tree_member(error, "code"), 0, 1 << 20, &unsure) && !unsure));
}

// What the text says of each call under way, where that is clear: the first Object that names it is
// a Response to it.
static void expect(client *c, const tree *text, uint64_t scope)
{
    bool named[MOST + BATCH_MOST + 1] = {false};
    bool unsure = false;
    size_t count = text->kind == 'a' ? text->count : 1;
    for (size_t i = 0; i < count; i++) {
        const tree *value = text->kind == 'a' ? text->items[i] : text;
        const tree *id = value->kind == 'o' ? tree_member(value, "id") : NULL;
        uint64_t number = number_of(id, &unsure);
        bool error = false;
        if (number == 0 || !c->is_begun[number] || c->is_over[number] || named[number] ||
            tree_member(value, "method") != NULL || (scope != 0 && c->first_of[number] != scope)) {
            continue;
        }
        named[number] = true;
        c->heard[c->first_of[number]] = text->kind == 'a';
        if (is_response(value, &error)) {
            c->wanted[number] = tree_member(value, error ? "error" : "result");
            c->wants_error[number] = error;
        }
    }
    for (size_t i = 0; i <= MOST + BATCH_MOST && unsure; i++) {
        c->wanted[i] = NULL; // 1.0 is an id of call 1 too
        c->heard[i] = true;
    }
}

static void take(client *c, jrpc_slice line, uint64_t scope)
{
    tree_pool pool = {NULL};
    jrpc_error error = {.code = JRPC_OK};
    uint64_t next = jrpc_calls_next_id(c->calls);
    grammar_verdict verdict = grammar_check(line, TREE_DEPTH).verdict;
    if (verdict == GRAMMAR_JSON) {
        expect(c, tree_read(&pool, line), scope);
    }
    for (size_t i = 0; i <= MOST + BATCH_MOST && verdict == GRAMMAR_DEEP; i++) {
        c->heard[i] = true; // too deep for the model
    }
    c->scope = scope;
    bool taken = jrpc_calls_take(c->calls, line, scope, &error);
    FUZZ_REQUIRE(taken == (error.code == JRPC_OK));
    FUZZ_REQUIRE(taken || (error.code == JRPC_ERROR_MEMORY && fuzz_starve_failed(&c->starve)));
    for (uint64_t id = 1; id < next; id++) {
        FUZZ_REQUIRE(!taken || c->wanted[id] == NULL || c->is_over[id]);
        c->wanted[id] = NULL;
        c->heard[id] = false;
    }
    tree_pool_done(&pool);
}

static void conclude(client *c, uint64_t scope)
{
    uint64_t next = jrpc_calls_next_id(c->calls);
    bool was_over[MOST + BATCH_MOST + 1];
    memcpy(was_over, c->is_over, sizeof was_over);
    jrpc_calls_conclude(c->calls, scope, JRPC_ANSWER_CLOSED, "it is closed");
    // This does not include calls that are begun meanwhile.
    for (uint64_t id = 1; id < jrpc_calls_next_id(c->calls); id++) {
        bool meant = id < next && (scope == 0 || c->first_of[id] == scope);
        FUZZ_REQUIRE(c->is_over[id] == (was_over[id] || meant));
    }
}

static void expire(client *c, bool nearly)
{
    uint64_t next = jrpc_calls_next_id(c->calls);
    int64_t now_us = nearly ? DEADLINE_US - 1 : DEADLINE_US;
    bool was_over[MOST + BATCH_MOST + 1];
    memcpy(was_over, c->is_over, sizeof was_over);
    jrpc_calls_expire(c->calls, now_us);
    int64_t soonest_us = JRPC_DEADLINE_NEVER;
    for (uint64_t id = 1; id < jrpc_calls_next_id(c->calls); id++) {
        bool due = id % 3 == 0 && id < next && !nearly;
        FUZZ_REQUIRE(c->is_over[id] == (was_over[id] || due));
        soonest_us = id % 3 == 0 && !c->is_over[id] ? DEADLINE_US : soonest_us;
    }
    FUZZ_REQUIRE(jrpc_calls_next_deadline(c->calls) <= soonest_us);
}

static void step(client *c, jrpc_slice line, uint64_t scope)
{
    uint64_t number = 0;
    for (size_t i = 1; i < line.len && line.ptr[i] >= '0' && line.ptr[i] <= '9'; i++) {
        number = number * 10 + (uint64_t)(line.ptr[i] - '0');
        number = number > MOST + BATCH_MOST ? 0 : number;
    }
    bool batch = number > 0 && number <= BATCH_MOST;
    switch (line.len == 0 ? '\0' : line.ptr[0]) {
    case '<':
        (void)begin(c, batch ? number : 1, batch, line.len);
        break;
    case '>':
        (void)begin(c, batch ? number : 1, batch, ROOM);
        break;
    case '+':
        begin_among_notifications(c, batch ? number : 1);
        break;
    case '?':
        begin_in_vain(c, batch ? number : 1);
        break;
    case '-': {
        bool was = number != 0 && c->is_begun[number] && !c->is_over[number];
        FUZZ_REQUIRE(jrpc_calls_cancel(c->calls, number) == was);
        FUZZ_REQUIRE(!was || c->is_over[number]);
        break;
    }
    case '~':
        conclude(c, number != 0 && c->is_begun[number] ? c->first_of[number] : number);
        break;
    case '!':
        expire(c, number != 0);
        break;
    default:
        take(c, line, scope);
        break;
    }
    FUZZ_REQUIRE(jrpc_calls_count(c->calls) == c->under_way);
}

// No two kinds of answers have the same name.
static void require_kinds(void)
{
    for (int kind = JRPC_ANSWER_RESULT; kind <= JRPC_ANSWER_CLOSED; kind++) {
        const char *name = jrpc_answer_kind_name((jrpc_answer_kind)kind);
        FUZZ_REQUIRE(name[0] != '\0');
        for (int other = JRPC_ANSWER_RESULT; other < kind; other++) {
            FUZZ_REQUIRE(strcmp(name, jrpc_answer_kind_name((jrpc_answer_kind)other)) != 0);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    if (fuzz_turn(&input, 0, 256)) {
        require_kinds();
    }
    client c = {.goes_on = (input.options[0] & 1) != 0};
    size_t fails_at = input.options[2] == 0 ? SIZE_MAX : input.options[2];
    fuzz_starve_init(&c.starve, fails_at, (input.options[0] & 2) != 0);
    jrpc_buffer_init(&c.out, jrpc_allocator_heap(), ROOM);
    const jrpc_calls_ear ear = {.context = &c, .stray = stray};
    c.calls = jrpc_calls_new(&c.starve.allocator, &ear, NULL, UNDER_WAY_MOST);
    jrpc_slice rest = input.text;
    for (jrpc_slice line; c.calls != NULL && jrpc_slice_take_line(&rest, &line);) {
        step(&c, line, input.options[1] == UINT8_MAX ? 0 : input.options[1]);
    }
    FUZZ_REQUIRE(c.calls != NULL || fuzz_starve_failed(&c.starve));
    jrpc_calls_free(c.calls);
    FUZZ_REQUIRE(c.starve.live == 0);
    jrpc_buffer_done(&c.out);
    return 0;
}
