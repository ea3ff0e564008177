// The router: methods registered once, any text in, the text of the answer out.
//
// It implements sections 4 to 6 of the specification to the letter and does no I/O. Handlers run on
// the caller's thread; one router serves many connections at once (registrations first, then only
// reading).
//
// It also routes by resource and verb (RO-JRPC 1.0): once a route is registered, the structured
// members of messages count, and are checked as resource.h tells; the same handler serves callers
// that give the method alone. A router without routes ignores them, as JSON-RPC 2.0 has it.
#ifndef JRPC_RPC_ROUTER_H
#define JRPC_RPC_ROUTER_H

#include "reference/base/arena.h"
#include "reference/base/buffer.h"
#include "reference/base/error.h"
#include "reference/json/write.h"
#include "reference/rpc/message.h"
#include "reference/rpc/resource.h"
#include "reference/rpc/response.h"

typedef struct jrpc_router jrpc_router;

// Which side this router stands on. A server answers calls and drops Responses; a client dispatches
// what a server may send on its own (notifications, calls, RO result messages).
typedef enum jrpc_role {
    JRPC_ROLE_SERVER,
    JRPC_ROLE_CLIENT,
} jrpc_role;

typedef struct jrpc_parameter {
    const char *name; // non-empty, distinct within a method
    bool optional;    // only the last parameters may be optional
} jrpc_parameter;

typedef struct jrpc_method {
    const char *name; // not beginning with "rpc."
    const jrpc_parameter *parameters;
    size_t parameter_count;
    bool any_params; // takes whatever structured value comes (or none); parameters must be empty
} jrpc_method;

// A verb of a resource, or of a subresource of it. Names are not empty, UTF-8 and without a dot; no
// resource is "rpc"; yield and return are verbs on the client's side only.
typedef struct jrpc_route {
    const char *resource;
    const char *subresource; // NULL: the verb is the resource's own
    const char *verb;
} jrpc_route;

#define JRPC_CALL_ARGUMENTS_MAX 16

// What a handler sees and fills. Lives for one call.
typedef struct jrpc_call {
    jrpc_slice method;                            // decoded
    jrpc_json params;                             // as sent; JRPC_JSON_ABSENT if there were none
    jrpc_json arguments[JRPC_CALL_ARGUMENTS_MAX]; // in declared order, whichever way they were sent
    size_t argument_count;                        // declared parameters (absent ones are ABSENT)
    bool notification;
    jrpc_json id;
    jrpc_arena *arena;        // for the handler's own data; freed after the exchange
    jrpc_json_writer *result; // write one value for success; nothing written means null
    void *connection;         // whatever the caller of jrpc_router_handle gave
    // Filled by jrpc_call_fail:
    jrpc_slice code, message, data; // JSON spellings
    const jrpc_message *source;     // the whole message that the call came in
    const jrpc_route *route;        // as registered, however it was called; NULL for a plain method
    const jrpc_resource *fields;    // as sent; all ABSENT where the method stood alone
    bool allowed;                   // what the authorization of the router said; true without one
    jrpc_slice cache;               // for the Response: see jrpc_call_cache
    bool memory_out;                // private: the description could not be kept
} jrpc_call;

// Handles a call: true for success (the result is in call->result), false for failure (described by
// jrpc_call_fail, else an Internal error, -32603).
typedef bool (*jrpc_handler)(void *context, jrpc_call *call);

// Describes a handler's failure: any integer code, a message, and `data` as a JSON spelling (empty
// for none). Copies what it needs. Always returns false.
bool jrpc_call_fail(jrpc_call *call, int64_t code, const char *message, jrpc_slice data);

// Hints in the Response how long its result may be kept, in seconds (section 18). Nothing is hinted
// when the call fails, or when memory is out.
void jrpc_call_cache(jrpc_call *call, uint32_t max_age);
// Whether the caller asked for a result that comes from no cache (section 18).
bool jrpc_call_wants_fresh(const jrpc_call *call);

// One element of a batch answer about to be written, and the list of them.
typedef struct jrpc_batch_reply {
    jrpc_slice *elements; // JSON spellings of the Responses
    size_t count;
    size_t requested; // elements of the batch that came in
    bool bare;        // write the elements as they are, without the Array around them
} jrpc_batch_reply;

