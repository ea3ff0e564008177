#include "reference/driver/options.h"

#include "reference/json/read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { TIMEOUT_MS = 5000, WORDS_DEPTH = 2, MEMORY_BYTES = 1 << 20 };

const char *jrpc_driver_help(void)
{
    return "usage: jrpc-reference-client [--start] [--alone] [--fault NAME]…\n"
           "       jrpc-reference-client --list-faults | --help | --version\n"
           "\n"
           "A JSON-RPC 2.0 client that keeps every rule, or breaks exactly the ones it is told to. "
           "It is\n"
           "told what to do on standard input, as jrpcheck client does: jrpcheck client -- "
           "jrpc-reference-client\n"
           "\n"
           "  --start          start the server that JRPCHECK_SERVER names (a JSON Array of words) "
           "and speak\n"
           "                   to it over its standard input and output, instead of JRPCHECK_URL\n"
           "  --alone          make some calls by itself and print what comes of them, for "
           "jrpcheck client\n"
           "                   --undriven\n"
           "  --fault NAME     get one thing wrong; may be repeated\n"
           "  --list-faults    print every fault: name, rule, what it does\n"
           "\n"
           "Read from the environment: JRPCHECK_URL (tcp://HOST:PORT, unix:PATH, http://… or "
           "ws://…),\n"
           "JRPCHECK_FRAMING (line, content-length, concatenated or length32) and JRPCHECK_TIMEOUT "
           "(ms).\n";
}

static bool take_fault(jrpc_driver_options *options, const char *name, jrpc_error *error)
{
    const jrpc_client_fault *fault = jrpc_client_fault_find(name);
    if (fault == NULL) {
        return jrpc_error_set(error, JRPC_ERROR_USAGE,
                              "there is no fault '%s'; --list-faults prints them all", name);
    }
    if (options->fault_count == JRPC_CLIENT_FAULTS_MAX) {
        return jrpc_error_set(error, JRPC_ERROR_USAGE, "there can be at most %d faults",
                              JRPC_CLIENT_FAULTS_MAX);
    }
    options->faults[options->fault_count++] = fault;
    return true;
}

bool jrpc_driver_options_read(int argc, char *const *argv, jrpc_driver_options *options,
                              jrpc_error *error)
{
    static const struct {
        const char *word;
        jrpc_driver_action action;
    } actions[] = {{"--list-faults", JRPC_DRIVER_LIST_FAULTS},
                   {"--help", JRPC_DRIVER_HELP},
                   {"--version", JRPC_DRIVER_VERSION}};
    *options = (jrpc_driver_options){.timeout_ms = TIMEOUT_MS};
    jrpc_arena_init(&options->memory, jrpc_allocator_heap(), MEMORY_BYTES);
    for (int i = 1; i < argc; i++) {
        const char *value = strncmp(argv[i], "--fault=", strlen("--fault=")) == 0
                                ? argv[i] + strlen("--fault=")
                                : NULL;
        if (value == NULL && strcmp(argv[i], "--fault") == 0) {
            if (i + 1 == argc) {
                return jrpc_error_set(error, JRPC_ERROR_USAGE, "--fault needs a name");
            }
            value = argv[++i];
        }
        size_t k = 0;
        while (k < sizeof actions / sizeof *actions && strcmp(argv[i], actions[k].word) != 0) {
            k++;
        }
        if (value != NULL) {
            if (!take_fault(options, value, error)) {
                return false;
            }
        } else if (k < sizeof actions / sizeof *actions) {
            options->action = actions[k].action;
        } else if (strcmp(argv[i], "--start") == 0) {
            options->start = true;
        } else if (strcmp(argv[i], "--alone") == 0) {
            options->alone = true;
        } else {
            return jrpc_error_set(error, JRPC_ERROR_USAGE,
                                  "unknown option '%s'; jrpc-reference-client --help shows them "
                                  "all",
                                  argv[i]);
        }
    }
    return true;
}

static bool read_words(jrpc_driver_options *options, jrpc_error *error)
{
    const char *text = getenv("JRPCHECK_SERVER");
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    bool ok = text != NULL && jrpc_json_read(&document, jrpc_slice_str(text), WORDS_DEPTH, NULL);
    jrpc_json words = jrpc_json_root(&document);
    uint32_t count = jrpc_json_count(words);
    ok = ok && jrpc_json_is(words, JRPC_JSON_ARRAY) && count > 0 && count <= JRPC_DRIVER_WORDS_MAX;
    for (uint32_t i = 0; ok && i < count; i++) {
        jrpc_slice content = {NULL, 0};
        ok = jrpc_json_string(jrpc_json_element(words, i), &options->memory, &content);
        options->words[i] =
            ok ? jrpc_arena_printf(&options->memory, "%.*s", (int)content.len, content.ptr) : NULL;
        ok = ok && options->words[i] != NULL;
    }
    jrpc_json_document_done(&document);
    if (!ok) {
        return jrpc_error_set(error, JRPC_ERROR_USAGE,
                              "--start needs JRPCHECK_SERVER, a JSON Array of at most %d words",
                              JRPC_DRIVER_WORDS_MAX);
    }
    jrpc_client_address_of_command(options->words, &options->endpoint);
    return true;
}

static bool read_timeout(jrpc_driver_options *options, jrpc_error *error)
{
    enum { MOST_MS = 24 * 3600 * 1000 };
    const char *text = getenv("JRPCHECK_TIMEOUT");
    if (text == NULL) {
        return true;
    }
    char *end = NULL;
    errno = 0;
    long ms = strtol(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || ms < 1 || ms > MOST_MS) {
        return jrpc_error_set(error, JRPC_ERROR_USAGE,
                              "JRPCHECK_TIMEOUT '%s' is not a number of milliseconds", text);
    }
    options->timeout_ms = ms;
    return true;
}

bool jrpc_driver_environment_read(jrpc_driver_options *options, jrpc_error *error)
{
    const char *url = getenv("JRPCHECK_URL");
    const char *framing = getenv("JRPCHECK_FRAMING");
    if (options->start) {
        if (!read_words(options, error)) {
            return false;
        }
    } else if (url == NULL) {
        return jrpc_error_set(error, JRPC_ERROR_USAGE,
                              "JRPCHECK_URL says where the server is: start this program with "
                              "jrpcheck client -- jrpc-reference-client");
    } else if (!jrpc_client_address_read(url, &options->address, &options->endpoint, error)) {
        return jrpc_error_prefix(error, "JRPCHECK_URL");
    }
    if (framing != NULL &&
        !jrpc_framing_from_name(jrpc_slice_str(framing), &options->endpoint.framing)) {
        return jrpc_error_set(error, JRPC_ERROR_USAGE, "JRPCHECK_FRAMING '%s' is not known",
                              framing);
    }
    options->endpoint.max_message = (size_t)256 << 20;
    return read_timeout(options, error);
}

void jrpc_driver_options_done(jrpc_driver_options *options)
{
    jrpc_arena_done(&options->memory);
}
