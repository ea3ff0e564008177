// The command started for a target (--start), which all workers of a run share. It is started once,
// and once more each time it is gone, however many workers notice.
// Each start is a generation. A worker asks about the generation it has talked to by its number,
// because another worker may have started the next one meanwhile. Thread-safe.
#ifndef JCK_LINK_HOST_H
#define JCK_LINK_HOST_H

#include "harness/suite/target.h"
#include "reference/base/clock.h"
#include "reference/net/ending.h"
#include "reference/net/process.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define JCK_GENERATIONS_KEPT 16 // generations whose end is remembered
// How long after its connection a crashed process may take to end, and how long to wait for that at
// least when a crash is unlikely.
#define JCK_FOLLOW_MS 150
#define JCK_FOLLOW_LEAST_MS 10

// How one process ended.
typedef struct jck_host_end {
    uint32_t generation;
    jrpc_peer_ending ending;
    bool by_us; // a worker ended it: it says nothing about the target
    bool seen;  // a case has it on its record
} jck_host_end;

typedef struct jck_host {
    const jck_target *target; // borrowed
    const jrpc_clock *clock;  // borrowed
    int64_t grace_ms;
    int interrupt_fd; // once readable, waiting for the process to get ready ends; -1: none
    atomic_uint followed_in_vain; // waits for the end of a busy process that did not come
    pthread_mutex_t lock;         // guards everything below
    jrpc_process *process;
    uint32_t generation; // of the process; 0: none started yet
    bool answered;       // this generation was connected to and answered
    bool ever_answered;  // … or an earlier one
    jck_host_end ends[JCK_GENERATIONS_KEPT];
    jrpc_buffer tail; // the last output of the generation before this one
} jck_host;

// Initializes caller's storage; starts nothing. False without a lock.
bool jck_host_init(jck_host *host, const jck_target *target, const jrpc_clock *clock,
                   int64_t grace_ms, int interrupt_fd);
// Ends the process.
void jck_host_done(jck_host *host);

// Whether there is a command to start at all.
bool jck_host_is_used(const jck_host *host);
// Makes sure that a process runs and is ready in the way that the target's description says;
// *ret_generation is its number. False with *error (INTERRUPTED among others).
bool jck_host_start(jck_host *host, int64_t deadline_us, uint32_t *ret_generation,
                    jrpc_error *error);
// Notes that the generation answers; until then a refused connection may just have come too early.
void jck_host_answers(jck_host *host, uint32_t generation);
bool jck_host_is_starting(jck_host *host, uint32_t generation);
bool jck_host_has_answered(jck_host *host); // this generation or an earlier one

// Whether the generation has ended. Waits until the deadline; *ret_end says how it ended, if it
// has.
bool jck_host_is_gone(jck_host *host, uint32_t generation, int64_t deadline_us,
                      jck_host_end *ret_end);
// Whether the process of the generation ends soon after a connection to it did. Waits at least
// `least_ms` for that, and for a bounded time more while the process is busy. *ret_end as above.
bool jck_host_follows(jck_host *host, uint32_t generation, int64_t least_ms, jck_host_end *ret_end);
// Notes that a case has recorded the end of the generation, so that no other case has to.
void jck_host_note_seen(jck_host *host, uint32_t generation);
// Ends the generation if it still runs.
void jck_host_stop(jck_host *host, uint32_t generation);
// The id of the generation's process while it runs; else 0.
int64_t jck_host_process(jck_host *host, uint32_t generation);
// Whether a process, or another of its group, is running or could run. False for 0, and where the
// system cannot say.
bool jck_process_is_busy(int64_t process);
// Appends the last that the generation wrote to its standard error.
void jck_host_stderr_tail(jck_host *host, uint32_t generation, jrpc_buffer *out);

// How many times as long a wait may last because the machine is busy: at most `most` times, and 1
// if it is not so busy that the usual time is too short.
unsigned jck_busy_times(const jrpc_clock *clock, unsigned most);

// How long a process that we started may take. On a busy machine it gets less processor time, so
// the same work takes longer: when a wait for it is over, it may be extended. How often a process
// is looked at while the allowance lasts.
#define JCK_ALLOWANCE_LOOK_MS 50
// After this many extended waits in a row without an answer, the process is assumed to be working
// on something else.
#define JCK_ALLOWANCE_IN_VAIN_MAX 2

typedef struct jck_allowance {
    int64_t process;    // the group of that id; 0: none is known
    bool by_machine;    // then the wait grows with how busy the machine is
    int64_t began_us;   // when the wait began
    int64_t worked_us;  // the processor time that the process had used by then
    int64_t granted_us; // how long the wait was when it was over for the first time; 0: it was not
    bool lasted;        // it was waited for beyond that
    unsigned *in_vain;  // borrowed: such waits in vain, in a row
} jck_allowance;

// Notes that a wait for the process begins. `process` may be 0: none is known, and how busy the
// machine is decides alone, if `elastic`.
void jck_allowance_begin(jck_allowance *allowance, const jrpc_clock *clock, int64_t process,
                         bool elastic, unsigned *in_vain);
// When the wait is over: whether to go on, because the process is working and has had much less
// processor time than the wait lasted. It gets until it has had that much, within limits. If what
// the target does is not known, it gets as many times the wait as work takes on this machine now.
bool jck_allowance_lasts(jck_allowance *allowance, const jrpc_clock *clock);
// The answer has come. If it came in an extended wait, such waits count as useful again.
void jck_allowance_rewarded(jck_allowance *allowance);

#endif
