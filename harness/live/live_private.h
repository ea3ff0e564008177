// Private to live fuzzing: what its workers share, and what belongs to one worker.
#ifndef JCK_LIVE_LIVE_PRIVATE_H
#define JCK_LIVE_LIVE_PRIVATE_H

#include "harness/generate/grammar.h"
#include "harness/generate/mutate.h"
#include "harness/live/ahead.h"
#include "harness/live/edges.h"
#include "harness/live/kinds.h"
#include "harness/live/live.h"
#include "harness/live/pool.h"
#include "harness/live/replay.h"
#include "harness/live/round.h"
#include "harness/live/save.h"

struct jck_live {
    jck_live_options options;
    jck_kind_set kinds;
    jck_pool pool;
    jck_edges edges;      // of one worker at a time
    pthread_mutex_t lock; // guards everything below
    uint64_t messages;
    size_t findings;
    size_t flaky;
    unsigned workers;    // that have started
    int64_t began_us;    // 0: not yet
    int64_t reported_us; // when progress was reported last
    int64_t counted_us;  // when messages were counted last
    int64_t event_us;    // when the last event about the run as a whole was due
    unsigned working;    // workers that have not ended
    jrpc_error trouble;  // the first write that failed
};

// Sequences up to this are made as small as can be.
#define JCK_SHOTS_REDUCED 16u
// Plain calls that are sent to find out whether answers go missing now and then.
#define JCK_LOSS_MOST ((size_t)4 * JCK_ROUND_MOST)
#define JCK_FUZZER_METHODS 32
#define JCK_FUZZER_WORDS 64

// One worker.
typedef struct jck_fuzzer {
    jck_live *live;     // borrowed
    jck_worker *worker; // borrowed
    jrpc_random random; // of the messages
    jrpc_random splits; // of how a round is split into writes
    jrpc_arena arena;   // of everything that lives as long as the fuzzer
    jck_variables variables;
    jck_due_context context;
    jck_method methods[JCK_FUZZER_METHODS];
    jck_grammar grammar;
    jrpc_slice messages[JCK_FUZZER_WORDS];
    jck_vocabulary vocabulary;
    jck_mutator mutator;
    jck_round both[2];
    jck_round *round; // in progress, or free for trials once it is over
    jck_round *next;  // prepared while the current one is sent and answered
    jck_ahead ahead;  // fills `next`
    jck_replay replay;
    jrpc_buffer message; // being made
    size_t aim;          // messages of a round, at most
    size_t pace;         // likewise: of a slow target less is asked at a time
    bool looked, edged;  // whether the target shows its edges was looked at, and it does
    bool single;         // there is one connection, as with a child's pipes
    bool in_turn;        // the target serves one connection after the other
    jck_travel_limits travels;
    unsigned rounds;                     // since the last measurement
    int64_t measured_us;                 // when that was; 0: never
    unsigned measured;                   // number of the next thing to measure
    unsigned unopened;                   // times in a row that the target could not be opened
    unsigned unvisited;                  // rounds since a client last left early
    int64_t visited_us;                  // when that was
    unsigned visits;                     // so far
    unsigned unaccompanied;              // rounds since a message was last sent alone
    unsigned alone;                      // number of the next message sent alone
    unsigned unrelated;                  // rounds since answers were last compared
    unsigned related;                    // number of the form in which they are compared next
    unsigned uncounted;                  // rounds since effects were last counted
    jrpc_buffer written, written_before; // the end of the target's standard error, now and before
    unsigned unfollowed;   // rounds since a new kind of line in it was last followed up
    unsigned followed;     // kinds that were
    size_t suspicions;     // that were reported as such
    size_t swept;          // messages with an id of the next length
    uint64_t travel_every; // one message in this many travels in an unusual way
} jck_fuzzer;

