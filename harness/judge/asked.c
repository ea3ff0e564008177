#include "harness/judge/asked.h"

#include "reference/json/equal.h"

void jck_asked_add(jck_asked_list *list, const jck_step *step, int index)
{
    for (size_t i = 0; i < step->command.request_count && list->count < JCK_ASKED_MAX; i++) {
        list->items[list->count++] =
            (jck_asked){.request = &step->command.requests[i], .step = index, .element = i};
    }
}

bool jck_asked_is_answer(jrpc_json object)
{
    return !jrpc_json_exists(jrpc_json_get(object, "method")) &&
           (jrpc_json_exists(jrpc_json_get(object, "result")) ||
            jrpc_json_exists(jrpc_json_get(object, "error")));
}

jck_asked *jck_asked_find(jck_asked_list *list, jrpc_json object)
{
    if (!jrpc_json_is(object, JRPC_JSON_OBJECT) || jck_asked_is_answer(object)) {
        return NULL;
    }
    jrpc_json method = jrpc_json_get(object, "method");
    jrpc_json params = jrpc_json_get(object, "params");
    jck_asked *by_both = NULL;
    jck_asked *by_method = NULL;
    jck_asked *by_params = NULL;
    for (size_t i = list->count; i > 0; i--) { // backwards, so that the first of each is kept
        jck_asked *asked = &list->items[i - 1];
        bool same_method = !asked->heard && jrpc_json_equal(asked->request->method, method);
        bool same_params = !asked->heard && jrpc_json_count(asked->request->params) > 0 &&
                           jrpc_json_equal(asked->request->params, params);
        by_both = same_method && same_params ? asked : by_both;
        by_method = same_method ? asked : by_method;
        by_params = same_params ? asked : by_params;
    }
    // A client may send the calls of a batch in any order.
    return by_both != NULL ? by_both : by_method != NULL ? by_method : by_params;
}

jck_asked *jck_asked_named(jck_asked_list *list, jrpc_slice name)
{
    for (size_t i = 0; i < list->count; i++) {
        if (jrpc_slice_equal(list->items[i].request->name, name)) {
            return &list->items[i];
        }
    }
    return NULL;
}

static bool is_echo_of(const jck_request *request, jrpc_json value)
{
    if (!jrpc_json_exists(request->routing)) {
        return jrpc_json_equal(request->method, jrpc_json_get(value, "method")) &&
               jrpc_json_equal(request->params, jrpc_json_get(value, "params"));
    }
    bool same = jrpc_json_equal(request->params, jrpc_json_get(value, "params"));
    for (const char *const *name = jck_routing_members(); *name != NULL && same; name++) {
        same = jrpc_json_equal(jrpc_json_get(request->routing, *name), jrpc_json_get(value, *name));
    }
    return same;
}

bool jck_asked_is_echo(const jck_driver_command *command, jrpc_json value)
{
    if (command->action != JCK_ACTION_BATCH) {
        return command->request_count == 1 && is_echo_of(command->requests, value);
    }
    jrpc_json list = jrpc_json_get(value, "list");
    bool same =
        jrpc_json_is(list, JRPC_JSON_ARRAY) && jrpc_json_count(list) == command->request_count;
    jrpc_json_iterator it = jrpc_json_iterate(list);
    for (size_t i = 0; same && jrpc_json_step(&it); i++) {
        same = is_echo_of(&command->requests[i], it.value);
    }
    return same;
}

bool jck_is_answered_by(jrpc_json answer, jrpc_json id)
{
    if (!jrpc_json_is(answer, JRPC_JSON_ARRAY)) {
        return jrpc_json_exists(id) && jrpc_json_equal(jrpc_json_get(answer, "id"), id);
    }
    bool answered = false;
    for (jrpc_json_iterator it = jrpc_json_iterate(answer); !answered && jrpc_json_step(&it);) {
        answered = jrpc_json_exists(id) && jrpc_json_equal(jrpc_json_get(it.value, "id"), id);
    }
    return answered;
}
