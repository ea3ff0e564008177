#include "harness/judge/client.h"

#include "harness/judge/client_view.h"
#include "reference/json/equal.h"
#include "reference/rpc/message.h"

enum { SHOWN_BYTES = 160, BARE_PING = 2 }; // a ping has "do" and "tag"

// Records a command that the driver got, if it is one of the case's steps.
static void note_command(jck_client_view *view, const jck_message *message, jrpc_json line)
{
    const jck_step *step = &view->trial->test_case->steps[message->step];
    int64_t tag = 0;
    bool own = step->kind == JCK_STEP_DO &&
               jrpc_json_string_is(jrpc_json_get(line, "do"),
                                   jrpc_slice_str(jck_driver_action_name(step->command.action))) &&
               jrpc_json_int64(jrpc_json_get(line, "tag"), &tag);
    for (size_t i = 0; i < view->command_count; i++) {
        own = own && view->commands[i].index != message->step; // a final ping is ours
    }
    if (own && view->command_count < JCK_ASKED_MAX) {
        view->commands[view->command_count++] = (jck_commanded){
            .step = step, .index = message->step, .tag = tag, .asked_us = message->at_us};
        jck_asked_add(&view->asked, step, message->step);
    }
}

// A ping with the members of a command: what the driver does not give back as it was may be
// unknown to the client, too.
static void note_probe(jck_client_view *view, const jck_message *message, jrpc_json line)
{
    if (view->trial->test_case->steps[message->step].kind == JCK_STEP_DO &&
        jrpc_json_string_is(jrpc_json_get(line, "do"), JRPC_SLICE("ping")) &&
        jrpc_json_count(line) > BARE_PING) {
        view->doubtful = true;
        (void)jrpc_json_int64(jrpc_json_get(line, "tag"), &view->probe);
    }
}

static void note_report(jck_client_view *view, const jck_message *message, jrpc_json line)
{
    int64_t tag = 0;
    bool tagged = jrpc_json_int64(jrpc_json_get(line, "tag"), &tag);
    const jck_driver_command *of = &view->trial->test_case->steps[message->step].command;
    view->doubtful = view->doubtful && !(tagged && tag == view->probe &&
                                         jck_asked_is_echo(of, jrpc_json_get(line, "result")));
    for (size_t i = 0; tagged && i < view->command_count; i++) {
        if (view->commands[i].tag == tag) {
            view->commands[i].outcome = line;
            view->commands[i].ended_us = message->at_us;
        }
    }
}

// Marks the calls that an answer of ours answers: their ids are free again.
static void note_answer(jck_client_view *view, jrpc_json answer)
{
    for (size_t i = 0; i < view->asked.count; i++) {
        jck_asked *asked = &view->asked.items[i];
        if (asked->heard && jck_is_answered_by(answer, jrpc_json_get(asked->came, "id"))) {
            asked->id = JRPC_SLICE("answered");
        }
    }
}

// A mistake of the driver says nothing about the client, unless the case is about what a client may
// make its driver report twice.
static void note_mistake(jck_trial *trial, int step, const char *why, const char *shown)
{
    if (jck_trial_names(trial, JCK_ROLE_DRIVER)) {
        jck_add_finding_of_at(trial->findings, step, trial->test_case->rules[0], JCK_LEVEL_SHOULD,
                              "%s: %s", why, shown);
        return;
    }
    const char *text =
        jrpc_arena_printf(trial->arena, "the driver broke its protocol: %s: %s", why, shown);
    if (trial->driver_mistake == NULL) {
        trial->driver_mistake = text == NULL ? "the driver broke its protocol" : text;
    }
    jck_observe_role(trial->findings, JCK_ROLE_DRIVER, jrpc_slice_str(why));
}