// Prepares a fuzzer for its worker. False if out of memory.
bool jck_fuzzer_init(jck_fuzzer *fuzzer, jck_live *live, jck_worker *worker, unsigned number);
void jck_fuzzer_done(jck_fuzzer *fuzzer);
// Fills a round with messages.
void jck_fuzzer_fill(jck_fuzzer *fuzzer, jck_round *round);
// After a round that took so long: the next ones are longer or shorter. If the messages of the run
// are counted, the time does not matter: they are to be the same on every machine.
void jck_fuzzer_keep_pace(jck_fuzzer *fuzzer, int64_t took_us);
// Investigates a suspicious round. False if the run has been stopped.
bool jck_fuzzer_hunt(jck_fuzzer *fuzzer);
// If the target shows its edges: keeps the messages of the round that took new ones. `clean`: there
// is nothing else to investigate in the round, so further rounds may be run for this; otherwise the
// edges are only recorded. False if the run has been stopped.
bool jck_fuzzer_follow(jck_fuzzer *fuzzer, bool clean);
// The same for new kinds of lines on the standard error of a process that we started.
bool jck_fuzzer_follow_lines(jck_fuzzer *fuzzer, bool clean);
typedef enum jck_hunted {
    JCK_HUNTED_NOTHING,
    JCK_HUNTED_FINDING, // that was reported, now or before
    JCK_HUNTED_STOP,    // the run has been stopped
} jck_hunted;

// Sends messages as a case of their own, over new connections if `fresh`; a finding is followed up.
// `repeated`: they are copies of the first.
jck_hunted jck_fuzzer_try(jck_fuzzer *fuzzer, const jck_shot *shots, size_t count, bool fresh,
                          bool repeated);
// Shrinks, confirms and reports a finding that `shots` cause; `repeated`: jck_repeat made them of
// the first. `found`: what they showed. False if the run has been stopped; *ret_confirmed: it
// appeared again each time.
bool jck_fuzzer_confirm(jck_fuzzer *fuzzer, const jck_shot *shots, size_t count, bool repeated,
                        const jck_found *found, bool *ret_confirmed);
// Reports an unconfirmed suspicion: `what` was seen after the last of these messages.
void jck_fuzzer_suspect(jck_fuzzer *fuzzer, const jck_shot *shots, size_t count, const char *what);
// The same for a symptom of a round (NONE: an answer that belongs to no message).
void jck_fuzzer_suspect_round(jck_fuzzer *fuzzer, const jck_shot *shots, size_t count,
                              jck_symptom symptom, const char *why);
// Lets the next round wait not much longer than answers usually take, like a first look. What it
// misses is sent again with the full time before it becomes a finding.
void jck_fuzzer_hurry(jck_fuzzer *fuzzer);
// Sends plain calls that differ only in their ids over a new connection, JCK_LOSS_MOST at most. If
// one of them has no answer, returns how many they are up to that one; else 0. *ret_call: the first
// of them, with its bytes in the arena. *ret_goes_on: false if the run has been stopped.
size_t jck_fuzzer_find_loss(jck_fuzzer *fuzzer, jck_shot *ret_call, jrpc_arena *arena,
                            bool *ret_goes_on);
// From time to time measures what messages cost the target: time as they get longer, memory as they
// are repeated. False if the run has been stopped.
bool jck_fuzzer_measure(jck_fuzzer *fuzzer);
// From time to time lets a client leave without reading its answers, or in the middle of a message,
// and looks whether others are still served. False if the run has been stopped.
bool jck_fuzzer_visit(jck_fuzzer *fuzzer);
// From time to time sends a message of the round alone, and waits for its answer. False if the run
// has been stopped.
bool jck_fuzzer_send_alone(jck_fuzzer *fuzzer);
// From time to time compares the answers to one call in different forms. False if the run has been
// stopped.
bool jck_fuzzer_relate(jck_fuzzer *fuzzer);
// From time to time counts the effects of notifications and of messages that are not valid. False
// if the run has been stopped.
bool jck_fuzzer_count_effects(jck_fuzzer *fuzzer);
// Whether rules are named on the command line and this is not one of them.
bool jck_live_leaves_out(const jck_live *live, jrpc_slice rule);
// Whether the time or the number of messages is used up, or the run is stopping.
bool jck_live_is_over(jck_live *live, jck_worker *worker);
// Counts messages that were sent, and reports progress.
void jck_live_count(jck_live *live, jck_worker *worker, size_t messages);
// Reports how far the run has come, as an event.
void jck_live_report(jck_live *live, jck_worker *worker);
// Counts a finding and shows it; `sent`: the message that it was seen after.
void jck_live_count_finding(jck_live *live, const jck_finding *finding, jrpc_slice sent);
// Returns how many there are.
size_t jck_live_count_flaky(jck_live *live);
// Ends the run if a round could not be completed, and reports why. Returns whether it did.
bool jck_live_stop_for(jck_worker *worker, jck_round_outcome outcome, const jrpc_error *error);
// Keeps the first write error.
void jck_live_note_trouble(jck_live *live, const jrpc_error *error);

#endif
