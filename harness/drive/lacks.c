#include "harness/drive/lacks.h"

static bool lacks_word(const jck_client *client, jck_can can, jrpc_arena *arena,
                       jck_reason *ret_reason)
{
    if (client->driver.can[can]) {
        return false;
    }
    const char *text = jrpc_arena_printf(
        arena, "the driver does not list \"%s\" among what it can do", jck_can_word(can));
    *ret_reason = (jck_reason){.code = JCK_REASON_NOT_DRIVEN,
                               .text = text == NULL ? "the driver cannot do it" : text};
    return true;
}

static bool lacks_action(const jck_client *client, const jck_driver_command *command,
                         jrpc_arena *arena, jck_reason *ret_reason)
{
    static const jck_can needed[JCK_ACTION_COUNT] = {
        [JCK_ACTION_CONNECT] = JCK_CAN_CONNECT, [JCK_ACTION_CALL] = JCK_CAN_CALL,
        [JCK_ACTION_NOTIFY] = JCK_CAN_NOTIFY,   [JCK_ACTION_BATCH] = JCK_CAN_BATCH,
        [JCK_ACTION_PING] = JCK_CAN_CALL,       [JCK_ACTION_CLOSE] = JCK_CAN_CLOSE,
    };
    bool lacks = lacks_word(client, needed[command->action], arena, ret_reason);
    for (size_t i = 0; i < command->request_count && !lacks; i++) {
        const jck_request *request = &command->requests[i];
        lacks = (jrpc_json_is(request->params, JRPC_JSON_OBJECT) &&
                 lacks_word(client, JCK_CAN_BY_NAME, arena, ret_reason)) ||
                (request->notify && lacks_word(client, JCK_CAN_NOTIFY, arena, ret_reason)) ||
                (jrpc_json_exists(request->routing) &&
                 lacks_word(client, JCK_CAN_RESOURCES, arena, ret_reason));
    }
    return lacks;
}

static bool names_need(const jck_case *test_case, const char *need)
{
    for (size_t i = 0; i < test_case->need_count; i++) {
        if (jrpc_slice_is(test_case->needs[i], need)) {
            return true;
        }
    }
    return false;
}

bool jck_client_times_out(const jck_case *test_case)
{
    return names_need(test_case, "timeout");
}

bool jck_client_is_fresh(const jck_case *test_case)
{
    return names_need(test_case, "fresh");
}

static bool awaits_answer(const jck_step *step)
{
    return step->kind == JCK_STEP_DO &&
           (step->command.action == JCK_ACTION_CALL || step->command.action == JCK_ACTION_BATCH);
}

// Whether the case waits for the outcome of the command of step `of` before step `until`.
static bool is_awaited(const jck_case *test_case, size_t of, size_t until)
{
    bool awaited = false;
    for (size_t i = of + 1; i < until && !awaited; i++) {
        const jck_step *step = &test_case->steps[i];
        awaited = step->kind == JCK_STEP_OUTCOME && step->name_count > 0 &&
                  jrpc_slice_equal(step->names[0], test_case->steps[of].command.name);
    }
    return awaited;
}

// Whether a call is made while another one is in flight.
static bool overlaps(const jck_case *test_case)
{
    for (size_t i = 0; i < test_case->step_count; i++) {
        for (size_t k = 0; k < i && awaits_answer(&test_case->steps[i]); k++) {
            if (awaits_answer(&test_case->steps[k]) && !is_awaited(test_case, k, i)) {
                return true;
            }
        }
    }
    return false;
}

static bool lacks_needs(const jck_client *client, const jck_case *test_case, jrpc_arena *arena,
                        jck_reason *ret_reason)
{
    if (jck_client_times_out(test_case) && !client->driver.keeps_timeout) {
        *ret_reason = (jck_reason){
            .code = JCK_REASON_NOT_DRIVEN,
            .text =
                "the driver does not apply the time-out that a command gives (\"timeout\": null)"};
        return true;
    }
    for (size_t i = 0; i < test_case->need_count; i++) {
        if (!jck_target_offers(client->options.target, test_case->needs[i], arena, ret_reason)) {
            return true;
        }
    }
    if (!overlaps(test_case)) {
        return false;
    }
    if (client->one_at_a_time) {
        *ret_reason =
            (jck_reason){.code = JCK_REASON_NOT_DRIVEN,
                         .text = "the client sends no call while another one is under way"};
        return true;
    }
    return lacks_word(client, JCK_CAN_CONCURRENT, arena, ret_reason);
}

// Whether the transport cannot carry what a step sends.
static bool lacks_carrier(const jck_client *client, const jck_step *step, jck_reason *ret_reason)
{
    const jrpc_traits *traits = jck_target_traits(client->options.target);
    const char *why = NULL;
    if ((step->payload.raw || step->head != NULL) && !traits->carries_raw) {
        why = "bytes outside of a message cannot be sent over this transport";
    }
    *ret_reason =
        (jck_reason){.code = why == NULL ? JCK_REASON_NONE : JCK_REASON_NOT_CARRIED, .text = why};
    return why != NULL;
}

// The same for what a client that runs by itself receives.
static bool lacks_carrier_of_replies(const jck_client *client, const jck_step *step,
                                     jck_reason *ret_reason)
{
    bool lacks = false;
    for (size_t i = 0; i < step->reply_count && !lacks; i++) {
        lacks = lacks_carrier(client, &step->replies[i], ret_reason);
    }
    return lacks;
}

bool jck_client_lacks(const jck_client *client, const jck_case *test_case, jrpc_arena *arena,
                      jck_reason *ret_reason)
{
    bool lacks = lacks_needs(client, test_case, arena, ret_reason);
    for (size_t i = 0; i < test_case->step_count && !lacks; i++) {
        const jck_step *step = &test_case->steps[i];
        lacks = (step->kind == JCK_STEP_DO &&
                 lacks_action(client, &step->command, arena, ret_reason)) ||
                (step->kind == JCK_STEP_OUTCOME && step->event &&
                 lacks_word(client, JCK_CAN_REPORTS, arena, ret_reason)) ||
                (step->kind == JCK_STEP_ANSWER && lacks_carrier(client, step, ret_reason)) ||
                lacks_carrier_of_replies(client, step, ret_reason);
    }
    return lacks;
}
