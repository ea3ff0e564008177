// Whether the driver has read a command: a library may refuse or change some values.
#include "harness/drive/exec.h"

enum { SHOWN_BYTES = 120 };

bool jck_client_may_be_unread(const jck_client_exec *exec)
{
    bool heard = false;
    for (size_t i = 0; i < exec->asked.count; i++) {
        const jck_asked *asked = &exec->asked.items[i];
        heard = heard || (asked->step == exec->doubtful_step && asked->heard);
    }
    return exec->doubtful && !heard;
}

void jck_client_give_up_command(jck_client_exec *exec, const char *what, jrpc_slice words)
{
    const char *text = jrpc_arena_printf(
        exec->evidence->arena, "the driver cannot read a command of this case: %s%s", what,
        words.len == 0 ? "" : jck_excerpt(exec->evidence->arena, words, SHOWN_BYTES));
    exec->evidence->unread = text == NULL ? "the driver cannot read a command of this case" : text;
    exec->over = true;
    exec->spoilt = true;
}

void jck_client_note_echo(jck_client_exec *exec, const jck_given_command *command, jrpc_json line)
{
    const jck_driver_command *of = &exec->test_case->steps[exec->doubtful_step].command;
    if (command != NULL && command == exec->probe &&
        jck_asked_is_echo(of, jrpc_json_get(line, "result"))) {
        exec->doubtful = false;
    }
}