// One exchange on its way through the router, for hooks.
typedef struct jrpc_exchange {
    jrpc_slice input;  // the text as it came
    jrpc_arena *arena; // for whatever a hook makes up
    bool in_batch;
    size_t batch_index;
    void *connection;
} jrpc_exchange;

// Places where a fault table can bend the way of a message. Every hook may be NULL. Without hooks
// the router is correct; no hook is ever needed for correct behaviour.
typedef struct jrpc_hooks {
    void *context;
    // Before the text is parsed: may replace *text.
    void (*text)(void *context, jrpc_exchange *exchange, jrpc_slice *text);
    // After the text was read as `kind`; may change the kind. `root` is ABSENT for a parse error.
    void (*input)(void *context, jrpc_exchange *exchange, jrpc_json root, jrpc_input_kind *kind);
    // After one message was classified: may change its class and what is owed.
    void (*message)(void *context, jrpc_exchange *exchange, jrpc_message *message);
    // After params were bound to a registered method (ok: they fit) and the authorization was asked
    // (call->allowed): may change arguments, ok or allowed.
    void (*bind)(void *context, jrpc_exchange *exchange, jrpc_call *call, bool *ok);
    // Before a Response's members are written; `message` is NULL for parse error and empty batch.
    void (*response)(void *context, jrpc_exchange *exchange, const jrpc_message *message,
                     jrpc_response *response);
    // Before a batch answer is written; also when it would be empty (count 0), where nothing is
    // written unless the hook adds elements.
    void (*batch)(void *context, jrpc_exchange *exchange, jrpc_batch_reply *reply);
} jrpc_hooks;

// A router without methods. `allocator` and `hooks` (may be NULL) are borrowed for its life. NULL
// when memory is out. Owned: free with jrpc_router_free.
jrpc_router *jrpc_router_new(const jrpc_allocator *allocator, jrpc_role role,
                             const jrpc_hooks *hooks);
void jrpc_router_free(jrpc_router *router); // accepts NULL

// Registers a method; names and parameter names are copied. False with INVALID (empty name, name
// beginning with "rpc." which section 4.3 reserves, registered already, parameter names empty or
// not distinct, too many, a required one after an optional one) or MEMORY.
bool jrpc_router_add(jrpc_router *router, const jrpc_method *method, jrpc_handler handler,
                     void *context, jrpc_error *error);
size_t jrpc_router_method_count(const jrpc_router *router);

// Registers a verb, for structured callers and for those that give its name alone, the names joined
// by dots. `takes` describes its params; its name is ignored. Names are copied. False with INVALID
// (a name that jrpc_route does not allow, a method of that name is registered already, parameters
// as above) or MEMORY.
bool jrpc_router_add_route(jrpc_router *router, const jrpc_route *route, const jrpc_method *takes,
                           jrpc_handler handler, void *context, jrpc_error *error);

// Says whether a call of call->route may run; may describe its refusal with jrpc_call_fail (else
// the code is JRPC_DENIED). Params are bound by then, but need not fit.
typedef bool (*jrpc_authorization)(void *context, jrpc_call *call);
enum { JRPC_DENIED = -32001 };

// Asks `may` before every call of a route, by whatever members it was called (section 12). NULL:
// all may run.
void jrpc_router_authorize(jrpc_router *router, jrpc_authorization may, void *context);
// Whether a route is what a pattern of authorization names: "user:get", "repo/issue:get".
bool jrpc_route_is(const jrpc_route *route, const char *pattern);

typedef enum jrpc_reply {
    JRPC_REPLY_NOTHING, // nothing is owed: send nothing
    JRPC_REPLY_TEXT,    // *out holds the answer
    JRPC_REPLY_FAILED,  // memory is out or `out` is full: *error says
} jrpc_reply;

// Takes one message text and appends the answer that is owed, if any, to `out`. `connection` is
// handed to handlers and hooks. `max_depth` as in jrpc_json_read. Thread-safe.
jrpc_reply jrpc_router_handle(const jrpc_router *router, jrpc_slice text, uint32_t max_depth,
                              void *connection, jrpc_buffer *out, jrpc_error *error);

#endif
