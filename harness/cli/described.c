#include "harness/cli/described.h"

#include "harness/cli/execute.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/words.h"
#include "harness/describe/mcp_tools.h"
#include "harness/describe/openrpc.h"
#include "harness/describe/openrpc_known.h"
#include "harness/run/ask_once.h"
#include "harness/suite/parse.h"
#include "reference/base/file.h"
#include "reference/json/write.h"

#include <string.h>

#define DESCRIPTION_BYTES ((size_t)32 << 20)
#define DISCOVER "discover"
#define TOOLS "tools"
#define SUITE "openrpc"

typedef struct taking {
    jck_options *options;
    jck_suite *suite;
    size_t cases;
    jrpc_error error;
} taking;

static bool ask(taking *self, jck_target *target, const char *method, jrpc_buffer *out)
{
    jck_interrupt interrupt;
    jck_timing timing = jck_execute_timing(target);
    if (!jck_interrupt_init(&interrupt, &self->error)) {
        return jck_complain(&self->error);
    }
    const jck_ask_once question = {.target = target,
                                   .timing = &timing,
                                   .clock = jrpc_clock_monotonic(),
                                   .interrupt_fd = jck_interrupt_fd(&interrupt),
                                   .method = method};
    bool answered = jck_ask_target(&question, out, &self->error);
    jck_interrupt_done(&interrupt);
    return answered || jck_complain_of("--openrpc %s: %s was not answered: %s",
                                       self->options->openrpc, method, self->error.message);
}

// The document: all of what was read, or the result of a Response.
static bool read_document(taking *self, jrpc_slice text, bool asked, jrpc_json *ret_root)
{
    const char *word = self->options->openrpc;
    jrpc_slice kept;
    jrpc_json root;
    if (!jrpc_arena_copy(&self->options->arena, text, &kept)) {
        return jck_complain_of("out of memory for the description");
    }
    if (!jck_parse(&self->options->arena, kept, &root, &self->error)) {
        return jck_complain_of("--openrpc %s: not JSON: %s (byte %zu)", word, self->error.message,
                               self->error.offset);
    }
    *ret_root = asked ? jrpc_json_get(root, "result") : root;
    if (asked && !jrpc_json_exists(*ret_root)) {
        return jck_complain_of("--openrpc discover: the target does not describe itself: "
                               "rpc.discover gives %.*s; name a file instead",
                               (int)(kept.len < 200 ? kept.len : 200), kept.ptr);
    }
    return jck_openrpc_is(*ret_root, &self->error) ||
           jck_complain_of("--openrpc %s: not an OpenRPC document: %s", word, self->error.message);
}

static void show_flaws(const taking *self, jrpc_json root)
{
    for (const char *const *part = jck_openrpc_parts(); *part != NULL; part++) {
        const char *flaw = jck_openrpc_flaw(root, jrpc_slice_str(*part), &self->options->arena);
        if (flaw != NULL) {
            (void)jck_complain_of("%s: %s", self->options->openrpc, flaw);
        }
    }
}

static bool add_case(void *context, jrpc_slice text)
{
    taking *self = context;
    jck_case added;
    jrpc_slice kept;
    self->cases++;
    return jrpc_arena_copy(&self->options->arena, text, &kept) &&
           jck_case_read(self->suite, kept, JRPC_SLICE(SUITE), &self->options->arena, &added,
                         &self->error) &&
           jck_suite_append(self->suite, &added) != NULL;
}

// Records a method that looks like a capability: it will be called to check.
static bool note_known(const char *capability, const jck_openrpc_known *known, jck_target *target)
{
    const jck_mapping candidate = {.capability = jrpc_slice_str(capability),
                                   .method = known->method,
                                   .by_position = known->by_position,
                                   .by_name = known->by_name};
    jrpc_buffer names;
    jrpc_buffer_init(&names, jrpc_allocator_heap(), DESCRIPTION_BYTES);
    if (strcmp(capability, "subtract") == 0) {
        (void)jrpc_buffer_append_str(&names, "{\"minuend\":");
        (void)jrpc_json_quote(&names, known->names[0]);
        (void)jrpc_buffer_append_str(&names, ",\"subtrahend\":");
        (void)jrpc_json_quote(&names, known->names[1]);
        (void)jrpc_buffer_append_str(&names, "}");
    }
    bool noted = jck_target_add_candidate(target, &candidate, jrpc_buffer_slice(&names));
    jrpc_buffer_done(&names);
    return noted;
}

