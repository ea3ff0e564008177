// The routes of RO-JRPC that the suite calls, and who may call them.
#include "reference/server/fixture.h"

#include "reference/server/connection.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

enum { CACHE_SECONDS = 60, WORD_BYTES = 40 };

// A member that stands beside the method, or in params where it does not.
static bool instance(jrpc_call *call, jrpc_json field, const char *name, jrpc_json *ret_value)
{
    *ret_value = jrpc_json_exists(field) ? field : jrpc_json_get(call->params, name);
    return jrpc_json_is(*ret_value, JRPC_JSON_STRING) ||
           jrpc_json_is(*ret_value, JRPC_JSON_NUMBER) || jrpc_fixture_bad_params(call);
}

static void write_member(jrpc_call *call, const char *name, jrpc_json value)
{
    jrpc_json_write_key(call->result, name);
    jrpc_json_write_value(call->result, value);
}

static void write_text(jrpc_call *call, const char *name, const char *text)
{
    jrpc_json_write_key(call->result, name);
    jrpc_json_write_str(call->result, text);
}

// Called with the server's lock held. NULL: as it was at the start.
static jrpc_user *find_user(jrpc_fixture *fixture, jrpc_slice target)
{
    for (size_t i = 0; i < JRPC_USERS_MAX; i++) {
        jrpc_user *user = &fixture->users[i];
        if (user->target_len != 0 &&
            jrpc_slice_equal(jrpc_slice_of(user->target, user->target_len), target)) {
            return user;
        }
    }
    return NULL;
}

// Both are spellings that fit; an empty name deletes.
static void set_name(jrpc_server *server, jrpc_slice target, jrpc_slice name)
{
    pthread_mutex_lock(&server->lock);
    jrpc_fixture *fixture = &server->fixture;
    jrpc_user *user = find_user(fixture, target);
    if (user == NULL) {
        assert(target.ptr != NULL);
        user = &fixture->users[fixture->next_user++ % JRPC_USERS_MAX];
        memcpy(user->target, target.ptr, target.len);
        user->target_len = target.len;
    }
    user->name_len = name.len;
    if (name.len != 0) {
        memcpy(user->name, name.ptr, name.len);
    }
    pthread_mutex_unlock(&server->lock);
}

// The spelling of a user's name. False: there is no such user.
static bool get_name(jrpc_server *server, jrpc_slice target, jrpc_arena *arena,
                     jrpc_slice *ret_name)
{
    *ret_name = JRPC_SLICE("\"Alice\"");
    pthread_mutex_lock(&server->lock);
    const jrpc_user *user = find_user(&server->fixture, target);
    bool exists = user == NULL || user->name_len != 0;
    if (user != NULL && exists) {
        exists = jrpc_arena_copy(arena, jrpc_slice_of(user->name, user->name_len), ret_name);
    }
    pthread_mutex_unlock(&server->lock);
    return exists;
}

static bool write_user(jrpc_server *server, jrpc_call *call, jrpc_json target)
{
    jrpc_slice name;
    if (!get_name(server, jrpc_json_spelling(target), call->arena, &name)) {
        return jrpc_call_fail(call, JRPC_NOT_FOUND, "No such user", JRPC_SLICE(""));
    }
    jrpc_json_write_begin_object(call->result);
    write_member(call, "id", target);
    jrpc_json_write_key(call->result, "name");
    jrpc_json_write_raw(call->result, name);
    jrpc_json_write_end_object(call->result);
    return true;
}

static bool user_get(void *context, jrpc_call *call)
{
    jrpc_json target;
    if (!instance(call, call->fields->target, "target", &target)) {
        return false;
    }
    // Nothing is kept here, so a caller that asks for no cache gets what every other gets.
    jrpc_call_cache(call, CACHE_SECONDS);
    return write_user(context, call, target);
}

static bool user_update(void *context, jrpc_call *call)
{
    jrpc_server *server = context;
    jrpc_json target;
    if (!instance(call, call->fields->target, "target", &target)) {
        return false;
    }
    jrpc_json name = jrpc_json_get(call->params, "name");
    jrpc_slice spelled = jrpc_json_spelling(name);
    if (!jrpc_json_is(name, JRPC_JSON_STRING) || spelled.len > JRPC_NAME_BYTES ||
        jrpc_json_spelling(target).len > JRPC_USER_BYTES) {
        return jrpc_fixture_bad_params(call);
    }
    set_name(server, jrpc_json_spelling(target), spelled);
    atomic_fetch_add(&server->effects, 1);
    return write_user(server, call, target);
}

