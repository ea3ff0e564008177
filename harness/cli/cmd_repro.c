#include "harness/cli/commands.h"
#include "harness/cli/company.h"
#include "harness/cli/data.h"
#include "harness/cli/save_case.h"
#include "harness/cli/setup.h"
#include "harness/cli/show.h"
#include "harness/cli/words.h"

// A longer shell line would be useless.
#define SHELL_BYTES ((size_t)16 << 10)

// The bytes that steps send on connection 'a', framed, one after the other.
static bool frame_steps(jck_sample *sample, const jck_step *steps, size_t count, jrpc_buffer *out,
                        jrpc_error *error)
{
    jrpc_buffer payload;
    jrpc_buffer_init(&payload, jrpc_allocator_heap(), SHELL_BYTES);
    bool done = jck_sample_turn(sample, steps, count, error);
    for (size_t i = 0; i < count && done; i++) {
        if (steps[i].kind != JCK_STEP_SEND || steps[i].connection != 'a') {
            continue;
        }
        jrpc_buffer_clear(&payload);
        done = jck_sample_bytes(sample, &steps[i], i, &payload, error);
        jrpc_slice bytes = jrpc_buffer_slice(&payload);
        done = done &&
               (steps[i].payload.raw ? jrpc_buffer_append(out, bytes)
                                     : jrpc_framing_encode(sample->target->framing, bytes, out));
    }
    jrpc_buffer_done(&payload);
    return done;
}

static void append_words(jrpc_buffer *out, char *const *words)
{
    for (; *words != NULL; words++) {
        (void)jrpc_buffer_append_char(out, ' ');
        (void)jck_quote_word(out, *words);
    }
}

// What curl needs to connect as we do.
static void append_connection(jrpc_buffer *out, const jck_options *options)
{
    const struct {
        const char *option, *value;
    } words[] = {
        {" --cacert ", options->ca_file},
        {" --cert ", options->cert_file},
        {" --key ", options->key_file},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (words[i].value != NULL) {
            (void)jrpc_buffer_append_str(out, words[i].option);
            (void)jck_quote_word(out, words[i].value);
        }
    }
    if (options->proxy == NULL) {
        // curl would take a proxy from the environment, which we do not.
        (void)jrpc_buffer_append_str(out, " --noproxy '*'");
    } else if (strcmp(options->proxy, "env") != 0) {
        (void)jrpc_buffer_append_str(out, " --proxy ");
        (void)jck_quote_masked(out, options->proxy, false);
    }
}

// The rest of a curl line that every request has. Headers from the description may be credentials,
// so they never appear in it.
static void append_manner(jrpc_buffer *out, const jck_options *options, const jrpc_manner *manner)
{
    append_connection(out, options);
    for (size_t i = 0; manner->headers != NULL && manner->headers[i] != NULL; i++) {
        (void)jrpc_buffer_append_str(out, " -H ");
        (void)jck_quote_word(out, manner->headers[i]);
    }
    for (size_t i = 0; i < options->headers.count; i++) {
        (void)jrpc_buffer_append_str(out, " -H ");
        (void)jck_quote_masked(out, options->headers.items[i], true);
    }
    (void)jrpc_buffer_append_str(out, options->insecure ? " -k" : "");
}

// A curl line that calls in the query of a GET.
static bool append_get(jck_sample *sample, const jck_options *options, const jrpc_manner *manner,
                       jrpc_slice message, jrpc_buffer *out, jrpc_error *error)
{
    if (sample->target->streams_url == NULL) {
        return jrpc_error_set(error, JRPC_ERROR_INVALID,
                              "a target file says where calls in a query go (member streams)");
    }
    const char *url = jck_target_query(sample->target, message, &sample->arena);
    if (url == NULL) {
        return jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory");
    }
    (void)jrpc_buffer_append_str(out, "curl -sS -i -N");
    append_manner(out, options, manner);
    (void)jrpc_buffer_append_char(out, ' ');
    return jck_quote_masked(out, url, false);
}