// The role of the rule that a client's mistake about its transport breaks.
static jck_role role_of_flaw(jrpc_flaw flaw)
{
    switch (flaw) {
    case JRPC_FLAW_HOST:
        return JCK_ROLE_REQUEST_HOST;
    case JRPC_FLAW_FIELDS:
        return JCK_ROLE_REQUEST_FIELDS;
    case JRPC_FLAW_HANDSHAKE:
        return JCK_ROLE_CLIENT_HANDSHAKE;
    case JRPC_FLAW_CLOSE:
    case JRPC_FLAW_END:
        return JCK_ROLE_CLIENT_CLOSE;
    case JRPC_FLAW_PONG:
        return JCK_ROLE_CLIENT_PONG;
    case JRPC_FLAW_GOES_ON:
        return JCK_ROLE_CLIENT_FAILS;
    case JRPC_FLAW_UNASKED:
        return JCK_ROLE_CLIENT_UNASKED;
    case JRPC_FLAW_FRAME:
    case JRPC_FLAW_BREAK:
        return JCK_ROLE_CLIENT_FRAMES;
    case JRPC_FLAW_LENGTH: // of answers
    case JRPC_FLAW_SHORT:
        break;
    }
    return JCK_ROLE_REQUEST_FRAMING;
}

static void look_at(jck_client_view *view, const jck_message *message)
{
    jck_trial *trial = view->trial;
    if (message->flaw != NULL) {
        jck_add_finding(trial->findings, message->step, role_of_flaw(message->flaw_of), "%s",
                        message->flaw);
    }
    if (message->role == JCK_MESSAGE_NOISE && message->flaw == NULL) {
        const char *shown = jck_excerpt(trial->arena, message->bytes, SHOWN_BYTES);
        if (message->connection == '-') {
            note_mistake(trial, message->step, message->why, shown);
        } else {
            jck_add_finding(trial->findings, message->step, JCK_ROLE_REQUEST_FRAMING, "%s: %s",
                            message->why, shown);
        }
        return;
    }
    if (message->role == JCK_MESSAGE_OF_FENCE || message->role == JCK_MESSAGE_NOISE) {
        return;
    }
    jrpc_json value = jck_trial_read(trial, message->bytes, NULL);
    bool sent = message->direction == JCK_SENT;
    if (message->role == JCK_MESSAGE_OF_DRIVER) {
        if (sent) {
            note_command(view, message, value);
            note_probe(view, message, value);
        } else {
            note_report(view, message, value);
        }
    } else if (sent) {
        note_answer(view, value);
    } else {
        jck_judge_written(view, message, value);
    }
}

static const jck_commanded *find_command(const jck_client_view *view, jrpc_slice name)
{
    for (size_t i = 0; i < view->command_count; i++) {
        if (jrpc_slice_equal(view->commands[i].step->command.name, name)) {
            return &view->commands[i];
        }
    }
    return NULL;
}

// The command that a Request belongs to.
static const jck_commanded *command_of(const jck_client_view *view, const jck_asked *asked)
{
    return find_command(view, view->trial->test_case->steps[asked->step].command.name);
}

// The step that checks the outcome of a command; NULL: none does.
static const jck_step *looked_at_by(const jck_client_view *view, const jck_commanded *command)
{
    const jck_case *test_case = view->trial->test_case;
    for (size_t i = 0; i < test_case->step_count && command != NULL; i++) {
        const jck_step *step = &test_case->steps[i];
        if (step->kind == JCK_STEP_OUTCOME && step->name_count > 0 &&
            jrpc_slice_equal(step->names[0], command->step->command.name)) {
            return step;
        }
    }
    return NULL;
}

// Whether the Request that was not commanded may be this one under another name. With other params
// it is one of the library's own, such as a handshake.
static bool is_instead(const jck_client_view *view, const jck_asked *asked,
                       const jck_commanded *command)
{
    return view->odd_method != NULL && command != NULL && view->odd_at_us >= command->asked_us &&
           (jrpc_json_count(asked->request->params) == 0 ||
            jrpc_json_count(jrpc_json_get(view->odd, "params")) == 0);
}

