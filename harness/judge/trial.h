// Private to the judge: one case on trial, and what all parts of the judge need to know about it.
#ifndef JCK_JUDGE_TRIAL_H
#define JCK_JUDGE_TRIAL_H

#include "harness/judge/judge.h"
#include "harness/judge/match.h"

// A JSON text that was read for the trial; freed with it.
typedef struct jck_read {
    jrpc_json_document document;
    struct jck_read *next;
} jck_read;

typedef struct jck_trial {
    const jck_case *test_case;
    jck_variables *variables;
    const jck_evidence *evidence;
    const jck_calibration *calibration; // never NULL here
    jck_findings *findings;
    jck_matching matching;
    jrpc_arena *arena;
    jck_read *reads;
    bool *taken;                // messages of the record that a step has counted as its answer
    bool several_connections;   // the record has messages of more than one
    bool in_order;              // it has the messages of a step before those of later ones
    bool enough;                // an answer showed that the following steps do not apply
    const char *driver_mistake; // what the driver of a client did wrong, or NULL
    jrpc_slice blocked_by;      // the known root cause of a missing answer
} jck_trial;

// Notes what is asked about the record again and again: to be called for each new record.
void jck_trial_survey(jck_trial *trial);
// Messages of the record: from `from` to before `to`.
typedef struct jck_stretch {
    size_t from, to;
} jck_stretch;
// Where the messages of the steps `first` to `last` are: among others, if the record is not in
// order.
jck_stretch jck_trial_stretch(const jck_trial *trial, int first, int last);
// An empty document that lives as long as the trial; NULL if out of memory.
jrpc_json_document *jck_trial_document(jck_trial *trial);
// Reads a text for the life of the trial; ABSENT if it is not JSON (see *error) or if out of
// memory.
jrpc_json jck_trial_read(jck_trial *trial, jrpc_slice text, jrpc_error *error);
// A value's spelling, shortened and made printable for use in a sentence.
const char *jck_shown(jck_trial *trial, jrpc_json value);
// The error code of a Response, or the one that a pattern asks for; 0 if there is none.
int64_t jck_code_of(jrpc_json response);
// The rule that has a role for the case; the case's own first rule if none has.
jrpc_slice jck_trial_rule(const jck_trial *trial, jck_role role);
// The form that Responses must have.
jck_dialect jck_trial_dialect(const jck_trial *trial);
// Whether the case names a rule that has the role; whether its first rule has it.
bool jck_trial_names(const jck_trial *trial, jck_role role);
bool jck_trial_is_for(const jck_trial *trial, jck_role role);
// Whether the first rule of the case is about the topic.
bool jck_trial_is_about(const jck_trial *trial, jck_topic topic);
// The same for any rule.
bool jck_trial_has_role(const jck_trial *trial, jrpc_slice rule, jck_role role);
bool jck_trial_has_topic(const jck_trial *trial, jrpc_slice rule, jck_topic topic);
// Whether a ground case has shown that the target breaks the rule that has the role.
bool jck_trial_is_broken(const jck_trial *trial, jck_role role);

// What a case has sent, and the ids in it.

// Iterates over what was sent: each message, or each element of a batch.
//
//   jck_sent_walk walk = jck_walk_sent_of_case(trial);
//   while (jck_sent_step(&walk)) use(walk.message, walk.value);
typedef struct jck_sent_walk {
    const jck_message *message;
    jrpc_json value; // the message or the element; ABSENT if the message is not valid JSON
    // Private from here on.
    jck_trial *trial;
    const jck_evidence *evidence;
    char connection; // '\0': any
    bool of_case;
    size_t next;
    jrpc_json_iterator elements;
} jck_sent_walk;

// What the steps of the case sent, on any connection.
jck_sent_walk jck_walk_sent_of_case(jck_trial *trial);
// Whether a message that may be refused for its length was sent in the steps from `first` to
// `last`, over this connection, or over any if it is '\0'.
bool jck_sent_long(const jck_trial *trial, int first, int last, char connection);
// Everything that was sent on a connection, fences included.
jck_sent_walk jck_walk_sent_on(jck_trial *trial, char connection);
// False if there are no more.
bool jck_sent_step(jck_sent_walk *walk);
// Whether the case has sent a notification, alone or in a batch.
bool jck_has_sent_notification(jck_trial *trial);

// Whether we generated an id, for a fence or a step of any case.
bool jck_is_id_of_ours(jrpc_json id);
// Whether a message with this id was sent on the connection, alone or in a batch.
bool jck_was_sent(jck_trial *trial, char connection, jrpc_json id);
// Whether the id was used before on the connection, in a message that is no longer in flight: in an
// earlier step of the case, or once in the earlier cases that its failure depends on.
bool jck_was_used_before(jck_trial *trial, char connection, int step, jrpc_json id);
// Whether the case sent a call with this id and without params.
bool jck_was_sent_bare(jck_trial *trial, jrpc_json id);
// Whether a String that was sent as an id on the connection begins with this id, and is longer.
bool jck_was_sent_longer(jck_trial *trial, char connection, jrpc_json id);

// Reports a received message with a wrong Content-Length: the message is cut off, or the head of
// the next one is taken into it. Its JSON is not what is wrong. False if it is not such a message.
bool jck_add_cut_by_length(jck_trial *trial, const jck_message *message, int step);
// Whether such a message was reported: later bytes may be its rest, or messages may be hidden in
// Whether a message that is not JSON is the beginning of one that the target gave up, because the
// case had closed its side of the connection before `step`: it ends too soon, at `offset`.
bool jck_is_given_up(const jck_trial *trial, const jck_message *message, int step, size_t offset);
// it.
bool jck_was_cut_by_length(const jck_trial *trial);

#endif
