// Profiles: what a family of servers promises beyond, or instead of, the specification. A profile
// is data (cases/profiles/NAME.json): which suites run, which rules get another level, which
// answers are accepted besides those that a case asks for, which cases are left out, and how to
// talk to such servers. Each difference quotes the sentence that justifies it. It changes the suite
// before anything runs; the judge knows nothing of profiles.
#ifndef JCK_SUITE_PROFILE_H
#define JCK_SUITE_PROFILE_H

#include "harness/suite/suite.h"
#include "harness/suite/target.h"

// The profile used if none is named. It needs no file.
#define JCK_PROFILE_DEFAULT "spec"

typedef enum jck_change_kind {
    JCK_CHANGE_LEVEL,  // `names` are rules: they get another level, or are switched off
    JCK_CHANGE_ACCEPT, // `names` are patterns of cases: these answers to their calls are accepted
                       // too
    JCK_CHANGE_LEAVE_OUT, // `names` are patterns of cases: they are not run
} jck_change_kind;

// One difference from the specification. Text is owned by the suite.
typedef struct jck_change {
    jck_change_kind kind;
    const jrpc_slice *names; // a NUL follows each slice
    size_t name_count;
    bool off;                  // LEVEL: violations of the rules are not held against the target
    jck_level level;           // LEVEL
    const jck_expect *answers; // ACCEPT: alternatives
    size_t answer_count;
    const jrpc_slice
        *sends; // not LEVEL: also applies to cases that send such messages (see sends.h)
    size_t send_count;
    bool hazards;        // LEAVE_OUT: also the cases marked as hazards
    bool methods;        // LEAVE_OUT: also the cases that need a method of the target
    jrpc_slice sentence; // quoted from the profile's text
    jrpc_slice source;   // where the text says so
    jrpc_slice profile;  // the profile that defines it: this one, or one that it extends
    const char *file;
    size_t line;
} jck_change;

typedef struct jck_profile {
    jrpc_slice name;
    jrpc_slice title;
    jrpc_slice url; // of the text it is based on; may be empty
    jrpc_slice extends;
    const char *const *suites; // that run if none is named; NULL: the default ones
    size_t suite_count;
    const char *const *client_suites; // the same for clients; NULL: the default one
    size_t client_suite_count;
    bool strict;      // a violated SHOULD makes the run non-conformant too
    bool no_discover; // the target is not asked which methods it has
    bool framing_given;
    jrpc_framing framing;        // of a stream, unless the target names one
    const int *orderly_statuses; // as in a target; NULL if not stated
    size_t orderly_status_count;
    const char *const *headers; // as in a target, for names that it does not set itself
    const char *const *session_headers;
    const jck_mirror *mirrors;
    size_t mirror_count;
    jrpc_json request_params; // as in a target; or ABSENT
    // Profiles of which the target may speak one, tried in this order; NULL-terminated, or NULL.
    const char *const *revisions;
    size_t revision_count;
    jrpc_slice
        revision; // what the target's prelude captures by that name if it speaks this profile
    const jck_step *prelude; // unless the target has one
    size_t prelude_count;
    const jck_step *postlude;
    size_t postlude_count;
    jrpc_json requests;          // as in a target; or ABSENT
    jrpc_json client_requests;   // the same for requests that clients send unasked; or ABSENT
    const jck_mapping *mappings; // as in a target, for capabilities that it does not map itself
    size_t mapping_count;
    const jrpc_slice *declares; // as in a target; added to the target's
    size_t declare_count;
    const jck_denial *refusals; // of a target whose refusals show that a run would be pointless
    size_t refusal_count;
    const jck_change *changes; // those of the profile that it extends come first
    size_t change_count;
} jck_profile;

// Loads a profile: `word` is a name under DIRECTORY/profiles, or a file (it ends with ".json" or
// holds a "/"). Everything is checked against the suite: rules, suites, patterns that match
// nothing, differences without sentence or source. Every mistake is reported to `diagnose` (may be
// NULL) with file, line and column; *error is the first one. NULL also with USAGE if there is no
// such profile: the message names the known ones, nearest first. Lives as long as the suite.
const jck_profile *jck_profile_load(jck_suite *suite, const char *directory, const char *word,
                                    jck_diagnose diagnose, void *context, jrpc_error *error);
// Checks every profile under DIRECTORY/profiles as jck_profile_load does. False with *error if that
// could not be done; mistakes in the files are only reported to `diagnose`.
bool jck_profile_check_all(jck_suite *suite, const char *directory, jck_diagnose diagnose,
                           void *context, jrpc_error *error);

// Writes the profile's levels and answers into the suite; call it once, before anything reads the
// suite. False with MEMORY.
bool jck_profile_apply(jck_suite *suite, const jck_profile *profile, jrpc_error *error);
// Adds what the profile accepts to a case that is not in the suite; allocates in the arena. False
// if the profile leaves such a case out, or if out of memory.
bool jck_profile_admit(const jck_profile *profile, jrpc_arena *arena, jck_case *test_case);
// Removes from a selection (one bool per case of the suite) the cases that the profile leaves out
// and those whose decisive rule it switches off.
void jck_profile_restrict(const jck_suite *suite, const jck_profile *profile, bool *selected);
// Gives the target what the profile says about talking to it, unless the target says so itself, and
// the profile's name for the reports. False with MEMORY.
bool jck_profile_adopt(const jck_profile *profile, jck_target *target, jrpc_error *error);

// Whether a change is about a rule, or about a case.
bool jck_change_concerns_rule(const jck_change *change, jrpc_slice rule);
bool jck_change_concerns_case(const jck_change *change, const jck_case *test_case);

#endif