// The bytes of a body, and a curl line that posts it.
static bool append_post(jck_sample *sample, const jck_options *options, const jrpc_manner *manner,
                        jrpc_slice message, jrpc_buffer *out)
{
    (void)jrpc_buffer_append_str(out, "printf ");
    (void)jck_quote_printf(out, message);
    (void)jrpc_buffer_append_str(out, " | curl -sS -i -X ");
    (void)jck_quote_word(out, manner->http_method != NULL ? manner->http_method : "POST");
    (void)jrpc_buffer_append_str(out, " -H 'Content-Type: ");
    (void)jrpc_buffer_append_str(out, manner->content_type != NULL ? manner->content_type
                                                                   : "application/json");
    (void)jrpc_buffer_append_str(out, "' -H 'Accept: application/json'");
    append_manner(out, options, manner);
    (void)jrpc_buffer_append_str(out, " --data-binary @- ");
    return jck_quote_masked(out, sample->target->url, false);
}

// The line for the request that one SEND makes.
static bool append_request(jck_sample *sample, const jck_options *options, const jck_step *step,
                           size_t index, jrpc_buffer *out, jrpc_error *error)
{
    jrpc_buffer body;
    jrpc_buffer_init(&body, jrpc_allocator_heap(), SHELL_BYTES);
    bool made = jck_sample_bytes(sample, step, index, &body, error);
    jrpc_slice message = jrpc_buffer_slice(&body);
    if (made) {
        (void)jrpc_buffer_append_str(out, out->len > 0 ? "\n  " : "");
        made = step->in_query ? append_get(sample, options, &step->manner, message, out, error)
                              : append_post(sample, options, &step->manner, message, out);
    }
    jrpc_buffer_done(&body);
    return made;
}

// A line for each message that steps send on connection 'a'.
static bool post_steps(jck_sample *sample, const jck_options *options, const jck_step *steps,
                       size_t count, jrpc_buffer *out, jrpc_error *error)
{
    bool done = jck_sample_turn(sample, steps, count, error);
    for (size_t i = 0; i < count && done; i++) {
        if (steps[i].kind == JCK_STEP_SEND && steps[i].connection == 'a') {
            done = append_request(sample, options, &steps[i], i, out, error);
        }
    }
    return done;
}

// What follows the pipe: the command with its folder and environment, or a connection.
static void append_receiver(jrpc_buffer *out, const jck_target *target)
{
    (void)jrpc_buffer_append_str(out, " |");
    switch (jck_target_traits(target)->address) {
    case JRPC_ADDRESS_PORT:
        (void)jrpc_buffer_append_str(out, " nc ");
        (void)jck_quote_word(out, target->host);
        (void)jrpc_buffer_append_char(out, ' ');
        (void)jck_quote_word(out, target->port);
        return;
    case JRPC_ADDRESS_PATH:
        (void)jrpc_buffer_append_str(out, " nc -U ");
        (void)jck_quote_word(out, target->path);
        return;
    case JRPC_ADDRESS_URL:
        return; // each of those is posted on its own
    case JRPC_ADDRESS_COMMAND:
        break;
    }
    if (target->directory != NULL) {
        (void)jrpc_buffer_append_str(out, " (cd ");
        (void)jck_quote_word(out, target->directory);
        (void)jrpc_buffer_append_str(out, " &&");
    }
    if (target->environment != NULL && target->environment[0] != NULL) {
        (void)jrpc_buffer_append_str(out, " env");
        for (size_t i = 0; target->environment[i] != NULL; i++) {
            (void)jrpc_buffer_append_char(out, ' ');
            (void)jck_quote_masked(out, target->environment[i], false);
        }
    }
    append_words(out, target->command);
    (void)jrpc_buffer_append_str(out, target->directory != NULL ? ")" : "");
}

