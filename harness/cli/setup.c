#include "harness/cli/setup.h"

#include "harness/cli/data.h"
#include "harness/cli/described.h"
#include "harness/cli/repro_words.h"
#include "harness/cli/words.h"
#include "harness/parser/against.h"
#include "harness/parser/contrast.h"
#include "harness/parser/fuzz.h"
#include "harness/parser/run.h"
#include "reference/json/read.h"

#include <string.h>

enum { ANSWER_DEPTH = 1000 };

// Whether each --answer is a method, an equals sign, and JSON.
static bool are_answers(const jck_options *options)
{
    bool right = true;
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    for (size_t i = 0; i < options->answers.count && right; i++) {
        const char *text = strchr(options->answers.items[i], '=');
        right = (text != NULL && text != options->answers.items[i] &&
                 jrpc_json_read(&document, jrpc_slice_str(text + 1), ANSWER_DEPTH, NULL)) ||
                jck_complain_of("--answer %s is not METHOD=JSON, such as --answer 'add=3'",
                                options->answers.items[i]);
    }
    jrpc_json_document_done(&document);
    return right;
}

// A client connects to us, so we choose the transport (--transport).
static bool take_driver(const jck_options *options, jck_target *target)
{
    if (options->answers.count > 0 && !options->undriven) {
        return jck_complain_of("--answer is for a client that runs by itself (--undriven); a case "
                               "says what the calls of a driver get");
    }
    if (!are_answers(options)) {
        return false;
    }
    if (target->command == NULL) {
        return jck_complain_of("a client is tested through a driver that jrpcheck starts: write "
                               "jrpcheck client -- ./my-driver (docs/testing-a-client.md)");
    }
    target->transport = options->transport_given ? options->transport : JRPC_TRANSPORT_TCP;
    const jrpc_traits *traits = jck_target_traits(target);
    if (traits->is_web && !JRPC_HTTP) {
        return jck_complain_of("this build has no HTTP and no WebSocket; use --transport tcp, unix "
                               "or stdio");
    }
    if (options->framing_given && !traits->byte_stream) {
        return jck_complain_of("--framing is for streams (tcp, unix, stdio); HTTP and WebSocket "
                               "separate messages themselves");
    }
    return true;
}

static bool check_adapter(jck_target *target)
{
    if (!jck_target_traits(target)->is_child) {
        return jck_complain_of("a parser is tested through an adapter that jrpcheck starts: write "
                               "jrpcheck parser -- ./my-adapter (docs/testing-a-parser.md)");
    }
    target->framing = JRPC_FRAMING_LENGTH32;
    target->framing_given = true;
    return true;
}

// The parsers that the target is compared with: each --against, and each operand but the target.
static bool take_others(jck_assignment *assignment)
{
    jck_options *options = assignment->options;
    const jck_words *named = &options->against;
    size_t operand = options->behind == NULL && options->operands.count > 0 ? 1 : 0;
    size_t count = named->count + options->operands.count - operand;
    if (count >= JCK_SIDES_MAX) {
        return jck_complain_of("%zu parsers are too many to compare with; at most %d can be named",
                               count, JCK_SIDES_MAX - 1);
    }
    assignment->against = jrpc_arena_array(&options->arena, count, sizeof(jck_target));
    if (assignment->against == NULL) {
        return jck_complain_of("out of memory for the targets");
    }
    bool taken = true;
    for (size_t i = 0; i < count && taken; i++) {
        const char *word = i < named->count ? named->items[i]
                                            : options->operands.items[operand + i - named->count];
        assignment->against_count++;
        taken = jck_execute_other(options, word, &assignment->against[i]) &&
                check_adapter(&assignment->against[i]);
    }
    return taken;
}

static bool take_adapter(jck_setup *setup)
{
    jck_assignment *assignment = &setup->assignment;
    jck_options *options = assignment->options;
    assignment->run = options->fuzz_parser ? jck_parser_fuzz : jck_parser_run;
    if (options->against.count > 0) {
        assignment->run = jck_parser_compare;
    }
    return check_adapter(assignment->target) &&
           (options->against.count == 0 || take_others(assignment));
}

static bool take_side(jck_setup *setup)
{
    const jck_assignment *assignment = &setup->assignment;
    switch (assignment->side) {
    case JCK_SIDE_SERVER:
        break;
    case JCK_SIDE_CLIENT:
        return take_driver(assignment->options, assignment->target);
    case JCK_SIDE_PARSER:
        return take_adapter(setup);
    }
    return true;
}

bool jck_setup_target(jck_setup *setup, jck_options *options, jck_side side, size_t at)
{
    setup->assignment = (jck_assignment){
        .options = options,
        .target = &setup->target,
        .side = side,
        .self = jck_data_program(options, "jrpcheck"),
        .verbose = options->verbose,
    };
    if (!jck_execute_target(options, at, &setup->target) || !take_side(setup)) {
        return false;
    }
    // Generated or compared texts are in no file, so they cannot be repeated by name.
    bool unnamed = options->fuzz_parser || options->against.count > 0;
    setup->assignment.repro = unnamed ? NULL : jck_repro_words(options, at);
    return true;
}

bool jck_setup_suite(jck_setup *setup)
{
    jck_options *options = setup->assignment.options;
    if (setup->suite == NULL) {
        setup->suite = jck_data_load_suite(options);
    }
    if (setup->suite != NULL) {
        setup->profile = jck_data_profile(options, setup->suite, &setup->target);
    }
    setup->assignment.suite = setup->suite;
    return setup->profile != NULL && jck_described_take(options, setup->suite, &setup->target);
}

bool jck_setup_open(jck_setup *setup, jck_options *options, jck_side side, size_t at)
{
    return jck_setup_target(setup, options, side, at) && jck_setup_suite(setup);
}

void jck_setup_done(jck_setup *setup)
{
    jck_suite_free(setup->suite);
    jck_target_done(&setup->target);
    for (size_t i = 0; i < setup->assignment.against_count; i++) {
        jck_target_done(&setup->assignment.against[i]);
    }
}
