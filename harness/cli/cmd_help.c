#include "harness/cli/commands.h"
#include "harness/cli/complete.h"
#include "harness/cli/man.h"
#include "harness/cli/words.h"

jck_exit jck_cmd_help(jck_options *options)
{
    static char *const nothing[] = {NULL};
    const char *named = options->operands.count > 0 ? options->operands.items[0] : NULL;
    const jck_command *about = named == NULL ? NULL : jck_command_named(named);
    bool made = options->man || options->complete;
    if (options->operands.count > (made ? 0 : 1) ||
        (options->behind != NULL && !options->complete)) {
        (void)jck_complain_of("jrpcheck help takes the name of one command, and none with --man or "
                              "--complete");
        return JCK_EXIT_USAGE;
    }
    if (options->complete) {
        jck_complete(options, options->behind == NULL ? nothing : options->behind, stdout);
    } else if (options->man) {
        jck_print_man(stdout);
    } else if (named != NULL && about == NULL) {
        char hint[160];
        bool near = jck_command_hint(named, hint, sizeof hint)[0] != '\0';
        (void)jck_complain_of("there is no command '%.80s'%s", named,
                              near ? hint : "; jrpcheck --help lists all commands");
        return JCK_EXIT_USAGE;
    } else {
        jck_print_help(stdout, about);
    }
    return JCK_EXIT_CONFORMANT;
}
