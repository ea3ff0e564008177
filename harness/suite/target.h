// A target: what is tested, how to start it, how to talk to it, what it offers.
#ifndef JCK_SUITE_TARGET_H
#define JCK_SUITE_TARGET_H

#include "harness/suite/call.h"
#include "harness/suite/credential.h"
#include "harness/suite/kin.h"
#include "harness/suite/reason.h"
#include "harness/suite/recognise.h"
#include "reference/base/arena.h"
#include "reference/base/error.h"
#include "reference/net/endpoint.h"
#include "reference/net/transport.h"
#include "reference/wire/framing.h"

#include <stdbool.h>
#include <stdint.h>

// A capability of the fixture contract, mapped to a method of the target.
typedef struct jck_mapping {
    jrpc_slice capability; // "subtract"
    jrpc_slice method;     // JSON spelling of the method name, with quotes
    bool by_position;
    bool by_name;
    const jck_call *call; // how the method wraps the capability; NULL: it does not
    bool fixed;   // it was not seen to take more params than the specification's examples have
    bool assumed; // it was not said how it takes params, so both ways are assumed
} jck_mapping;

// A method that has the name of a capability but was seen to do something else.
typedef struct jck_sighting {
    jrpc_slice capability;
    const char *text; // what was seen, and what would map it
} jck_sighting;

typedef enum jck_ready_kind {
    JCK_READY_PROBE, // try to connect and probe until it answers
    JCK_READY_LINE,  // a line on stderr or stdout that contains `text`
} jck_ready_kind;

#define JCK_MIRROR_MAX 4096

// A header that repeats a part of the message it is sent with.
typedef struct jck_mirror {
    const char *name;
    const jrpc_slice *pointers; // JSON Pointers into the message: the first that leads to a String
    size_t pointer_count;
} jck_mirror;

// What a description says about the target's implementation; for reports. Empty if it says nothing.
typedef struct jck_implementation {
    jrpc_slice name, version, language;
} jck_implementation;

typedef struct jck_target {
    jrpc_arena arena; // owns everything below
    jrpc_slice name;  // for reports: the name member of the file, else what the user typed
    const char *file; // the description that was read, or NULL
    jck_implementation implementation;
    jrpc_transport transport;
    bool framing_given;
    jrpc_framing framing;
    char *const *command;  // STDIO: NULL-terminated
    char *const *start;    // a command to start before connecting, NULL-terminated; or NULL
    const char *directory; // or NULL
    const char *const *environment;
    const char *host, *port, *path, *url;
    const char *own_port; // what ${port} stands for: a free port chosen for this run; or NULL
    int port_claim;       // the descriptor that keeps other runs from it (owned); 0: none
    jrpc_dial *dial; // opens the connections instead of the transport; NULL: the transport does
    void *dial_context;
    const char *const *headers;
    // The same with names that the prelude captures ("${session}"), or NULL.
    const char *const *session_headers;
    // Header lines with credentials; the right one is also among the headers. NULL: cannot be made.
    const char *credentials[JCK_CREDENTIAL_COUNT];
    const jck_signer *signer;  // makes new ones for each message; or NULL
    const jck_mirror *mirrors; // HTTP: headers that repeat parts of each message
    size_t mirror_count;
    jrpc_json request_params; // Object: members added to the params of each request; or ABSENT
    const char *events_url;   // HTTP: GET opens a stream of events there; or NULL
    const char *streams_url;  // HTTP: calls in the query of a GET are sent there and answered as a
                              // stream; or NULL
    const char *ca_file;      // TLS: certificates to trust, or NULL
    bool insecure;            // TLS: accept any certificate
    const char *cert_file;    // TLS: our own certificate, or NULL
    const char *key_file;     // TLS: its key, or NULL
    const char *proxy;        // a URL, "env", or NULL
    uint64_t memory;          // bytes that a process we start may use; 0: no limit
    jck_ready_kind ready;
    jrpc_slice ready_text;
    const jck_step *prelude; // sent on every new connection
    size_t prelude_count;
    const jck_step *postlude;
    size_t postlude_count;
    const jck_mapping *mappings;
    size_t mapping_count;
    // Methods that look like capabilities but were not called yet (jck_discover calls them).
    const jck_mapping *candidates;
    size_t candidate_count;
    const jck_sighting *sightings;
    size_t sighting_count;
    jrpc_slice profile;
    // If no profile was named: how servers of some profiles are recognised (borrowed), and the one
    // that the target looks like, or NULL.
    const jck_recognition *recognitions;
    size_t recognition_count;
    const jck_recognition *looks_like;
    const jck_denial *refusals; // of the profile (borrowed)
    size_t refusal_count;
    int64_t reply_ms;    // "limits": how long an answer may take; 0: the default
    int64_t start_ms;    // how long the first answer may take; 0: the default
    int64_t interval_us; // least time between two messages on the same connection; 0: none
    int64_t async_ms;    // how long asynchronous results may take
    size_t max_message;  // bytes; 0: the default
    int64_t max_depth;   // 0: unknown
    jrpc_json requests;  // Object: method → result, how to answer the server's own requests
    jrpc_json
        client_requests; // the same for requests that a client sends unasked, such as initialize
    const jrpc_slice *declares;
    size_t declare_count;
    const int *orderly_statuses; // exit statuses that do not count as a crash (0 never does)
    size_t orderly_status_count;
    const char *baseline; // path or NULL
} jck_target;

// Reads a description from the arguments of a command line: exactly one of FILE.json, a NAME under
// `targets_directory`, tcp://H:P, unix:PATH, http(s)://…, ws(s)://…, or (after --) a command.
// ${here}, ${zoo}, ${port} are replaced. USAGE, SYNTAX or INVALID with file:line:column. The target
// is initialized by this call and must be freed with jck_target_done, also after a failure.
bool jck_target_load(jck_target *target, const char *word, const char *targets_directory,
                     jrpc_error *error);
