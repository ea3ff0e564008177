// jrpc-reference-client: reads its command line and its environment, and runs the driver.
#include "reference/driver/options.h"
#include "reference/driver/relay.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

enum { EXIT_FAILED = 1, EXIT_USAGE = 2 };

static int complain(const jrpc_error *error, int status)
{
    (void)fprintf(stderr, "jrpc-reference-client: %s\n", error->message);
    return status;
}

// Makes the way to the server, if a fault changes something on it: *ret_relay, and the endpoint of
// the driver. False with *error.
static bool set_relay(jrpc_driver *driver, jrpc_relay **ret_relay, jrpc_error *error)
{
    const jrpc_relay_way *ways[JRPC_CLIENT_FAULTS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < driver->fault_count; i++) {
        if (driver->faults[i]->relay != NULL) {
            ways[count++] = driver->faults[i]->relay;
        }
    }
    if (count == 0 || driver->endpoint.url == NULL) {
        return true;
    }
    *ret_relay = jrpc_relay_new(driver->endpoint.url, ways, count, error);
    driver->endpoint.url = *ret_relay == NULL ? NULL : jrpc_relay_url(*ret_relay);
    return *ret_relay != NULL;
}

static int run(jrpc_driver_options *options, jrpc_error *error)
{
    jrpc_driver driver = {.allocator = jrpc_allocator_heap(),
                          .clock = jrpc_clock_monotonic(),
                          .input = STDIN_FILENO,
                          .output = STDOUT_FILENO,
                          .alone = options->alone,
                          .endpoint = options->endpoint,
                          .timeout_ms = options->timeout_ms,
                          .fault_count = options->fault_count};
    for (size_t i = 0; i < options->fault_count; i++) {
        driver.faults[i] = options->faults[i];
    }
    jrpc_relay *relay = NULL;
    jrpc_driver_init(&driver);
    bool ok = set_relay(&driver, &relay, error) && jrpc_driver_run(&driver, error);
    jrpc_driver_done(&driver);
    jrpc_relay_free(relay);
    return ok ? 0 : complain(error, EXIT_FAILED);
}

int main(int argc, char **argv)
{
    jrpc_error error = {.code = JRPC_OK};
    static jrpc_driver_options options; // too large for a stack
    // A suite that is gone causes EPIPE, not a signal.
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    (void)sigaction(SIGPIPE, &ignore, NULL);
    int status = 0;
    if (!jrpc_driver_options_read(argc, argv, &options, &error)) {
        status = complain(&error, EXIT_USAGE);
    } else {
        switch (options.action) {
        case JRPC_DRIVER_LIST_FAULTS:
            jrpc_client_fault_list(stdout);
            break;
        case JRPC_DRIVER_HELP:
            (void)fputs(jrpc_driver_help(), stdout);
            break;
        case JRPC_DRIVER_VERSION:
            (void)printf("jrpc-reference-client %s\n", JRPCHECK_VERSION);
            break;
        case JRPC_DRIVER_RUN:
            status = jrpc_driver_environment_read(&options, &error) ? run(&options, &error)
                                                                    : complain(&error, EXIT_USAGE);
            break;
        }
    }
    jrpc_driver_options_done(&options);
    return status;
}