// Reports a Request that a step waited for and that did not arrive.
static void judge_unheard(jck_client_view *view, const jck_asked *asked, int index)
{
    jck_trial *trial = view->trial;
    const jck_commanded *command = command_of(view, asked);
    jrpc_json failed =
        command == NULL ? JRPC_JSON_ABSENT : jrpc_json_get(command->outcome, "failed");
    bool ended = command != NULL && jrpc_json_exists(command->outcome);
    if (is_instead(view, asked, command)) {
        jck_add_finding(trial->findings, index, JCK_ROLE_REQUEST_AS_ASKED,
                        "asked for the method %s; got a Request for %s",
                        jck_shown(trial, asked->request->method), view->odd_method);
    } else if (!ended ||
               (jck_is_failure(command->outcome) && looked_at_by(view, command) != NULL)) {
        return; // that it never ended, or failed, is reported where that is checked
    } else {
        jck_add_finding(trial->findings, index, JCK_ROLE_UNASKED_MESSAGES,
                        "the Request for %s never came%s%s",
                        jck_shown(trial, asked->request->method),
                        jrpc_json_exists(failed) ? "; the driver reports: failed " : "",
                        jrpc_json_exists(failed) ? jck_shown(trial, failed) : "");
    }
}

static void judge_hear(jck_client_view *view, const jck_step *step, int index)
{
    // What was written instead has already been reported.
    for (size_t i = 0; i < view->trial->findings->count; i++) {
        jrpc_slice rule = view->trial->findings->items[i].rule;
        if (jck_trial_has_role(view->trial, rule, JCK_ROLE_REQUEST_JSON) ||
            jck_trial_has_role(view->trial, rule, JCK_ROLE_REQUEST_FRAMING)) {
            return;
        }
    }
    for (size_t i = 0; i < step->name_count; i++) {
        const jck_asked *asked = jck_asked_named(&view->asked, step->names[i]);
        if (asked != NULL && !asked->heard) {
            judge_unheard(view, asked, index);
        }
    }
}

// Whether the driver itself is gone, mute, or at fault: then missing messages show nothing more.
static bool is_broken_off(const jck_trial *trial)
{
    const jck_evidence *evidence = trial->evidence;
    bool fault = evidence->process_gone || evidence->muteness != JCK_NOT_MUTE ||
                 evidence->flood_messages > 0;
    for (size_t i = 0; i < evidence->count && !fault; i++) {
        fault = evidence->messages[i].role == JCK_MESSAGE_NOISE &&
                evidence->messages[i].connection == '-';
    }
    return fault;
}

// The rule about the end of a command that gets no answer, if the case names one and expects this
// command to fail, or it has only notifications; else the rule that every call ends.
static jrpc_slice rule_of_end(const jck_client_view *view, const jck_commanded *command)
{
    const jck_step *step = looked_at_by(view, command);
    const jck_expect *expect = step == NULL ? NULL : &step->expect;
    if (expect != NULL && expect->kind == JCK_EXPECT_ANY_OF && expect->alternative_count > 0) {
        expect = expect->alternatives;
    }
    bool fails = expect != NULL && jrpc_json_exists(jrpc_json_get(expect->pattern, "failed"));
    const jck_case *test_case = view->trial->test_case;
    for (size_t i = 0;
         (fails || jck_is_of_notifications(command->step)) && i < test_case->rule_count; i++) {
        if (jck_trial_has_topic(view->trial, test_case->rules[i], JCK_TOPIC_END)) {
            return test_case->rules[i];
        }
    }
    return jck_findings_rule(view->trial->findings, JCK_ROLE_CALL_ENDS);
}

// Whether a call ended only after we had stopped sending other messages.
static bool is_held_off(const jck_client_view *view, const jck_step *step, int index)
{
    return jrpc_json_exists(step->payload.json) &&
           view->trial->evidence->settled[index] == JCK_MUTE;
}