static bool user_create(void *context, jrpc_call *call)
{
    jrpc_server *server = context;
    if (jrpc_json_is(call->params, JRPC_JSON_ARRAY)) {
        return jrpc_fixture_bad_params(call);
    }
    atomic_fetch_add(&server->effects, 1);
    jrpc_json_write_begin_object(call->result);
    if (!jrpc_json_exists(jrpc_json_get(call->params, "id"))) {
        write_text(call, "id", "99");
    }
    for (jrpc_json_iterator it = jrpc_json_iterate(call->params); jrpc_json_step(&it);) {
        jrpc_slice name;
        if (!jrpc_json_string(it.key, call->arena, &name)) {
            return false;
        }
        jrpc_json_write_key_slice(call->result, name);
        jrpc_json_write_value(call->result, it.value);
    }
    jrpc_json_write_end_object(call->result);
    return true;
}

static bool user_list(void *context, jrpc_call *call)
{
    (void)context;
    jrpc_json_write_raw(
        call->result,
        JRPC_SLICE("[{\"id\":\"1\",\"name\":\"Alice\"},{\"id\":\"2\",\"name\":\"Bob\"}]"));
    return true;
}

void jrpc_fixture_delete_user(jrpc_server *server, jrpc_slice target)
{
    atomic_fetch_add(&server->effects, 1);
    if (target.len != 0 && target.len <= JRPC_USER_BYTES) {
        set_name(server, target, JRPC_SLICE(""));
    }
}

static bool user_delete(void *context, jrpc_call *call)
{
    jrpc_json target;
    if (!instance(call, call->fields->target, "target", &target)) {
        return false;
    }
    jrpc_fixture_delete_user(context, jrpc_json_spelling(target));
    return true;
}

static bool repo_get(void *context, jrpc_call *call)
{
    (void)context;
    jrpc_json target;
    if (!instance(call, call->fields->target, "target", &target)) {
        return false;
    }
    jrpc_json_write_begin_object(call->result);
    write_member(call, "id", target);
    write_text(call, "name", "repo");
    jrpc_json_write_end_object(call->result);
    return true;
}

static bool issue_get(void *context, jrpc_call *call)
{
    (void)context;
    jrpc_json target;
    jrpc_json parent;
    if (!instance(call, call->fields->target, "target", &target) ||
        !instance(call, call->fields->parent, "parent", &parent)) {
        return false;
    }
    jrpc_json_write_begin_object(call->result);
    write_member(call, "id", target);
    write_member(call, "repoId", parent);
    write_text(call, "title", "Fix null pointer");
    write_text(call, "state", "open");
    jrpc_json_write_end_object(call->result);
    return true;
}

static bool task_list(void *context, jrpc_call *call)
{
    (void)context;
    jrpc_json parent;
    if (!instance(call, call->fields->parent, "parent", &parent)) {
        return false;
    }
    jrpc_json_write_begin_array(call->result);
    jrpc_json_write_begin_object(call->result);
    write_text(call, "id", "1");
    write_member(call, "projectId", parent);
    jrpc_json_write_end_object(call->result);
    jrpc_json_write_end_array(call->result);
    return true;
}

// Answers that something was accepted, which is called `word` and has that name.
static void write_accepted(jrpc_call *call, const char *word, const char *name)
{
    jrpc_json_write_begin_object(call->result);
    write_text(call, "status", "accepted");
    write_text(call, word, name);
    jrpc_json_write_end_object(call->result);
}

// Results that belong to an instance of a resource, whose name needs no escapes, and to the call
// unless its id is left out.
static bool begin_results(jrpc_call *call, const char *resource, const char *name, jrpc_slice id,
                          jrpc_results *ret_results)
{
    jrpc_connection *connection = call->connection;
    char quoted[WORD_BYTES + 2];
    (void)snprintf(quoted, sizeof quoted, "\"%s\"", name);
    const jrpc_result_parts scope = {
        .resource = jrpc_slice_str(resource), .target = jrpc_slice_str(quoted), .request_id = id};
    return jrpc_results_begin(ret_results, connection->server->allocator,
                              jrpc_connection_sink(connection), &scope, NULL);
}