// printf '…' | COMMAND, or a line for each POST. No tool that is installed everywhere speaks
// WebSocket.
static void show_shell_line(jck_sample *sample, const jck_options *options,
                            const jck_case *test_case)
{
    jrpc_error error = {0};
    jrpc_buffer bytes;
    jrpc_buffer line;
    const jck_target *target = sample->target;
    if (jck_target_traits(target)->upgrades) {
        (void)puts("\n  (no shell command for WebSocket; --transcript FILE saves the messages)\n");
        return;
    }
    jrpc_buffer_init(&bytes, jrpc_allocator_heap(), SHELL_BYTES);
    jrpc_buffer_init(&line, jrpc_allocator_heap(), 8 * SHELL_BYTES);
    bool posts = jck_target_traits(target)->exchanges;
    const jck_step *steps = test_case->steps;
    size_t count = test_case->step_count;
    bool made =
        posts
            ? post_steps(sample, options, target->prelude, target->prelude_count, &line, &error) &&
                  post_steps(sample, options, steps, count, &line, &error)
            : frame_steps(sample, target->prelude, target->prelude_count, &bytes, &error) &&
                  frame_steps(sample, steps, count, &bytes, &error);
    if (made && !posts) {
        (void)jrpc_buffer_append_str(&line, "printf ");
        (void)jck_quote_printf(&line, jrpc_buffer_slice(&bytes));
        append_receiver(&line, target);
    }
    if (made && !line.failed) {
        (void)printf("\n  %.*s\n\n", (int)line.len, line.ptr);
    } else if (error.code == JRPC_ERROR_INVALID) {
        (void)printf("\n  (no shell command: %s)\n\n", error.message);
    } else {
        (void)puts("\n  (too long for a shell command; --transcript FILE saves the messages)\n");
    }
    jrpc_buffer_done(&line);
    jrpc_buffer_done(&bytes);
}

static jck_exit run_case(jck_assignment *assignment, const jck_case *test_case)
{
    const jck_suite *suite = assignment->suite;
    size_t count = jck_suite_case_count(suite);
    bool *selected = jrpc_arena_array(&assignment->options->arena, count + 1, sizeof *selected);
    if (selected == NULL) {
        (void)jck_complain_of("out of memory for the selection");
        return JCK_EXIT_FAULT;
    }
    for (size_t i = 0; i < count; i++) {
        selected[i] = jck_suite_case(suite, i) == test_case;
    }
    assignment->selected = selected;
    // What is shown must come before what happens.
    (void)fflush(stdout);
    return jck_execute(assignment);
}

static jck_exit repro(jck_assignment *assignment, const jck_case *test_case)
{
    jck_sample sample;
    jrpc_error error = {0};
    jck_exit status = JCK_EXIT_FAULT;
    jck_execute_seed(assignment);
    if (jck_sample_init(&sample, assignment->target, assignment->nonce, &error)) {
        (void)printf("%.*s\n\n", (int)test_case->id.len, test_case->id.ptr);
        jck_show_steps(&sample, test_case);
        if (assignment->side == JCK_SIDE_SERVER) {
            show_shell_line(&sample, assignment->options, test_case);
        } else {
            (void)putchar('\n');
        }
        status = run_case(assignment, test_case);
    } else {
        (void)jck_complain(&error);
    }
    jck_sample_done(&sample);
    return status;
}

// The named case, with the cases to run before it.
static const jck_case *find_in_company(jck_options *options, jck_suite *suite, const char *id)
{
    const jck_case *test_case = jck_find_case(suite, id);
    jck_case joined;
    if (test_case == NULL || options->after.count == 0) {
        return test_case;
    }
    return jck_company_of_options(options, suite, test_case, &joined)
               ? jck_suite_append(suite, &joined)
               : NULL;
}

// Keeps the case if it failed.
static jck_exit save(jck_assignment *assignment, const jck_case *test_case, jck_exit status)
{
    jck_case found = *test_case;
    if (assignment->options->save == NULL) {
        return status;
    }
    if (status != JCK_EXIT_BROKEN) {
        (void)jck_complain_of("the case did not fail, so nothing was saved");
        return status;
    }
    return jck_mark_found(assignment->options, assignment->repro, &found) &&
                   jck_save_cases(assignment->options, &found, 1)
               ? status
               : JCK_EXIT_OUTPUT;
}

jck_exit jck_cmd_repro(jck_options *options)
{
    jck_exit status = JCK_EXIT_USAGE;
    if (options->operands.count == 0) {
        (void)jck_complain_of(
            "name a case and a target: jrpcheck repro batch/empty -- ./my-server");
        return JCK_EXIT_USAGE;
    }
    jck_setup setup = {.suite = jck_data_load_suite(options)};
    const jck_case *test_case =
        setup.suite == NULL ? NULL
                            : find_in_company(options, setup.suite, options->operands.items[0]);
    options->undriven = options->undriven || (test_case != NULL && test_case->undriven);
    if (test_case != NULL && jck_setup_open(&setup, options, test_case->side, 1)) {
        setup.assignment.verbose = 2;
        setup.assignment.without_grounds = true;
        status = save(&setup.assignment, test_case, repro(&setup.assignment, test_case));
    }
    jck_setup_done(&setup);
    return status;
}