static void judge_end_of(jck_client_view *view, const jck_step *step, int index)
{
    const jck_commanded *of = find_command(view, step->names[0]);
    if (of == NULL || !jrpc_json_exists(of->outcome)) {
        return; // it never ended, which is checked for all calls
    }
    if (is_held_off(view, step, index)) {
        jck_add_finding_of(view->trial->findings, index, rule_of_end(view, of),
                           "the %s \"%.*s\" did not end as long as other messages came, which was "
                           "four times its time-out",
                           jck_driver_action_name(of->step->command.action),
                           (int)of->step->command.name.len, of->step->command.name.ptr);
        return;
    }
    jck_judge_outcome(view, step, index, of);
}

static void judge_steps(jck_client_view *view)
{
    const jck_case *test_case = view->trial->test_case;
    for (size_t i = 0; i < test_case->step_count; i++) {
        const jck_step *step = &test_case->steps[i];
        if (view->trial->evidence->settled[i] == JCK_NOT_RUN) {
            return;
        }
        jck_variables_set_step(view->trial->variables, (int)i);
        if (step->kind == JCK_STEP_HEAR && !step->maybe) {
            judge_hear(view, step, (int)i);
        } else if (step->kind == JCK_STEP_OUTCOME && step->event) {
            jck_judge_event(view, step, (int)i);
        } else if (step->kind == JCK_STEP_OUTCOME && step->name_count > 0) {
            judge_end_of(view, step, (int)i);
        }
        if (view->trial->enough) {
            return;
        }
    }
}

// Every call ends: with the server's answer, or with a failure.
static void judge_lost(jck_client_view *view)
{
    for (size_t i = 0; i < view->command_count; i++) {
        const jck_commanded *command = &view->commands[i];
        if (!jrpc_json_exists(command->outcome)) {
            jck_add_finding_of(view->trial->findings, command->index, rule_of_end(view, command),
                               "the %s \"%.*s\" never ended: neither an outcome nor a failure was "
                               "reported within twice its time-out",
                               jck_driver_action_name(command->step->command.action),
                               (int)command->step->command.name.len,
                               command->step->command.name.ptr);
        }
    }
}

// Whether a message answers a call correctly: with one Response; for a batch, with an Array that
// has one.
static bool is_right_answer(jrpc_json root, jrpc_json id, bool batch)
{
    if (!batch) {
        return jrpc_message_classify(root).kind == JRPC_MESSAGE_RESPONSE;
    }
    if (!jrpc_json_is(root, JRPC_JSON_ARRAY)) {
        return false;
    }
    size_t own = 0;
    size_t right = 0;
    for (jrpc_json_iterator it = jrpc_json_iterate(root); jrpc_json_step(&it);) {
        if (jrpc_json_equal(jrpc_json_get(it.value, "id"), id)) {
            own++;
            right += jrpc_message_classify(it.value).kind == JRPC_MESSAGE_RESPONSE;
        }
    }
    return own == 1 && right == 1;
}

// Whether a call got a correct answer in time, and nothing else with its id.
static bool is_answered_rightly(const jck_client_view *view, const jck_asked *asked,
                                int64_t until_us)
{
    const jck_evidence *evidence = view->trial->evidence;
    jrpc_json id = asked->heard ? jrpc_json_get(asked->came, "id") : JRPC_JSON_ABSENT;
    size_t right = 0;
    size_t wrong = 0;
    for (size_t i = 0; i < evidence->count && jrpc_json_exists(id); i++) {
        const jck_message *sent = &evidence->messages[i];
        if (sent->direction == JCK_SENT && sent->role == JCK_MESSAGE_OF_CASE) {
            jrpc_json root = jck_trial_read(view->trial, sent->bytes, NULL);
            bool own = jck_is_answered_by(root, id);
            bool response = own && is_right_answer(root, id, asked->in_batch);
            right += own && response && sent->at_us <= until_us;
            wrong += own && !response;
        }
    }
    return right > 0 && wrong == 0;
}

// Whether every call of a command had got a correct answer by then.
static bool is_command_answered(const jck_client_view *view, const jck_commanded *command,
                                int64_t until_us)
{
    size_t calls = 0;
    size_t answered = 0;
    for (size_t k = 0; k < view->asked.count; k++) {
        const jck_asked *asked = &view->asked.items[k];
        if (asked->step == command->index && !asked->request->notify) {
            calls++;
            answered += is_answered_rightly(view, asked, until_us);
        }
    }
    return calls > 0 && answered == calls;
}

