// jrpcheck: reads its command line and calls the subcommand.
#include "harness/cli/commands.h"
#include "harness/cli/data.h"
#include "harness/cli/words.h"
#include "reference/base/os_linux.h"
#include "reference/net/http.h"
#include "reference/net/process.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

static jck_exit run_command(jck_options *options)
{
    switch (options->command->bit) {
    case JCK_COMMAND_RUN:
        return jck_cmd_run(options);
    case JCK_COMMAND_CLIENT:
        return jck_cmd_client(options);
    case JCK_COMMAND_LIST:
        return jck_cmd_list(options);
    case JCK_COMMAND_EXPLAIN:
        return jck_cmd_explain(options);
    case JCK_COMMAND_REPRO:
        return jck_cmd_repro(options);
    case JCK_COMMAND_SHRINK:
        return jck_cmd_shrink(options);
    case JCK_COMMAND_REPORT:
        return jck_cmd_report(options);
    case JCK_COMMAND_COMPARE:
        return jck_cmd_compare(options);
    case JCK_COMMAND_FUZZ:
        return jck_cmd_fuzz(options);
    case JCK_COMMAND_PARSER:
        return jck_cmd_parser(options);
    case JCK_COMMAND_LINT:
        return jck_cmd_lint(options);
    case JCK_COMMAND_BRIDGE:
        return jck_cmd_bridge(options);
    case JCK_COMMAND_HELP:
        return jck_cmd_help(options);
    }
    return JCK_EXIT_FAULT;
}

static jck_exit dispatch(jck_options *options)
{
    if (options->version) {
        (void)puts("jrpcheck " JRPCHECK_VERSION);
        return JCK_EXIT_CONFORMANT;
    }
    if (options->help) {
        // Without a subcommand's name, help is for the whole program.
        bool whole = options->command == jck_command_table();
        jck_print_help(stdout, whole ? NULL : options->command);
        return JCK_EXIT_CONFORMANT;
    }
    jrpc_error error = {0};
    if (options->command->bit != JCK_COMMAND_HELP && !jck_data_check(&error)) {
        (void)jck_complain(&error);
        return JCK_EXIT_USAGE;
    }
    return run_command(options);
}

int main(int argc, char **argv)
{
    // Otherwise a report file could get the descriptor of standard output, and console text would
    // end up in it.
    if (!jrpc_os_open_standard()) {
        return (int)JCK_EXIT_FAULT;
    }
#if JRPC_HTTP
    if (!jrpc_http_start()) {
        (void)jck_complain_of("the HTTP library could not be started");
        return (int)JCK_EXIT_FAULT;
    }
#endif
    jrpc_process_own_descendants();
    // A child or a socket that is gone is reported by EPIPE, a file that is too long by EFBIG.
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigemptyset(&ignore.sa_mask);
    (void)sigaction(SIGPIPE, &ignore, NULL);
    (void)sigaction(SIGXFSZ, &ignore, NULL);
    jck_options options;
    jrpc_error error = {0};
    jck_exit status = JCK_EXIT_USAGE;
    if (jck_options_read(&options, argc, argv, &error)) {
        status = dispatch(&options);
    } else {
        (void)jck_complain(&error);
    }
    jck_options_done(&options);
#if JRPC_HTTP
    jrpc_http_stop();
#endif
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout) != 0) {
        // A reader that closes our output early, as head does, has seen enough.
        bool gone = errno == EPIPE;
        if (!gone && status != JCK_EXIT_OUTPUT) {
            (void)jck_complain_of("standard output could not be written");
        }
        bool result = status == JCK_EXIT_CONFORMANT || (status == JCK_EXIT_BROKEN && !gone);
        status = result ? JCK_EXIT_OUTPUT : status;
    }
    return (int)status;
}
