// Which call an answer is assigned to.
#include "reference/driver/change.h"

#include <stdlib.h>

static bool has_id(const jrpc_message *message)
{
    return jrpc_json_exists(message->id) && !jrpc_json_is(message->id, JRPC_JSON_NULL);
}

static bool in_array(const jrpc_message *message)
{
    return message->value.index > 0;
}

// The call at this position of the batch: ids of one batch are consecutive.
static void by_position(jrpc_change *change, const jrpc_message *message, uint64_t *id)
{
    const jrpc_driver_memory *memory = &change->driver->memory;
    uint64_t position = memory->base + memory->batch_at;
    if (in_array(message) && has_id(message) &&
        jrpc_change_is_under_way(change->driver, position)) {
        *id = position;
    }
}

// The oldest call in flight, whatever the id is.
static void oldest(jrpc_change *change, const jrpc_message *message, uint64_t *id)
{
    const jrpc_driver_memory *memory = &change->driver->memory;
    if (!in_array(message) && has_id(message) && jrpc_change_is_under_way(change->driver, *id)) {
        *id = memory->under_way[0];
    }
}

static void newest(jrpc_change *change, const jrpc_message *message, uint64_t *id)
{
    const jrpc_driver_memory *memory = &change->driver->memory;
    if (!in_array(message) && has_id(message) && jrpc_change_is_under_way(change->driver, *id)) {
        *id = memory->under_way[memory->under_way_count - 1];
    }
}

// Swaps the first two calls in flight.
static void swapped(jrpc_change *change, const jrpc_message *message, uint64_t *id)
{
    const jrpc_driver_memory *memory = &change->driver->memory;
    if (has_id(message) && memory->under_way_count > 1) {
        uint64_t first = memory->under_way[0];
        uint64_t second = memory->under_way[1];
        *id = *id == first ? second : *id == second ? first : *id;
    }
}

// An answer to a finished call is assigned to an unfinished one.
static void late_to_next(jrpc_change *change, const jrpc_message *message, uint64_t *id)
{
    const jrpc_driver_memory *memory = &change->driver->memory;
    if (has_id(message) && *id != 0 && memory->under_way_count > 0 && *id < memory->under_way[0]) {
        *id = memory->under_way[0];
    }
}

static void unknown_to_oldest(jrpc_change *change, const jrpc_message *message, uint64_t *id)
{
    const jrpc_driver_memory *memory = &change->driver->memory;
    if (has_id(message) && memory->under_way_count > 0 &&
        (*id == 0 || *id > memory->under_way[memory->under_way_count - 1])) {
        *id = memory->under_way[0];
    }
}

static void null_to_oldest(jrpc_change *change, const jrpc_message *message, uint64_t *id)
{
    const jrpc_driver_memory *memory = &change->driver->memory;
    if (jrpc_json_is(message->id, JRPC_JSON_NULL) && jrpc_json_exists(message->result) &&
        memory->under_way_count > 0) {
        *id = memory->under_way[0];
    }
}

static void missing_to_oldest(jrpc_change *change, const jrpc_message *message, uint64_t *id)
{
    const jrpc_driver_memory *memory = &change->driver->memory;
    if (!jrpc_json_exists(message->id) && jrpc_json_exists(message->result) &&
        memory->under_way_count > 0) {
        *id = memory->under_way[0];
    }
}

static uint64_t number_in(jrpc_slice text)
{
    uint64_t number = 0;
    for (size_t i = text.len > 0 && text.ptr[0] == '"'; i < text.len; i++) {
        if (text.ptr[i] < '0' || text.ptr[i] > '9') {
            break;
        }
        number = number * 10 + (uint64_t)(text.ptr[i] - '0');
    }
    return number;
}

static void string_as_number(jrpc_change *change, const jrpc_message *message, uint64_t *id)
{
    (void)change;
    if (jrpc_json_is(message->id, JRPC_JSON_STRING)) {
        *id = number_in(jrpc_json_spelling(message->id));
    }
}

// As if true equalled 1.
static void true_as_one(jrpc_change *change, const jrpc_message *message, uint64_t *id)
{
    bool one =
        jrpc_json_is(message->id, JRPC_JSON_TRUE) && jrpc_change_is_under_way(change->driver, 1);
    *id = one ? 1 : *id;
}

