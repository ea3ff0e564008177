// Fixture methods that refuse: denied, nonce, once, signed, tokened, restricted, debug,
// overdue.
#include "reference/server/fixture.h"

#include "reference/server/connection.h"
#include "reference/server/credentials.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static bool denied(void *context, jrpc_call *call)
{
    (void)context;
    return jrpc_call_fail(call, JRPC_DENIED, "Denied", JRPC_SLICE(""));
}

typedef enum verdict { ACCEPTED, SEEN, STALE, FULL } verdict;

// A remembered nonce that has become stale may be forgotten: its timestamp alone refuses it.
static verdict remember(jrpc_fixture *fixture, jrpc_slice nonce, int64_t timestamp, int64_t now)
{
    int64_t oldest = now - JRPC_NONCE_SECONDS;
    if (timestamp < oldest) {
        return STALE;
    }
    jrpc_nonce *room = NULL;
    for (size_t i = 0; i < JRPC_NONCES_MAX; i++) {
        jrpc_nonce *known = &fixture->nonces[i];
        if (known->len == 0 || known->timestamp < oldest) {
            room = room == NULL ? known : room;
        } else if (jrpc_slice_equal(jrpc_slice_of(known->bytes, known->len), nonce)) {
            return SEEN;
        }
    }
    if (room == NULL) {
        return FULL;
    }
    room->timestamp = timestamp;
    room->len = nonce.len;
    memcpy(room->bytes, nonce.ptr, nonce.len);
    return ACCEPTED;
}

static bool nonce(void *context, jrpc_call *call)
{
    jrpc_server *server = context;
    jrpc_slice given;
    int64_t timestamp;
    if (!jrpc_json_string(call->arguments[0], call->arena, &given) || given.len == 0 ||
        given.len > JRPC_NONCE_BYTES || !jrpc_json_int64(call->arguments[1], &timestamp)) {
        return jrpc_fixture_bad_params(call);
    }
    pthread_mutex_lock(&server->lock);
    verdict is = remember(&server->fixture, given, timestamp, (int64_t)time(NULL));
    pthread_mutex_unlock(&server->lock);
    switch (is) {
    case ACCEPTED:
        jrpc_json_write_bool(call->result, true);
        return true;
    case SEEN:
        return jrpc_call_fail(call, JRPC_REPLAYED, "Nonce seen before", JRPC_SLICE(""));
    case STALE:
        return jrpc_call_fail(call, JRPC_REPLAYED, "Timestamp too old", JRPC_SLICE(""));
    case FULL:
        return jrpc_call_fail(call, JRPC_REPLAYED, "Too many nonces", JRPC_SLICE(""));
    }
    return false;
}

// Notes the id of a call; false if it was noted before.
static bool note_id(jrpc_fixture *fixture, jrpc_slice id)
{
    for (size_t i = 0; i < JRPC_IDS_MAX; i++) {
        const jrpc_served_id *known = &fixture->ids[i];
        if (known->len > 0 && jrpc_slice_equal(jrpc_slice_of(known->spelling, known->len), id)) {
            return false;
        }
    }
    jrpc_served_id *room = &fixture->ids[fixture->next_id++ % JRPC_IDS_MAX];
    room->len = id.len;
    memcpy(room->spelling, id.ptr, id.len);
    return true;
}

// Takes effect once for each id.
static bool once(void *context, jrpc_call *call)
{
    jrpc_server *server = context;
    jrpc_slice id = jrpc_json_spelling(call->id);
    if (call->notification || id.len > JRPC_ID_BYTES) {
        return jrpc_call_fail(call, JRPC_REPLAYED, "No id to remember", JRPC_SLICE(""));
    }
    pthread_mutex_lock(&server->lock);
    bool fresh = note_id(&server->fixture, id);
    pthread_mutex_unlock(&server->lock);
    if (!fresh) {
        return jrpc_call_fail(call, JRPC_REPLAYED, "Id seen before", JRPC_SLICE(""));
    }
    atomic_fetch_add(&server->effects, 1);
    jrpc_json_write_bool(call->result, true);
    return true;
}

// Fails, and says where to identities that may do everything.
static bool debug(void *context, jrpc_call *call)
{
    (void)context;
    const jrpc_connection *connection = call->connection;
    return jrpc_call_fail(call, JRPC_FAILED, "It failed",
                          connection->limited ? JRPC_SLICE("") : JRPC_SLICE(JRPC_DEBUG_DATA));
}

static bool restricted(void *context, jrpc_call *call)
{
    jrpc_server *server = context;
    const jrpc_connection *connection = call->connection;
    if (connection->limited) {
        return jrpc_call_fail(call, JRPC_DENIED, "Denied", JRPC_SLICE(""));
    }
    atomic_fetch_add(&server->effects, 1);
    jrpc_json_write_bool(call->result, true);
    return true;
}