// Whether a command is a call or a batch that ended without an answer for its caller.
static bool is_failed_call(const jck_commanded *command)
{
    jck_driver_action action = command->step->command.action;
    return (action == JCK_ACTION_CALL || action == JCK_ACTION_BATCH) &&
           jrpc_json_exists(jrpc_json_get(command->outcome, "failed"));
}

// The least time that a call takes to time out; 0: calls do not time out. There is a margin for
// clients that measure slightly less.
static int64_t nearly_timed_out_us(const jck_client_view *view)
{
    return view->trial->evidence->call_us / 10 * 9;
}

// Reports a call or a batch that times out although it was answered: nothing is read any more.
static void judge_deaf(jck_client_view *view)
{
    int64_t nearly_us = nearly_timed_out_us(view);
    if (view->trial->evidence->caller_left) {
        return; // the client closed the connection: it may not have got the answer
    }
    for (size_t i = 0; i < view->command_count && nearly_us > 0; i++) {
        const jck_commanded *command = &view->commands[i];
        if (is_failed_call(command) && command->ended_us - command->asked_us >= nearly_us &&
            is_command_answered(view, command, command->asked_us + nearly_us / 2)) {
            jck_add_finding(
                view->trial->findings, command->index, JCK_ROLE_CLIENT_SURVIVES,
                "the %s \"%.*s\" was answered but still timed out: the client no longer reads",
                jck_driver_action_name(command->step->command.action),
                (int)command->step->command.name.len, command->step->command.name.ptr);
        }
    }
}

// Whether a call received at `came_us` had waited until an earlier one failed because it got no
// answer. The driver may report that failure slightly after the next Request: then it counts if the
// timeout was nearly over.
static bool is_held_up(const jck_client_view *view, const jck_commanded *own, int64_t came_us)
{
    int64_t nearly_us = nearly_timed_out_us(view);
    for (size_t i = 0; i < view->command_count; i++) {
        const jck_commanded *before = &view->commands[i];
        int64_t nearly_up_us = before->asked_us + nearly_us;
        bool timed_out = nearly_us > 0 && own->asked_us < nearly_up_us && came_us >= nearly_up_us;
        if (before != own && is_failed_call(before) && before->asked_us <= own->asked_us &&
            own->asked_us < before->ended_us && (before->ended_us <= came_us || timed_out) &&
            !is_command_answered(view, before, before->ended_us)) {
            return true;
        }
    }
    return false;
}

// Whether the client has one call in flight at a time: a case that needs several shows nothing
// about such a client.
static bool sends_one_at_a_time(const jck_client_view *view)
{
    const jck_message *messages = view->trial->evidence->messages;
    for (size_t i = 0; i < view->asked.count; i++) {
        const jck_asked *asked = &view->asked.items[i];
        const jck_commanded *own = asked->heard ? command_of(view, asked) : NULL;
        if (own != NULL && is_held_up(view, own, messages[asked->message].at_us)) {
            return true;
        }
    }
    return false;
}

void jck_judge_client(jck_trial *trial)
{
    jck_client_view *view = jrpc_arena_alloc(trial->arena, sizeof *view);
    if (view == NULL) {
        trial->findings->failed = true;
        return;
    }
    view->trial = trial;
    if (trial->test_case->undriven) {
        jck_judge_undriven(view);
        return;
    }
    for (size_t i = 0; i < trial->evidence->count; i++) {
        look_at(view, &trial->evidence->messages[i]);
    }
    if (is_broken_off(trial)) {
        return;
    }
    if (sends_one_at_a_time(view)) {
        jck_observe(trial->findings, JRPC_SLICE(JCK_OBSERVED_CALLS),
                    JRPC_SLICE(JCK_OBSERVED_ONE_AT_A_TIME));
        judge_lost(view);
        return;
    }
    judge_steps(view);
    judge_lost(view);
    judge_deaf(view);
}