static void fraction_cut(jrpc_change *change, const jrpc_message *message, uint64_t *id)
{
    (void)change;
    if (jrpc_json_is(message->id, JRPC_JSON_NUMBER) && !jrpc_json_is_integer(message->id)) {
        *id = number_in(jrpc_json_spelling(message->id));
    }
}

static void in_container(jrpc_change *change, const jrpc_message *message, uint64_t *id)
{
    (void)change;
    if (jrpc_json_is(message->id, JRPC_JSON_ARRAY)) {
        *id = number_in(jrpc_json_spelling(jrpc_json_element(message->id, 0)));
    }
}

static void modulo(jrpc_change *change, const jrpc_message *message, uint64_t *id)
{
    (void)change;
    int64_t number = 0;
    if (jrpc_json_int64(message->id, &number)) {
        *id = (uint64_t)number & 0xFFFFFFFFu;
    }
}

static void sign_lost(jrpc_change *change, const jrpc_message *message, uint64_t *id)
{
    (void)change;
    int64_t number = 0;
    if (jrpc_json_int64(message->id, &number) && number < 0) {
        *id = (uint64_t)-number;
    }
}

static void error_to_newest(jrpc_change *change, const jrpc_message *message, uint64_t *id)
{
    const jrpc_driver_memory *memory = &change->driver->memory;
    if (has_id(message) && jrpc_json_exists(message->error) &&
        jrpc_change_is_under_way(change->driver, *id)) {
        *id = memory->under_way[memory->under_way_count - 1];
    }
}

static const jrpc_client_fault rows[] = {
    {JRPC_CLIENT_ROW("batch-by-position", "CL-d",
                     "Responses of a batch are given to its calls by their position"),
     .match = by_position},
    {JRPC_CLIENT_ROW("answers-in-order", "CL-11",
                     "an answer goes to the oldest call under way, whatever its id"),
     .match = oldest},
    {JRPC_CLIENT_ROW("answers-to-newest", "CL-11",
                     "an answer goes to the call that was made last, whatever its id"),
     .match = newest},
    {JRPC_CLIENT_ROW("answers-swapped", "CL-11",
                     "the two oldest calls under way get each other's answers"),
     .match = swapped},
    {JRPC_CLIENT_ROW("late-answer-to-next", "CLR-1",
                     "an answer to a call that is over is given to the next one"),
     .match = late_to_next},
    {JRPC_CLIENT_ROW("unknown-id-to-oldest", "CLR-2",
                     "an answer with an unknown id is given to the oldest call"),
     .match = unknown_to_oldest},
    {JRPC_CLIENT_ROW("null-id-result-taken", "CLR-2",
                     "a result with id null is given to the oldest call"),
     .match = null_to_oldest},
    {JRPC_CLIENT_ROW("missing-id-result-taken", "CLR-2",
                     "a result without an id is given to the oldest call"),
     .match = missing_to_oldest},
    {JRPC_CLIENT_ROW("id-string-as-number", "CL-11", "the id \"7\" is taken for 7"),
     .match = string_as_number},
    {JRPC_CLIENT_ROW("id-true-as-one", "CL-11", "the id true is taken for 1"),
     .match = true_as_one},
    {JRPC_CLIENT_ROW("id-fraction-cut", "CL-11", "the id 7.5 is taken for 7"),
     .match = fraction_cut},
    {JRPC_CLIENT_ROW("id-array-unwrapped", "CL-11", "the id [7] is taken for 7"),
     .match = in_container},
    {JRPC_CLIENT_ROW("id-32-bits", "CL-11", "the id 4294967303 is taken for 7"), .match = modulo},
    {JRPC_CLIENT_ROW("id-sign-lost", "CL-11", "the id -7 is taken for 7"), .match = sign_lost},
    {JRPC_CLIENT_ROW("errors-to-newest", "CL-11",
                     "an error goes to the call that was made last, whatever its id"),
     .match = error_to_newest},
};

const jrpc_client_fault_table jrpc_client_faults_match = JRPC_CLIENT_FAULT_TABLE(rows);
