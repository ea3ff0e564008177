#include "harness/link/host.h"

#include "reference/base/limits.h"
#include "reference/base/os_linux.h"

// The longest wait for the end of a process that is busy: on a loaded machine everything takes
// long. Each such wait in vain halves the next one, up to this many times.
#define WORKING_MS 1200
#define IN_VAIN_MAX 8
#define LOOK_AGAIN_MS 10
// A process has had enough processor time if that is shorter than the wait by at most this part.
#define LEFT_PART 4
// The longest wait, as a multiple of the one for an idle machine.
#define WAIT_TIMES 8
// The same if it is not known whether the target works at all.
#define WAIT_TIMES_UNKNOWN 4
// If work takes less than this many times as long as on an idle machine, the usual times suffice:
// they are many times what a target needs.
#define BUSY_LEAST 5

bool jck_host_init(jck_host *host, const jck_target *target, const jrpc_clock *clock,
                   int64_t grace_ms, int interrupt_fd)
{
    *host = (jck_host){
        .target = target, .clock = clock, .grace_ms = grace_ms, .interrupt_fd = interrupt_fd};
    jrpc_buffer_init(&host->tail, jrpc_allocator_heap(), JRPC_LIMIT_STDERR_TAIL_BYTES);
    return pthread_mutex_init(&host->lock, NULL) == 0;
}

void jck_host_done(jck_host *host)
{
    jrpc_process_free(host->process, host->grace_ms);
    jrpc_buffer_done(&host->tail);
    pthread_mutex_destroy(&host->lock);
}

bool jck_host_is_used(const jck_host *host)
{
    return host->target->start != NULL;
}

// The remembered end of a generation, or NULL. Called with the lock held.
static const jck_host_end *end_of(const jck_host *host, uint32_t generation)
{
    const jck_host_end *end = &host->ends[generation % JCK_GENERATIONS_KEPT];
    return end->generation == generation && generation > 0 ? end : NULL;
}

// Looks whether the process has ended, and remembers how. Called with the lock held.
static bool look(jck_host *host, int64_t deadline_us)
{
    if (host->process == NULL || end_of(host, host->generation) != NULL) {
        return true;
    }
    int value = 0;
    jrpc_end_kind kind = JRPC_END_OPEN;
    switch (jrpc_process_wait(host->process, host->clock, deadline_us, &value)) {
    case JRPC_PROCESS_RUNNING:
        return false;
    case JRPC_PROCESS_EXITED:
        kind = JRPC_END_EXITED;
        break;
    case JRPC_PROCESS_SIGNALED:
        kind = JRPC_END_SIGNALED;
        break;
    }
    host->ends[host->generation % JCK_GENERATIONS_KEPT] =
        (jck_host_end){.generation = host->generation, .ending = {kind, value}};
    return true;
}

// Called with the lock held.
static void free_process(jck_host *host)
{
    if (host->process != NULL) {
        jrpc_buffer_clear(&host->tail);
        jrpc_process_stderr_tail(host->process, &host->tail);
    }
    jrpc_process_free(host->process, host->grace_ms);
    host->process = NULL;
}

static bool start(jck_host *host, int64_t deadline_us, jrpc_error *error)
{
    const jrpc_process_options options = {
        .argv = host->target->start,
        .directory = host->target->directory,
        .environment = host->target->environment,
        .memory = host->target->memory,
        .talk = false,
    };
    free_process(host);
    host->process = jrpc_process_start(&options, error);
    if (host->process == NULL) {
        return false;
    }
    host->generation++;
    host->answered = false;
    return host->target->ready != JCK_READY_LINE ||
           jrpc_process_wait_output(host->process, host->target->ready_text, host->clock,
                                    deadline_us, host->interrupt_fd, error);
}

bool jck_host_start(jck_host *host, int64_t deadline_us, uint32_t *ret_generation,
                    jrpc_error *error)
{
    if (!jck_host_is_used(host)) {
        return true;
    }
    (void)pthread_mutex_lock(&host->lock);
    bool running = !look(host, 0) || start(host, deadline_us, error);
    *ret_generation = host->generation;
    (void)pthread_mutex_unlock(&host->lock);
    return running;
}

void jck_host_answers(jck_host *host, uint32_t generation)
{
    (void)pthread_mutex_lock(&host->lock);
    host->answered = host->answered || host->generation == generation;
    host->ever_answered = true;
    (void)pthread_mutex_unlock(&host->lock);
}

bool jck_host_is_starting(jck_host *host, uint32_t generation)
{
    (void)pthread_mutex_lock(&host->lock);
    bool starting = host->process != NULL && host->generation == generation && !host->answered;
    (void)pthread_mutex_unlock(&host->lock);
    return starting;
}

bool jck_host_has_answered(jck_host *host)
{
    (void)pthread_mutex_lock(&host->lock);
    bool answered = host->ever_answered;
    (void)pthread_mutex_unlock(&host->lock);
    return answered;
}

bool jck_host_is_gone(jck_host *host, uint32_t generation, int64_t deadline_us,
                      jck_host_end *ret_end)
{
    if (!jck_host_is_used(host) || generation == 0) {
        return false;
    }
    (void)pthread_mutex_lock(&host->lock);
    bool gone = host->generation != generation || look(host, deadline_us);
    const jck_host_end *end = gone ? end_of(host, generation) : NULL;
    const jck_host_end forgotten = {
        .generation = generation, .ending = {JRPC_END_CLOSED, 0}, .by_us = true};
    *ret_end = end != NULL ? *end : gone ? forgotten : (jck_host_end){.generation = generation};
    (void)pthread_mutex_unlock(&host->lock);
    return gone;
}

