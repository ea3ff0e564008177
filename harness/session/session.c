#include "harness/session/session.h"

#include "harness/link/open.h"
#include "harness/session/conclude.h"
#include "harness/session/exec.h"
#include "harness/session/step.h"
#include "reference/base/limits.h"

void jck_session_init(jck_session *session, jck_link *link)
{
    *session = (jck_session){.link = link};
    jrpc_buffer_init(&session->payload, jrpc_allocator_heap(), JRPC_LIMIT_DOCUMENT_BYTES);
}

void jck_session_done(jck_session *session)
{
    jrpc_buffer_done(&session->payload);
}

bool jck_session_expand(jck_session *session, const jck_payload *payload, jck_variables *variables,
                        jrpc_error *error)
{
    jrpc_buffer_clear(&session->payload);
    return jck_variables_expand(variables, payload, &session->payload, error);
}

static jck_session_status status_of(jck_link_status status)
{
    switch (status) {
    case JCK_LINK_OK:
        return JCK_SESSION_OK;
    case JCK_LINK_UNOPENED:
        return JCK_SESSION_UNOPENED;
    case JCK_LINK_MUTE:
    case JCK_LINK_FLOODS:
    case JCK_LINK_ECHOES:
        return JCK_SESSION_MUTE;
    case JCK_LINK_INTERRUPTED:
        return JCK_SESSION_INTERRUPTED;
    case JCK_LINK_FAULT:
        return JCK_SESSION_FAULT;
    }
    return JCK_SESSION_FAULT;
}

// Whether the first connection works, so that only the second one is not served.
static bool first_works(jck_session *session)
{
    return jck_connection_is_in_order(jck_link_connection(session->link, 'a')) &&
           jck_link_answers(session->link, 'a');
}

static bool uses_connection(const jck_case *test_case, char connection)
{
    bool uses = connection == 'a';
    for (size_t i = 0; i < test_case->step_count && !uses; i++) {
        uses = test_case->steps[i].connection == connection;
    }
    return uses;
}

// How many connections a case has open at once, at most. The first is open from the start.
static unsigned connections_at_once(const jck_case *test_case)
{
    bool open[JCK_CONNECTIONS_MAX] = {true};
    unsigned count = 1;
    unsigned most = 1;
    for (size_t i = 0; i < test_case->step_count; i++) {
        const jck_step *step = &test_case->steps[i];
        bool *its = &open[step->connection - 'a'];
        bool opens = step->kind != JCK_STEP_CLOSE || step->half;
        count = count + (opens && !*its) - (!opens && *its);
        *its = opens;
        most = count > most ? count : most;
    }
    return most;
}

static void close_others(jck_link *link, const jck_case *test_case)
{
    for (unsigned i = 1; i < JCK_CONNECTIONS_MAX; i++) {
        char connection = (char)('a' + i);
        if (test_case == NULL || !uses_connection(test_case, connection)) {
            jck_link_close(link, connection);
        }
    }
}

// How many of `needed` connections are served at once, the first included, which works.
static unsigned count_served(jck_session *session, unsigned needed)
{
    unsigned served = 1;
    jrpc_error ignored = {0};
    close_others(session->link, NULL);
    while (served < needed &&
           jck_link_open(session->link, (char)('a' + served), &ignored) == JCK_LINK_OK) {
        served++;
    }
    close_others(session->link, NULL);
    return served;
}

static void note_served(jck_session *session, unsigned served)
{
    session->served = served > session->served ? served : session->served;
}

// Whether the target serves as many connections at once as the case opens. A target may have room
// for a few only. If it did not serve one, that is tried once more: it may have left just that one
// unserved. With two connections, the case itself shows it.
static bool has_room(jck_session *session, const jck_case *test_case)
{
    jck_link *link = session->link;
    unsigned needed = connections_at_once(test_case);
    bool unknown = needed > 2 && needed > session->served &&
                   (session->room == 0 || needed <= session->room) && !jck_link_exchanges(link);
    if (unknown && jck_link_begin_case(link, false, NULL) == JCK_LINK_OK) {
        unsigned served = count_served(session, needed);
        served = served < needed ? count_served(session, needed) : served;
        bool works = served == needed || first_works(session);
        session->room = served < needed && works ? served : session->room;
        note_served(session, served);
    }
    if (session->room > 0) {
        close_others(link, test_case);
    }
    return session->room == 0 || needed <= session->room;
}

// Whether a connection was refused while the first one works.
static bool is_refused_alone(jck_session *session, jck_link_status opened)
{
    return (opened == JCK_LINK_UNOPENED || opened == JCK_LINK_MUTE) && first_works(session);
}