static bool attachment_create(void *context, jrpc_call *call)
{
    jrpc_server *server = context;
    if (!jrpc_json_is(jrpc_json_get(call->params, "filename"), JRPC_JSON_STRING)) {
        return jrpc_fixture_bad_params(call);
    }
    atomic_fetch_add(&server->effects, 1);
    pthread_mutex_lock(&server->lock);
    int64_t number = server->fixture.job_count++;
    pthread_mutex_unlock(&server->lock);
    char job[WORD_BYTES];
    (void)snprintf(job, sizeof job, "job-%" PRId64, JRPC_FIRST_JOB + number);
    write_accepted(call, "job", job);
    const jrpc_connection *connection = call->connection;
    if (call->notification || connection->one_answer) {
        return true; // nobody to tell, or no room to
    }
    jrpc_results results;
    if (!begin_results(call, "job", job, jrpc_json_spelling(call->id), &results)) {
        return false;
    }
    bool fails = jrpc_json_is(jrpc_json_get(call->params, "fail"), JRPC_JSON_TRUE);
    char done[WORD_BYTES + WORD_BYTES];
    (void)snprintf(done, sizeof done, "{\"attachmentId\":\"att-%" PRId64 "\"}",
                   JRPC_FIRST_ATTACHMENT + number);
    bool told = jrpc_results_yield(&results, JRPC_STATUS_PENDING,
                                   JRPC_SLICE("{\"progress\":60,\"stage\":\"scanning\"}"), NULL) &&
                jrpc_results_return(&results, fails ? JRPC_STATUS_ERROR : JRPC_STATUS_DONE,
                                    fails ? JRPC_SLICE("{\"message\":\"The scan failed\"}")
                                          : jrpc_slice_str(done),
                                    NULL);
    jrpc_results_done(&results);
    return told;
}

static bool session_start(void *context, jrpc_call *call)
{
    jrpc_server *server = context;
    pthread_mutex_lock(&server->lock);
    int64_t number = server->fixture.session_count++;
    pthread_mutex_unlock(&server->lock);
    char session[WORD_BYTES];
    (void)snprintf(session, sizeof session, "session-%" PRId64, JRPC_FIRST_SESSION + number);
    write_accepted(call, "session", session);
    const jrpc_connection *connection = call->connection;
    if (call->notification || connection->one_answer) {
        return true;
    }
    jrpc_results results;
    if (!begin_results(call, "session", session, JRPC_SLICE(""), &results)) {
        return false;
    }
    bool told = jrpc_results_yield(&results, JRPC_STATUS_PENDING,
                                   JRPC_SLICE("{\"content\":\"Thinking...\"}"), NULL) &&
                jrpc_results_return(&results, JRPC_STATUS_DONE,
                                    JRPC_SLICE("{\"content\":\"Here is your answer.\"}"), NULL);
    jrpc_results_done(&results);
    return told;
}

static bool issue_delete(void *context, jrpc_call *call)
{
    jrpc_server *server = context;
    (void)call;
    atomic_fetch_add(&server->effects, 1);
    return true;
}

// The tool that target names, and what it was given.
static bool tool_execute(void *context, jrpc_call *call)
{
    (void)context;
    jrpc_json target;
    if (!instance(call, call->fields->target, "target", &target)) {
        return false;
    }
    jrpc_json_write_begin_object(call->result);
    write_member(call, "id", target);
    write_text(call, "output", "done");
    jrpc_json_write_end_object(call->result);
    return true;
}

// Who may call what: nobody deletes users or issues.
static bool may(void *context, jrpc_call *call)
{
    static const char *const denied[] = {"user:delete", "repo/issue:delete"};
    (void)context;
    for (size_t i = 0; i < sizeof denied / sizeof *denied; i++) {
        if (jrpc_route_is(call->route, denied[i])) {
            return jrpc_call_fail(call, JRPC_DENIED, "Denied", JRPC_SLICE(""));
        }
    }
    return true;
}

bool jrpc_fixture_add_resources(jrpc_server *server, jrpc_error *error)
{
    static const struct {
        jrpc_route route;
        jrpc_handler handler;
    } routes[] = {
        {{"user", NULL, "get"}, user_get},
        {{"user", NULL, "create"}, user_create},
        {{"user", NULL, "list"}, user_list},
        {{"user", NULL, "update"}, user_update},
        {{"user", NULL, "delete"}, user_delete},
        {{"repo", NULL, "get"}, repo_get},
        {{"repo", "issue", "get"}, issue_get},
        {{"repo", "issue", "delete"}, issue_delete},
        {{"project", "task", "list"}, task_list},
        {{"attachment", NULL, "create"}, attachment_create},
        {{"session", NULL, "start"}, session_start},
        {{"tool", NULL, "execute"}, tool_execute},
    };
    const jrpc_method takes = {.any_params = true};
    for (size_t i = 0; i < sizeof routes / sizeof *routes; i++) {
        if (!jrpc_router_add_route(server->router, &routes[i].route, &takes, routes[i].handler,
                                   server, error)) {
            return false;
        }
    }
    jrpc_router_authorize(server->router, may, server);
    return true;
}
