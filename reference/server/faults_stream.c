// Faults in results that come in parts, each an event of its own.
#include "reference/server/bend.h"

static bool is_part(const jrpc_bend *bend, jrpc_slice payload)
{
    return bend->connection->events && !bend->connection->answering &&
           jrpc_slice_starts_with(payload, JRPC_SLICE("{\"jsonrpc\":\"2.0\",\"result\":"));
}

static bool is_start(const jrpc_bend *bend, jrpc_slice payload)
{
    return is_part(bend, payload) &&
           jrpc_slice_contains(payload, JRPC_SLICE("\"event\":\"start\""));
}

static bool forget_id(jrpc_bend *bend, jrpc_slice *payload)
{
    if (is_part(bend, *payload)) {
        jrpc_message part = {.value = jrpc_bend_json(bend, *payload)};
        jrpc_bend_member(bend, &part, "id", jrpc_slice_str(bend->fault->spelling));
        *payload = jrpc_json_spelling(part.value);
    }
    return true;
}

static bool lose_parts(jrpc_bend *bend, jrpc_slice *payload)
{
    return !is_part(bend, *payload);
}

static bool lose_start(jrpc_bend *bend, jrpc_slice *payload)
{
    return !is_start(bend, *payload);
}

static bool leave_out_mark(jrpc_bend *bend, jrpc_slice *payload)
{
    bend->connection->mark_due = bend->connection->mark_due && !is_part(bend, *payload);
    return true;
}

static const jrpc_fault rows[] = {
    {JRPC_ROW("sse-part-id-missing", "SE-f", "the parts of a result have no id"),
     .outgoing = forget_id, .spelling = ""},
    {JRPC_ROW("sse-part-id-null", "SE-f", "the parts of a result have the id null"),
     .outgoing = forget_id, .spelling = "null"},
    {JRPC_ROW("sse-parts-lost", "SE-f", "of the parts of a result only the last one is sent"),
     .outgoing = lose_parts},
    {JRPC_ROW("sse-start-missing", "SE-g", "the event that announces a stream of parts is missing"),
     .outgoing = lose_start},
    {JRPC_ROW("sse-mark-missing", "SE-h", "a stream of parts ends without [DONE]"),
     .outgoing = leave_out_mark},
    // Asked for by name where the query is read.
    {JRPC_ROW("sse-query-refused", "SE-i", "a call in the query of a GET is refused with 405")},
    {JRPC_ROW("sse-query-id-default", "SE-i", "the id of a call in a query is taken to be 1")},
    {JRPC_ROW("sse-query-undecoded", "SE-i",
              "arguments of a query are used as they stand there, with %XX")},
    {JRPC_ROW("sse-query-id-text", "SE-j", "the id of a call in a query comes back as a String")},
};

const jrpc_fault_table jrpc_faults_stream = JRPC_FAULT_TABLE(rows);