static bool note_all_known(const taking *self, jck_target *target, jrpc_json root)
{
    bool noted = true;
    for (const char *const *word = jck_capabilities(); *word != NULL && noted; word++) {
        jck_openrpc_known known;
        noted = !jck_openrpc_find_known(root, *word, &self->options->arena, &known) ||
                note_known(*word, &known, target);
    }
    return noted;
}

static bool take(taking *self, jck_target *target, jrpc_json root, bool asked)
{
    jck_suite_describe(self->suite, root);
    if (!asked && !self->options->quiet) {
        show_flaws(self, root);
    }
    if (!jck_openrpc_each_case(root, &self->options->arena, add_case, self)) {
        return jck_complain_of("--openrpc %s: %s", self->options->openrpc,
                               self->error.message[0] != '\0' ? self->error.message
                                                              : "out of memory");
    }
    if (self->cases == 0 && !self->options->quiet) {
        (void)jck_complain_of("--openrpc %s: it has no examples, so none of its methods is called",
                              self->options->openrpc);
    }
    return (note_all_known(self, target, root) && jck_target_declare(target, JRPC_SLICE(SUITE)) &&
            (!asked || jck_target_declare(target, JRPC_SLICE("rpc.discover")))) ||
           jck_complain_of("out of memory for the description");
}

// The tools of an MCP server have schemas and no examples: they are described to whoever makes
// calls, and add no case.
static bool take_tools(taking *self, jck_target *target)
{
    jrpc_buffer answer;
    jrpc_buffer text;
    jrpc_json root = JRPC_JSON_ABSENT;
    jrpc_slice kept;
    jrpc_buffer_init(&answer, jrpc_allocator_heap(), DESCRIPTION_BYTES);
    jrpc_buffer_init(&text, jrpc_allocator_heap(), DESCRIPTION_BYTES);
    bool taken = ask(self, target, "tools/list", &answer);
    if (taken) {
        taken = (jrpc_arena_copy(&self->options->arena, jrpc_buffer_slice(&answer), &kept) &&
                 jck_parse(&self->options->arena, kept, &root, &self->error) &&
                 jck_mcp_tools_describe(jrpc_json_get(root, "result"), &text, &self->error) &&
                 jrpc_arena_copy(&self->options->arena, jrpc_buffer_slice(&text), &kept) &&
                 jck_parse(&self->options->arena, kept, &root, &self->error)) ||
                jck_complain_of("--openrpc " TOOLS ": %s", self->error.message);
    }
    if (taken) {
        jck_suite_describe(self->suite, root);
    }
    jrpc_buffer_done(&text);
    jrpc_buffer_done(&answer);
    return taken;
}

bool jck_described_take(jck_options *options, jck_suite *suite, jck_target *target)
{
    if (options->openrpc == NULL) {
        return true;
    }
    taking self = {.options = options, .suite = suite};
    if (strcmp(options->openrpc, TOOLS) == 0) {
        return take_tools(&self, target);
    }
    bool asked = strcmp(options->openrpc, DISCOVER) == 0;
    jrpc_buffer text;
    jrpc_json root = JRPC_JSON_ABSENT;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), DESCRIPTION_BYTES);
    bool read =
        asked ? ask(&self, target, "rpc.discover", &text)
              : jrpc_file_read(options->openrpc, &text, &self.error) || jck_complain(&self.error);
    bool taken = read && read_document(&self, jrpc_buffer_slice(&text), asked, &root) &&
                 take(&self, target, root, asked);
    jrpc_buffer_done(&text);
    return taken;
}