bool jck_target_from_command(jck_target *target, char *const *argv, jrpc_error *error);
// The same for a command in one string, split as jck_target_set_start does.
bool jck_target_from_words(jck_target *target, const char *words, jrpc_error *error);
void jck_target_done(jck_target *target);
// The same target started once more beside this one, on a port of its own, which follows `after`
// (the port of an earlier copy; NULL: its own): a copy that shares all but the places where its
// port stands with the target, which has to outlive it. False if its description has no ${port}, if
// it starts no command, or with MEMORY or SYSTEM. It must be freed with jck_target_done, also then.
bool jck_target_beside(jck_target *copy, const jck_target *target, const char *after,
                       jrpc_error *error);
// Whether that is possible.
bool jck_target_has_own_port(const jck_target *target);

// Whether a string begins like the URL of a target.
bool jck_is_url(const char *word);

// Adds what options say. `mapping` is "CAP=NAME", "CAP=NAME:by-position" or "CAP=NAME:by-name";
// without a shape the method is assumed to take both. USAGE if the argument is invalid (the message
// names the known capabilities).
bool jck_target_add_mapping(jck_target *target, const char *mapping, jrpc_error *error);
// Splits "CMD ARGS" into arguments as a shell does (quotes, backslashes; no expansion). USAGE for
// an unclosed quote.
bool jck_target_set_start(jck_target *target, const char *words, jrpc_error *error);
// "Name: value"; ${env:NAME} is replaced. USAGE, or INVALID if the variable is not set.
bool jck_target_add_header(jck_target *target, const char *header, jrpc_error *error);
// One header per line; blank lines and those that begin with '#' are skipped.
bool jck_target_add_header_file(jck_target *target, const char *file, jrpc_error *error);
// "NAME=value" for the environment of the processes we start.
bool jck_target_add_environment(jck_target *target, const char *pair, jrpc_error *error);
// Creates a token for each message from the secret in a file, as the Engine API requires (and
// declares `engine`).
bool jck_target_set_secret(jck_target *target, const char *file, jrpc_error *error);
// The header line with a credential valid now; NULL if there is none or if out of memory.
const char *jck_target_credential(const jck_target *target, jck_credential which,
                                  jrpc_arena *arena);
// The URL of the target's streams with a call in its query, as in the JSON-RPC tutorial:
// ?method=…&id=…&NAME=…, with the content of Strings and the spelling of all else. Only params by
// name fit there; others are left out. NULL if out of memory.
const char *jck_target_query(const jck_target *target, jrpc_slice message, jrpc_arena *arena);
// A JSON file with an Array of steps.
bool jck_target_set_prelude(jck_target *target, const char *file, jrpc_error *error);

// Records what was seen of a method that no mapping names (copied). False if out of memory.
bool jck_target_add_sighting(jck_target *target, jrpc_slice capability, const char *text);
// Records that the method of a capability takes the params of a case as its only param. False if
// out of memory.
bool jck_target_wrap_params(jck_target *target, jrpc_slice capability);
// Records that the method of a capability was not seen to take an arbitrary number of params.
void jck_target_fix_params(jck_target *target, jrpc_slice capability);
// Records which ways of passing params the method of a capability was seen to take.
void jck_target_keep_shapes(jck_target *target, jrpc_slice capability, bool by_position,
                            bool by_name);
// Records a method that looks like a capability: `method` is its plain name, and `names` the text
// of a JSON Object, from the capability's names of params to the method's; or empty. False if out
// of memory, or if `names` is not JSON.
bool jck_target_add_candidate(jck_target *target, const jck_mapping *candidate, jrpc_slice names);
// The candidate for a capability, or NULL.
const jck_mapping *jck_target_candidate(const jck_target *target, jrpc_slice capability);
// Maps a capability to its candidate, with the shapes of params that it was seen to accept. False
// if out of memory.
bool jck_target_take_candidate(jck_target *target, const jck_mapping *candidate, bool by_position,
                               bool by_name);
// Adds a word to what the target declares. False if out of memory.
bool jck_target_declare(jck_target *target, jrpc_slice word);
// The mapping of a capability, or NULL.
const jck_mapping *jck_target_mapping(const jck_target *target, jrpc_slice capability);
// Whether the target offers what a case's `needs` word asks for. If not, *ret_reason says what is
// missing and how to provide it; its strings are constant, in `arena`, or part of `need`.
bool jck_target_offers(const jck_target *target, jrpc_slice need, jrpc_arena *arena,
                       jck_reason *ret_reason);
// The names of the fixture contract's capabilities, NULL-terminated.
const char *const *jck_capabilities(void);
bool jck_is_capability(jrpc_slice name);
// Whether `word` is "CAP:SPELLING", such as "echo:raised"; only then the outputs are written.
bool jck_is_respelled_variable(jrpc_slice word, jrpc_slice *ret_capability,
                               jck_name_spelling *ret_how);
// Whether `word` is "CAP:or-absent": the method of that capability, or one that does not exist.
bool jck_is_optional_variable(jrpc_slice word, jrpc_slice *ret_capability);
// Whether a case needs a method (a capability), not only connections, framings and the like.
bool jck_case_needs_method(const jck_case *test_case);
// Those of them that are resources of RO-JRPC, NULL-terminated. They are mapped to a RESOURCE, or
// to RESOURCE/SUBRESOURCE if their own name has two parts.
const char *const *jck_resources(void);
// What the target's transport can do.
const jrpc_traits *jck_target_traits(const jck_target *target);
// Whether the target can send unasked: its transport allows it, or it has a stream of events.
bool jck_target_can_push(const jck_target *target);

#endif