// Whether a message of the case went in this direction over the connection, or over an earlier one
// of that name.
static bool has_carried(const jck_exec *exec, jck_direction direction, char connection)
{
    bool carried = false;
    for (size_t i = 0; i < exec->evidence->count && !carried; i++) {
        const jck_message *message = &exec->evidence->messages[i];
        carried = message->direction == direction && message->connection == connection &&
                  message->role == JCK_MESSAGE_OF_CASE;
    }
    return carried;
}

// Whether the target accepts an additional connection with the usual handshake.
static bool takes_another(jck_exec *exec, char connection)
{
    jrpc_error ignored = {0};
    bool takes = jck_link_open(exec->session->link, connection, &ignored) == JCK_LINK_OK;
    jck_link_close(exec->session->link, connection);
    return takes;
}

// Whether the target is known to serve an additional connection while the first one is open, or
// does so now.
static bool serves_several(jck_exec *exec, char connection)
{
    jck_session *session = exec->session;
    jck_link_close(session->link, connection);
    if (session->served < 2 && takes_another(exec, connection)) {
        note_served(session, 2);
    }
    return session->served >= 2;
}

// Whether this case has sent something on the connection, which is not closed yet. If its process
// has ended meanwhile, the case must see that end; a new connection would hide it.
static bool is_in_use(const jck_exec *exec, char connection)
{
    return has_carried(exec, JCK_SENT, connection) &&
           jck_link_connection(exec->session->link, connection)->state != JCK_CONNECTION_CLOSED;
}

// Opens the connection of a step. If it is a further connection that is refused while the first one
// works, the target serves one connection at a time, as it may: this is the only place where a case
// is given up for that. If it serves another one, it has ignored this connection.
static jck_session_status open_connection(jck_exec *exec, char connection)
{
    jck_session *session = exec->session;
    jck_link_status opened = is_in_use(exec, connection)
                                 ? JCK_LINK_OK
                                 : jck_link_open(session->link, connection, exec->error);
    if (exec->test_case->bare && opened == JCK_LINK_OK && !jck_link_exchanges(session->link)) {
        // No fence: how the target treats one before its handshake is not known.
        jck_connection_spend(jck_link_connection(session->link, connection));
    }
    if (connection != 'a' && is_refused_alone(session, opened)) {
        // If the target answered on an earlier one, which is closed, it has room for this one.
        if (has_carried(exec, JCK_RECEIVED, connection) || serves_several(exec, connection)) {
            jrpc_error_clear(exec->error);
            jck_exec_settle(exec, JCK_MUTE);
            exec->evidence->muteness = JCK_STUCK;
            return JCK_SESSION_OK;
        }
        session->room = 1;
        return JCK_SESSION_SINGLE;
    }
    // A connection that was opened without a fence may still be waiting in the queue.
    if (connection != 'a' && opened == JCK_LINK_OK && !exec->test_case->bare) {
        note_served(session, 2);
    }
    return status_of(opened);
}

// Runs a step on a separate connection that is opened with a handshake of its own: with a
// credential other than the target's, or with other headers. If it is refused while the first one
// works, the step is over: nothing was sent, and nothing came. What the other headers have to do
// with it is only known if the usual ones are not refused.
static void run_apart(jck_exec *exec, const jck_step *step, bool last)
{
    jck_session *session = exec->session;
    jck_link *link = session->link;
    jck_link_close(link, step->connection);
    jck_link_status opened =
        jck_link_open_as(link, step->connection, step->credential, step->handshake, exec->error);
    // A target that refuses it with an answer works, even if its first connection does not.
    bool answered = opened == JCK_LINK_UNOPENED && exec->error->code == JRPC_ERROR_INVALID;
    bool refused = answered || is_refused_alone(session, opened);
    if (refused && step->handshake != NULL) {
        if (!takes_another(exec, step->connection)) {
            jrpc_error_clear(exec->error);
            session->room = 1;
            exec->status = JCK_SESSION_SINGLE;
            return;
        }
        // Without an answer, tries once more: a target may leave some connections unserved,
        // whatever its headers say.
        opened = answered ? opened
                          : jck_link_open_as(link, step->connection, step->credential,
                                             step->handshake, exec->error);
        refused = answered || is_refused_alone(session, opened);
    }
    if (refused) {
        jrpc_error_clear(exec->error);
        jck_exec_settle(exec, JCK_REFUSED);
        return;
    }
    exec->status = status_of(opened);
    if (exec->status == JCK_SESSION_OK) {
        jck_step_run(exec, step, last);
        jck_connection_spend(
            jck_link_connection(link, step->connection)); // no other case may use it
    }
}

// Fills the payload of a step that sends one. False if the case cannot go on, with status OK if an
// earlier answer lacked what this step has to send: then that answer is the finding.
static bool prepare(jck_exec *exec, const jck_step *step)
{
    if (step->kind != JCK_STEP_SEND ||
        jck_session_expand(exec->session, &step->payload, exec->variables, exec->error)) {
        return true;
    }
    if (exec->step > 0 && exec->error->code == JRPC_ERROR_INVALID) {
        jrpc_error_clear(exec->error);
    } else {
        exec->status = JCK_SESSION_FAULT;
    }
    return false;
}

