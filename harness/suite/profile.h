// Profiles: what a family of servers promises beyond, or instead of, the specification. A profile
// is data (cases/profiles/NAME.json): which suites run, which rules weigh more or less, which
// answers are accepted beside the ones that a case asks for, which cases are left out, and how such
// servers are spoken to. Each difference carries the sentence that justifies it. It changes the
// suite before anything runs; the judge knows nothing of profiles.
#ifndef JCK_SUITE_PROFILE_H
#define JCK_SUITE_PROFILE_H

#include "harness/suite/suite.h"
#include "harness/suite/target.h"

// The profile where none is named. It needs no file.
#define JCK_PROFILE_DEFAULT "spec"

typedef enum jck_change_kind {
    JCK_CHANGE_LEVEL,     // `names` are rules: they get another level, or are taken out
    JCK_CHANGE_ACCEPT,    // `names` are patterns of cases: these answers to their calls do as well
    JCK_CHANGE_LEAVE_OUT, // `names` are patterns of cases: they are not run
} jck_change_kind;

// One difference from the specification. Text is owned by the suite.
typedef struct jck_change {
    jck_change_kind kind;
    const jrpc_slice *names; // a NUL follows each slice
    size_t name_count;
    bool off;                  // LEVEL: nothing is held against the rules at all
    jck_level level;           // LEVEL
    const jck_expect *answers; // ACCEPT: alternatives
    size_t answer_count;
    const jrpc_slice *sends; // not LEVEL: also the cases that send such messages (see sends.h)
    size_t send_count;
    bool hazards;        // LEAVE_OUT: also the cases that are expected to hurt
    bool methods;        // LEAVE_OUT: also the cases that need a method of the target
    jrpc_slice sentence; // what the profile's text says
    jrpc_slice source;   // where it says so
    jrpc_slice profile;  // the one that brings it: this one, or one that it extends
    const char *file;
    size_t line;
} jck_change;

typedef struct jck_profile {
    jrpc_slice name;
    jrpc_slice title;
    jrpc_slice url; // of the text it stands on, may be empty
    jrpc_slice extends;
    const char *const *suites; // that run when none is named; NULL: the default ones
    size_t suite_count;
    const char *const *client_suites; // the same for clients; NULL: the default one
    size_t client_suite_count;
    bool strict;      // a broken SHOULD makes the run non-conformant too
    bool no_discover; // the target is not asked for methods
    bool framing_given;
    jrpc_framing framing;        // of a stream, where the target says nothing
    const int *orderly_statuses; // as in a target; NULL where nothing is said
    size_t orderly_status_count;
    const char *const *headers; // as in a target, for names that it does not set itself
    const char *const *session_headers;
    const jck_mirror *mirrors;
    size_t mirror_count;
    jrpc_json request_params; // as in a target; ABSENT without
    // Profiles of which the target may speak one, tried in this order; NULL-terminated, or NULL.
    const char *const *revisions;
    size_t revision_count;
    jrpc_slice revision;     // what its prelude captures by that name where it is spoken
    const jck_step *prelude; // where the target has none
    size_t prelude_count;
    const jck_step *postlude;
    size_t postlude_count;
    jrpc_json requests;          // as in a target; ABSENT without
    jrpc_json client_requests;   // the same for what clients request by themselves; ABSENT without
    const jck_mapping *mappings; // as in a target, for capabilities that it does not map itself
    size_t mapping_count;
    const jrpc_slice *declares; // as in a target, which gets them too
    size_t declare_count;
    const jck_denial *refusals; // of a target that is not to be tested for what it says
    size_t refusal_count;
    const jck_change *changes; // those of the profile that it extends come first
    size_t change_count;
} jck_profile;

// Loads a profile: `word` is a name under DIRECTORY/profiles, or a file (it ends with ".json" or
// holds a "/"). Everything is checked against the suite: rules, suites, patterns that match
// nothing, differences without sentence or source. Everything wrong is reported to `diagnose` (may
// be NULL) with file, line and column; *error is the first thing. NULL also with USAGE when there
// is no such profile: the known ones, nearest first, are named. Lives as long as the suite.
const jck_profile *jck_profile_load(jck_suite *suite, const char *directory, const char *word,
                                    jck_diagnose diagnose, void *context, jrpc_error *error);
// Checks every profile under DIRECTORY/profiles as jck_profile_load does. False with *error when
// that could not be done; what is wrong in the files is reported only.
bool jck_profile_check_all(jck_suite *suite, const char *directory, jck_diagnose diagnose,
                           void *context, jrpc_error *error);

// Writes the profile's levels and answers into the suite; once, before anything reads it. False
// with MEMORY.
bool jck_profile_apply(jck_suite *suite, const jck_profile *profile, jrpc_error *error);
// What it accepts, for a case that is not of the suite; what is needed for that is in the arena.
// False if such a case is not run, or without room.
bool jck_profile_admit(const jck_profile *profile, jrpc_arena *arena, jck_case *test_case);
// Takes the cases that the profile leaves out, and those whose decisive rule it takes out, from a
// selection (one bool a case of the suite).
void jck_profile_restrict(const jck_suite *suite, const jck_profile *profile, bool *selected);
// Gives the target what the profile says about speaking to it, where it says nothing itself, and
// the profile's name for the reports. False with MEMORY.
bool jck_profile_adopt(const jck_profile *profile, jck_target *target, jrpc_error *error);

// Whether a change is about a rule, or about a case.
bool jck_change_concerns_rule(const jck_change *change, jrpc_slice rule);
bool jck_change_concerns_case(const jck_change *change, const jck_case *test_case);

#endif