// Takes effect with a valid token of the server's key.
static bool tokened(void *context, jrpc_call *call)
{
    jrpc_server *server = context;
    jrpc_slice token = {NULL, 0};
    if (jrpc_json_exists(call->arguments[0]) &&
        !jrpc_json_string(call->arguments[0], call->arena, &token)) {
        return jrpc_fixture_bad_params(call);
    }
    const char *given =
        token.len > 0 ? jrpc_arena_printf(call->arena, "Bearer %.*s", (int)token.len, token.ptr)
                      : "";
    if (given == NULL || !jrpc_credentials_pass(call->connection, jrpc_slice_str(given))) {
        return jrpc_call_fail(call, JRPC_DENIED, "No valid token", JRPC_SLICE(""));
    }
    atomic_fetch_add(&server->effects, 1);
    jrpc_json_write_bool(call->result, true);
    return true;
}

static uint64_t hash(uint64_t start, jrpc_slice bytes)
{
    for (size_t i = 0; i < bytes.len; i++) {
        start = (start ^ (unsigned char)bytes.ptr[i]) * UINT64_C(0x100000001b3);
    }
    return start;
}

void jrpc_fixture_sign(jrpc_slice message, char ret_signature[JRPC_SIGNATURE_BYTES])
{
    char digits[JRPC_SIGNATURE_BYTES + 1];
    uint64_t sum =
        hash(hash(UINT64_C(0xcbf29ce484222325), message), JRPC_SLICE("jrpc-reference shared text"));
    (void)snprintf(digits, sizeof digits, "%016" PRIx64, sum);
    memcpy(ret_signature, digits, JRPC_SIGNATURE_BYTES);
}

static bool with_signature(void *context, jrpc_call *call)
{
    jrpc_server *server = context;
    jrpc_slice message;
    if (!jrpc_json_string(call->arguments[0], call->arena, &message)) {
        return jrpc_fixture_bad_params(call);
    }
    char right[JRPC_SIGNATURE_BYTES];
    jrpc_fixture_sign(message, right);
    if (!jrpc_json_string_is(call->arguments[1], jrpc_slice_of(right, sizeof right))) {
        return jrpc_call_fail(call, JRPC_UNSIGNED, "Signature missing or wrong", JRPC_SLICE(""));
    }
    atomic_fetch_add(&server->effects, 1);
    jrpc_json_write_bool(call->result, true);
    return true;
}

static bool sign(void *context, jrpc_call *call)
{
    (void)context;
    jrpc_slice message;
    if (!jrpc_json_string(call->arguments[0], call->arena, &message)) {
        return jrpc_fixture_bad_params(call);
    }
    char right[JRPC_SIGNATURE_BYTES];
    jrpc_fixture_sign(message, right);
    jrpc_json_write_string(call->result, jrpc_slice_of(right, sizeof right));
    return true;
}

// Takes longer than it may, and is stopped.
static bool overdue(void *context, jrpc_call *call)
{
    const jrpc_server *server = context;
    struct pollfd stop = {.fd = server->stop_fd, .events = POLLIN};
    (void)poll(&stop, 1, JRPC_OVERDUE_MS);
    return jrpc_call_fail(call, JRPC_TIMED_OUT, "Request timeout", JRPC_SLICE(""));
}

bool jrpc_fixture_add_guarded(jrpc_server *server, jrpc_error *error)
{
    const jrpc_parameter dated[] = {{"nonce", false}, {"timestamp", false}};
    const jrpc_parameter sealed[] = {{"message", false}, {"signature", true}};
    const jrpc_method methods[] = {
        {.name = "denied", .any_params = true},
        {.name = "nonce", .parameters = dated, .parameter_count = 2},
        {.name = "signed", .parameters = sealed, .parameter_count = 2},
        {.name = "sign", .parameters = sealed, .parameter_count = 1},
    };
    const jrpc_method limited = {.name = "restricted", .any_params = true};
    const jrpc_method single = {.name = "once", .any_params = true};
    const jrpc_method talkative = {.name = "debug", .any_params = true};
    const jrpc_parameter token[] = {{"token", true}};
    const jrpc_method carries = {.name = "tokened", .parameters = token, .parameter_count = 1};
    const jrpc_method late = {.name = "overdue", .any_params = true};
    return jrpc_router_add(server->router, &late, overdue, server, error) &&
           jrpc_router_add(server->router, &limited, restricted, server, error) &&
           jrpc_router_add(server->router, &single, once, server, error) &&
           jrpc_router_add(server->router, &carries, tokened, server, error) &&
           jrpc_router_add(server->router, &talkative, debug, server, error) &&
           jrpc_router_add(server->router, &methods[0], denied, server, error) &&
           jrpc_router_add(server->router, &methods[1], nonce, server, error) &&
           jrpc_router_add(server->router, &methods[2], with_signature, server, error) &&
           jrpc_router_add(server->router, &methods[3], sign, server, error);
}