// How long the rounds of a repeated group may take before further ones are left out, how long the
// first of them may, and how long all may if the case runs alone: then there is time to see again
// what a first look has seen.
#define ROUNDS_MS 300
#define FIRST_ROUNDS 256
#define FIRST_ROUNDS_MS 1000
#define ROUNDS_ALONE_MS 5000

static int64_t rounds_ms(const jck_exec *exec, const jck_step *step)
{
    if (exec->watch != JCK_WATCH_FENCES) {
        return ROUNDS_ALONE_MS;
    }
    return step->round.index < FIRST_ROUNDS ? FIRST_ROUNDS_MS : ROUNDS_MS;
}

// Whether a step is to be run although it only repeats earlier ones: those were not too slow, and
// what was sent just before got an answer.
static bool is_worth_repeating(const jck_exec *exec, const jck_step *step)
{
    if (step->round.index == 0 || step->round.place > 0) {
        return true;
    }
    bool answered = step[-1].kind != JCK_STEP_SEND || step[-1].expect.kind == JCK_EXPECT_UNSTATED ||
                    jck_exec_has_heard(exec);
    int64_t took_us = jrpc_clock_now_us(exec->session->link->clock) - exec->began_us;
    return answered && took_us < rounds_ms(exec, step) * 1000;
}

static void run_steps(jck_exec *exec)
{
    const jck_case *test_case = exec->test_case;
    for (size_t i = 0; i < test_case->step_count && jck_exec_goes_on(exec); i++) {
        const jck_step *step = &test_case->steps[i];
        if (!is_worth_repeating(exec, step)) {
            i += (size_t)(step->round.count - step->round.index) * step->round.steps - 1;
            continue;
        }
        exec->step = (int)i;
        jck_variables_set_step(exec->variables, (int)i);
        bool last = i + 1 == test_case->step_count;
        exec->status = step->shakes_anew ? JCK_SESSION_OK : open_connection(exec, step->connection);
        bool refused = exec->evidence->muteness == JCK_STUCK;
        if (exec->status != JCK_SESSION_OK || refused || !prepare(exec, step)) {
            return;
        }
        if (step->shakes_anew) {
            run_apart(exec, step, last);
        } else {
            jck_step_run(exec, step, last);
        }
    }
}

static bool ends_its_connection(const jck_case *test_case)
{
    for (size_t i = 0; i < test_case->step_count; i++) {
        if (test_case->steps[i].kind == JCK_STEP_CLOSE && test_case->steps[i].connection == 'a') {
            return true;
        }
    }
    return false;
}

jck_session_status jck_session_run(jck_session *session, const jck_case *test_case,
                                   jck_variables *variables, jck_watch watch,
                                   jck_evidence *evidence, jrpc_error *error)
{
    jck_link *link = session->link;
    session->closed_after = 0;
    link->requests = test_case->requests;
    link->replied = 0;
    if (ends_its_connection(test_case)) {
        jck_link_spare(link);
    }
    bool roomy = has_room(session, test_case);
    jck_link_status opened = jck_link_begin_case(link, test_case->bare, error);
    if (opened != JCK_LINK_OK) {
        return status_of(opened);
    }
    if (!roomy && first_works(session)) {
        return JCK_SESSION_SINGLE;
    }
    jck_exec exec = {
        .session = session,
        .test_case = test_case,
        .variables = variables,
        .evidence = evidence,
        .watch = watch,
        .began_us = jrpc_clock_now_us(link->clock),
        .error = error,
    };
    evidence->began_us = exec.began_us;
    evidence->generation = link->generation;
    evidence->of_messages = !jck_target_traits(session->link->target)->byte_stream;
    evidence->isolated = watch != JCK_WATCH_FENCES;
    (void)jck_variables_inherit(variables, jck_link_connection(link, 'a')->captured);
    jck_exec_record_opening(&exec);
    run_steps(&exec);
    return jck_exec_conclude(&exec);
}

bool jck_session_listen(jck_session *session, int64_t window_ms)
{
    int64_t deadline = jrpc_deadline_in_ms(session->link->clock, window_ms);
    const jck_connection *open = jck_link_connection(session->link, 'a');
    bool came = false;
    while (jck_connection_is_open(open)) {
        jrpc_error ignored = {0};
        jck_heard heard = jck_link_hear(session->link, 'a', deadline, &ignored);
        if (heard.kind == JCK_HEARD_FLOOD) {
            jck_link_drop(session->link);
        }
        if (heard.kind != JCK_HEARD_MESSAGE && heard.kind != JCK_HEARD_PUSH) {
            break;
        }
        came = came || heard.kind == JCK_HEARD_MESSAGE;
    }
    return came;
}
