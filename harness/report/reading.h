// One event as the reports need it. A stream may come from any file: a member that is missing or
// has another type reads as empty, never as an error.
#ifndef JCK_REPORT_READING_H
#define JCK_REPORT_READING_H

#include "harness/judge/judge.h"
#include "reference/base/arena.h"
#include "reference/json/value.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum jck_event_kind {
    JCK_EVENT_OTHER, // a kind from a later version
    JCK_EVENT_START,
    JCK_EVENT_CASE,
    JCK_EVENT_GROUND, // a ground case that was not selected: context, never counted
    JCK_EVENT_FINISH,
    JCK_EVENT_RULE, // the text of a rule that a case tests; streams of version 0.1.0 may lack it
} jck_event_kind;

typedef struct jck_reading_start {
    size_t schema;      // 1 or 2; 0 if the event does not say
    jrpc_slice tool;    // "0.1.0"
    jrpc_slice role;    // "client", "parser"; empty for a server
    jrpc_slice words;   // what follows "jrpcheck repro CASE"; empty in streams of schema 1
    jrpc_slice command; // what follows "jrpcheck" to repeat the run; empty: unknown
    jrpc_slice target, transport, framing, profile, seed, started;
    jrpc_slice implementation, version, language; // of the target's implementation
    jrpc_slice looks_like, profile_to_name;       // "an MCP server", "mcp"; empty if no profile was
                                                  // recognised
    jrpc_slice against; // the names of the parsers that the target is compared with; empty: none
    size_t selected;
    size_t shard, shards; // part `shard` of `shards`; 0 for a whole run
    bool strict;
} jck_reading_start;

typedef struct jck_reading_rule {
    jrpc_slice id, section, title, sentence;
    jck_level level;
} jck_reading_rule;

// What would have been right: see `expected` in docs/event.schema.json.
typedef struct jck_reading_example {
    jrpc_slice kind, text;
} jck_reading_example;

typedef struct jck_reading_finding {
    jrpc_slice rule, text, sentence;
    jck_level level;
    bool known;   // another case has already shown that the rule is broken everywhere
    bool repeats; // several earlier cases have: it counts but is not described again
    int step;
    const jck_reading_example *expected;
    size_t expected_count;
    jrpc_slice came; // "nothing", "answer", …; empty in streams of schema 1
} jck_reading_finding;

typedef struct jck_reading_message {
    bool sent;
    jrpc_slice connection;
    jrpc_slice role;  // empty, "fence", "session", "noise", "opening" or "driver"
    jrpc_slice bytes; // decoded
    size_t true_len;  // at least bytes.len
    int step;
    int64_t at_us;
} jck_reading_message;

typedef struct jck_reading_observation {
    jrpc_slice name, value;
} jck_reading_observation;

typedef struct jck_reading_case {
    bool ground;
    jrpc_slice id, suite, section, title;
    jrpc_slice file; // "jsonrpc-2.0/06-batch.json"
    size_t line;
    const jrpc_slice *rules;
    size_t rule_count;
    jck_outcome outcome;    // an unknown name reads as ERROR
    bool expected;          // in the baseline
    jrpc_slice reason;      // a sentence
    jrpc_slice reason_code; // "no-method", …; empty in streams of schema 1, like the three below
    jrpc_slice capability, blocked_by, unlock;
    const jck_reading_finding *findings;
    size_t finding_count;
    const jck_reading_observation *observations;
    size_t observation_count;
    const jck_reading_message *messages;
    size_t message_count;
    size_t left_out;                     // messages that the event leaves out
    jrpc_slice end;                      // "open", "exited", …; empty if nothing was run
    int64_t end_value;                   // status, signal or code
    int64_t http_status;                 // of the first answer over HTTP; 0: none
    jrpc_slice error_output;             // the end of the target's stderr
    int64_t duration_us;                 // -1 if nothing was run
    const jck_reading_message *sequence; // the shortest one that causes the finding
    size_t sequence_count;               // 0: one message is enough, or nobody looked for it
    jrpc_slice
        after; // " --after CASE …": makes repro send those cases first; empty: none are needed
} jck_reading_case;

typedef struct jck_reading_finish {
    size_t judged;
    int64_t duration_us;
    bool interrupted;
    bool conformant;
    size_t sessions_lost;   // how often the target ended and a new one was started
    size_t only_in_company; // failed together with others, but not alone
    jrpc_slice stop;        // "unopened", "mute", "fault"; empty in streams of schema 1
    jrpc_slice stopped;     // the same as a sentence
    jrpc_slice hint;        // what the user should try instead, as a sentence; or empty
    jrpc_slice note;        // what else is to be known about the run, as a sentence; or empty
} jck_reading_finish;

jck_event_kind jck_reading_kind(jrpc_json event);

// Each fills *ret_…; what is not borrowed from the event's text lives in `arena`. False if out of
// memory.
bool jck_reading_of_start(jrpc_json event, jrpc_arena *arena, jck_reading_start *ret_start);
// Copies all its texts into `arena`, so that they outlive the event. False if out of memory.
bool jck_reading_keep_start(jck_reading_start *start, jrpc_arena *arena);
bool jck_reading_of_rule(jrpc_json event, jrpc_arena *arena, jck_reading_rule *ret_rule);
// A case without its exchange: for reports that do not show it.
bool jck_reading_of_verdict(jrpc_json event, jrpc_arena *arena, jck_reading_case *ret_case);
bool jck_reading_of_case(jrpc_json event, jrpc_arena *arena, jck_reading_case *ret_case);
bool jck_reading_of_finish(jrpc_json event, jrpc_arena *arena, jck_reading_finish *ret_finish);

// Whether the case, by itself, makes its run non-conformant.
bool jck_reading_is_breach(const jck_reading_case *test_case, bool strict);

#endif
