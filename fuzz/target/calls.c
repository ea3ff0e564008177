// The calls of a client, against a list of them: each is over exactly once; a right Response to a
// call that is under way ends that call with its very value, wherever it stands in the text; what
// cannot be begun leaves nothing behind, neither in the table nor in the buffer; and calls that are
// begun while others end disturb none of them.
//
// A line of the text is a step:
//   >3          three calls are begun, in a batch; one without a number
//   <3          the same, with room for as many bytes as the line has
//   -7          call 7 is cancelled
//   ~5          all calls of the message that begins with call 5 are over; of all without a number
//   !           the deadlines pass (each third call has one)
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
    size_t under_way;
} client;

static bool begin(client *c, size_t count, bool batch, size_t room);

static void hear(void *context, const jrpc_answer *answer)
{
    client *c = context;
    FUZZ_REQUIRE(answer->id != 0 && answer->id <= MOST + BATCH_MOST);
    FUZZ_REQUIRE(c->is_begun[answer->id] && !c->is_over[answer->id]);
    c->is_over[answer->id] = true;
    c->under_way--;
    const tree *wanted = c->wanted[answer->id];
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

// Begins calls with room for `room` bytes. Returns whether they were.
static bool begin(client *c, size_t count, bool batch, size_t room)
{
    jrpc_call_parts parts[BATCH_MOST];
    uint64_t ids[BATCH_MOST] = {0};
    jrpc_error error = {.code = JRPC_OK};
    uint64_t next = jrpc_calls_next_id(c->calls);
    size_t calls = jrpc_calls_count(c->calls);
    if (next > MOST) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        parts[i] = (jrpc_call_parts){
            .method = JRPC_SLICE("m"), .params = JRPC_SLICE("[1]"), .answered = hear, .context = c};
        parts[i].deadline_us = (next + i) % 3 == 0 ? DEADLINE_US : 0;
    }
    jrpc_buffer_clear(&c->out);
    size_t maximum = c->out.maximum;
    c->out.maximum = room < maximum ? room : maximum;
    bool begun = batch ? jrpc_calls_begin_batch(c->calls, parts, count, &c->out, ids, &error)
                       : jrpc_calls_begin(c->calls, parts, &c->out, ids, &error);
    c->out.maximum = maximum;
    FUZZ_REQUIRE(begun == (error.code == JRPC_OK));
    FUZZ_REQUIRE(begun || error.code == JRPC_ERROR_LIMIT ||
                 (error.code == JRPC_ERROR_MEMORY && fuzz_starve_failed(&c->starve)));
    if (!begun) {
        FUZZ_REQUIRE(c->out.len == 0 && !c->out.failed && jrpc_calls_count(c->calls) == calls);
        return false;
    }
    FUZZ_REQUIRE(grammar_check(jrpc_buffer_slice(&c->out), TREE_DEPTH).verdict == GRAMMAR_JSON);
    FUZZ_REQUIRE(jrpc_calls_next_id(c->calls) == next + count);
    for (size_t i = 0; i < count; i++) {
        FUZZ_REQUIRE(ids[i] == next + i);
        c->is_begun[ids[i]] = true;
        c->first_of[ids[i]] = next;
        c->under_way++;
    }
    return true;
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
        if (is_response(value, &error)) {
            c->wanted[number] = tree_member(value, error ? "error" : "result");
            c->wants_error[number] = error;
        }
    }
    for (size_t i = 0; i <= MOST + BATCH_MOST && unsure; i++) {
        c->wanted[i] = NULL; // 1.0 is an id of call 1 too
    }
}

static void take(client *c, jrpc_slice line, uint64_t scope)
{
    tree_pool pool = {NULL};
    jrpc_error error = {.code = JRPC_OK};
    uint64_t next = jrpc_calls_next_id(c->calls);
    bool json = grammar_check(line, TREE_DEPTH).verdict == GRAMMAR_JSON;
    if (json) {
        expect(c, tree_read(&pool, line), scope);
    }
    bool taken = jrpc_calls_take(c->calls, line, scope, &error);
    FUZZ_REQUIRE(taken == (error.code == JRPC_OK));
    FUZZ_REQUIRE(taken || (error.code == JRPC_ERROR_MEMORY && fuzz_starve_failed(&c->starve)));
    for (uint64_t id = 1; id < next; id++) {
        FUZZ_REQUIRE(!taken || c->wanted[id] == NULL || c->is_over[id]);
        c->wanted[id] = NULL;
    }
    tree_pool_done(&pool);
}

static void conclude(client *c, uint64_t scope)
{
    uint64_t next = jrpc_calls_next_id(c->calls);
    jrpc_calls_conclude(c->calls, scope, JRPC_ANSWER_CLOSED, "it is closed");
    for (uint64_t id = 1; id < next; id++) {
        FUZZ_REQUIRE(c->is_over[id] || (scope != 0 && c->first_of[id] != scope));
    }
}

static void expire(client *c)
{
    uint64_t next = jrpc_calls_next_id(c->calls);
    jrpc_calls_expire(c->calls, DEADLINE_US + 1);
    for (uint64_t id = 1; id < next; id++) {
        FUZZ_REQUIRE(id % 3 != 0 || c->is_over[id]);
    }
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
    case '-': {
        bool was = number != 0 && c->is_begun[number] && !c->is_over[number];
        FUZZ_REQUIRE(jrpc_calls_cancel(c->calls, number) == was);
        FUZZ_REQUIRE(!was || c->is_over[number]);
        break;
    }
    case '~':
        conclude(c, number);
        break;
    case '!':
        expire(c);
        break;
    default:
        take(c, line, scope);
        break;
    }
    FUZZ_REQUIRE(jrpc_calls_count(c->calls) == c->under_way);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    client c = {.goes_on = (input.options[0] & 1) != 0};
    size_t fails_at = input.options[2] == 0 ? SIZE_MAX : input.options[2];
    fuzz_starve_init(&c.starve, fails_at, (input.options[0] & 2) != 0);
    jrpc_buffer_init(&c.out, jrpc_allocator_heap(), ROOM);
    c.calls = jrpc_calls_new(&c.starve.allocator, NULL, NULL, UNDER_WAY_MOST);
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