bool jck_process_is_busy(int64_t process)
{
    jrpc_os_work work;
    return process != 0 && jrpc_os_work_of_group((pid_t)process, &work) && work.ready;
}

bool jck_host_follows(jck_host *host, uint32_t generation, int64_t least_ms, jck_host_end *ret_end)
{
    const int64_t last_us =
        jrpc_deadline_in_ms(host->clock, WORKING_MS >> atomic_load(&host->followed_in_vain));
    bool gone =
        jck_host_is_gone(host, generation, jrpc_deadline_in_ms(host->clock, least_ms), ret_end);
    // A process that is idle may have ended since the look before: it is looked at once more.
    for (bool busy = true; !gone && busy;) {
        busy = jck_process_is_busy(jck_host_process(host, generation));
        if (busy && jrpc_clock_now_us(host->clock) >= last_us) {
            unsigned vain = atomic_load(&host->followed_in_vain);
            atomic_store(&host->followed_in_vain, vain + (vain < IN_VAIN_MAX));
            break;
        }
        int64_t wait_ms = busy ? LOOK_AGAIN_MS : 0;
        gone =
            jck_host_is_gone(host, generation, jrpc_deadline_in_ms(host->clock, wait_ms), ret_end);
    }
    return gone;
}

void jck_host_note_seen(jck_host *host, uint32_t generation)
{
    (void)pthread_mutex_lock(&host->lock);
    jck_host_end *end = &host->ends[generation % JCK_GENERATIONS_KEPT];
    end->seen = end->seen || end->generation == generation;
    (void)pthread_mutex_unlock(&host->lock);
}

void jck_host_stop(jck_host *host, uint32_t generation)
{
    if (!jck_host_is_used(host) || generation == 0) {
        return;
    }
    (void)pthread_mutex_lock(&host->lock);
    if (host->generation == generation && host->process != NULL) {
        if (!look(host, 0)) {
            host->ends[generation % JCK_GENERATIONS_KEPT] =
                (jck_host_end){.generation = generation, .by_us = true};
        }
        free_process(host);
    }
    (void)pthread_mutex_unlock(&host->lock);
}

int64_t jck_host_process(jck_host *host, uint32_t generation)
{
    (void)pthread_mutex_lock(&host->lock);
    bool runs = host->generation == generation && host->process != NULL;
    int64_t id = runs ? jrpc_process_pid(host->process) : 0;
    (void)pthread_mutex_unlock(&host->lock);
    return id;
}

void jck_host_stderr_tail(jck_host *host, uint32_t generation, jrpc_buffer *out)
{
    (void)pthread_mutex_lock(&host->lock);
    if (host->generation == generation && host->process != NULL) {
        jrpc_process_stderr_tail(host->process, out);
    } else {
        (void)jrpc_buffer_append(out, jrpc_buffer_slice(&host->tail));
    }
    (void)pthread_mutex_unlock(&host->lock);
}

unsigned jck_busy_times(const jrpc_clock *clock, unsigned most)
{
    unsigned slowdown = jrpc_clock_slowdown(clock);
    return slowdown < BUSY_LEAST ? 1 : slowdown < most ? slowdown : most;
}

void jck_allowance_begin(jck_allowance *allowance, const jrpc_clock *clock, int64_t process,
                         bool elastic, unsigned *in_vain)
{
    jrpc_os_work work = {0};
    bool hopes = *in_vain < JCK_ALLOWANCE_IN_VAIN_MAX;
    bool known = hopes && process != 0 && jrpc_os_work_of_group((pid_t)process, &work);
    *allowance = (jck_allowance){
        .process = known ? process : 0,
        .by_machine = hopes && process == 0 && elastic,
        .began_us = jrpc_clock_now_us(clock),
        .worked_us = work.cpu_us,
        .in_vain = in_vain,
    };
}

// Whether the process works and has not had the processor time that the wait was meant for.
static bool lacks_time(const jck_allowance *allowance)
{
    jrpc_os_work work;
    int64_t enough_us = allowance->granted_us - allowance->granted_us / LEFT_PART;
    return jrpc_os_work_of_group((pid_t)allowance->process, &work) && work.ready &&
           work.cpu_us - allowance->worked_us < enough_us;
}

bool jck_allowance_lasts(jck_allowance *allowance, const jrpc_clock *clock)
{
    int64_t passed_us = jrpc_clock_now_us(clock) - allowance->began_us;
    allowance->granted_us = allowance->granted_us == 0 ? passed_us : allowance->granted_us;
    bool lasts = false;
    if (allowance->process != 0) {
        lasts = passed_us < allowance->granted_us * WAIT_TIMES && lacks_time(allowance);
    } else if (allowance->by_machine) {
        lasts = passed_us < allowance->granted_us * jck_busy_times(clock, WAIT_TIMES_UNKNOWN);
    }
    if (!lasts && allowance->lasted) {
        *allowance->in_vain += 1;
        allowance->process = 0;
        allowance->by_machine = false;
    }
    allowance->lasted = lasts;
    return lasts;
}

void jck_allowance_rewarded(jck_allowance *allowance)
{
    if (allowance->lasted) {
        *allowance->in_vain = 0;
    }
}
