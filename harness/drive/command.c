// The commands of a case, and whether the driver can read them.
#include "harness/drive/exec.h"
#include "harness/drive/portable.h"
#include "reference/json/write.h"

static void append_request(jrpc_buffer *out, const jck_request *request)
{
    if (jrpc_json_exists(request->routing)) {
        const char *const *name = jck_routing_members();
        for (bool first = true; *name != NULL; name++) {
            jrpc_json value = jrpc_json_get(request->routing, *name);
            if (jrpc_json_exists(value)) {
                (void)jrpc_buffer_printf(out, "%s\"%s\":", first ? "" : ",", *name);
                (void)jrpc_json_compact(out, value);
                first = false;
            }
        }
    } else {
        (void)jrpc_buffer_append_str(out, "\"method\":");
        (void)jrpc_json_compact(out, request->method);
    }
    if (jrpc_json_exists(request->params)) {
        (void)jrpc_buffer_append_str(out, ",\"params\":");
        (void)jrpc_json_compact(out, request->params);
    }
}

// The members that say what is to be sent, each after a comma.
static void append_requests(jrpc_buffer *out, const jck_driver_command *command)
{
    if (command->action == JCK_ACTION_CALL || command->action == JCK_ACTION_NOTIFY) {
        (void)jrpc_buffer_append_char(out, ',');
        append_request(out, command->requests);
    } else if (command->action == JCK_ACTION_BATCH) {
        (void)jrpc_buffer_append_str(out, ",\"list\":[");
        for (size_t i = 0; i < command->request_count; i++) {
            const jck_request *request = &command->requests[i];
            (void)jrpc_buffer_append_str(out, i > 0 ? ",{" : "{");
            (void)jrpc_buffer_append_str(out, request->notify ? "\"notify\":true," : "");
            append_request(out, request);
            (void)jrpc_buffer_append_char(out, '}');
        }
        (void)jrpc_buffer_append_char(out, ']');
    }
}

void jck_client_append_command(jrpc_buffer *out, const jck_driver_command *command)
{
    (void)jrpc_buffer_printf(out, "\"do\":\"%s\"", jck_driver_action_name(command->action));
    append_requests(out, command);
}

static bool is_portable(const jck_driver_command *command)
{
    bool portable = true;
    for (size_t i = 0; i < command->request_count && portable; i++) {
        const jck_request *request = &command->requests[i];
        portable = jck_is_portable(request->routing) && jck_is_portable(request->method) &&
                   jck_is_portable(request->params);
    }
    return portable;
}

bool jck_client_probe(jck_client_exec *exec, const jck_driver_command *command)
{
    static const jrpc_slice ping = JRPC_SLICE_INIT("\"do\":\"ping\"");
    exec->doubtful = !is_portable(command);
    exec->doubtful_step = exec->step;
    if (!exec->doubtful) {
        return true;
    }
    jrpc_buffer_clear(&exec->payload);
    (void)jrpc_buffer_append(&exec->payload, ping);
    append_requests(&exec->payload, command);
    const jck_given_command *given =
        jck_client_command(exec, (jrpc_slice){NULL, 0}, jrpc_buffer_slice(&exec->payload));
    exec->probe = given;
    if (given != NULL && !jck_client_await(exec, given, jck_client_deadline(exec)) && !exec->over) {
        jck_client_give_up_command(exec, "it does not answer a ping with the same members",
                                   (jrpc_slice){NULL, 0});
    }
    return !exec->over;
}
