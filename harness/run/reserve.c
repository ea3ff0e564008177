#include "harness/run/reserve.h"

#include "reference/base/os_linux.h"

// If a case takes this long, most of it is waiting, which several workers can do at once.
#define WAITING_US 20000
// A pause in a case takes this long.
#define PAUSE_US 250000
// Workers with a process each, and workers that share a process.
#define PROCESSES 4
#define CONNECTIONS 16
// A server that needs this long for a case because it is far away, or slow, may get more
// connections, a group at a time, as long as answers take at most 1 + 1/SLOWER_PART of the time
// that they took over a single one.
#define FAR_US 50000
#define FAR_CONNECTIONS 64
#define FAR_GROUP 16
#define SLOWER_PART 4
// A process spends most of its time waiting if it has used at most this much processor time and at
// most this fraction of the time that its cases took. Then there may be as many processes as
// connections.
#define IDLE_CPU_US 300000
#define IDLE_PART 10
// The cases that are left should take so many times as long as the start of a process.
#define WORTH_STARTS 4
// If the target needs this long for the cases, a second process works on them from the beginning.
// A case takes so many times as long as a ground case, which is a single call.
#define WORKING_US 1000000
#define GROUNDS_A_CASE 3
// Another process is called in if all workers would still need this long for the cases that are
// left, and the start of a process is worth it. What the last one changes shows only after so many
// cases.
#define LEFT_US 500000
#define CALL_CASES 16
// One case that waits for long counts only as so many cases that wait.
#define LONG_CASE 8

// Whether the process of a link spends most of its time waiting.
static bool is_idle(jck_link *link, int64_t took_us)
{
    int64_t process = jck_link_process(link);
    jrpc_os_work work;
    return process != 0 && jrpc_os_work_of_group((pid_t)process, &work) &&
           work.cpu_us <= IDLE_CPU_US && work.cpu_us * IDLE_PART <= took_us;
}

static unsigned processes(jck_link *link, int64_t took_us)
{
    return is_idle(link, took_us) ? CONNECTIONS : PROCESSES;
}

// Whether cases of this length are worth further processes.
static bool is_worth_starting(const jck_link *link, int64_t each_us, size_t cases)
{
    return each_us * (int64_t)cases > WORTH_STARTS * link->learned.starts_us;
}

// The workers beside the first one, each with a process of its own, if the target is fast. Two
// processors can work for two processes; most cases do not wait, so the others are kept in reserve.
// If a start costs less than the cases that are known to wait, one process begins with those.
static jck_others choose_for_fast(const jck_link *first, int64_t each_us, const jck_plan *plan)
{
    size_t cases = plan->case_count;
    if (!is_worth_starting(first, WAITING_US, cases)) {
        return (jck_others){0};
    }
    each_us *= GROUNDS_A_CASE;
    bool works = each_us * (int64_t)cases >= WORKING_US && is_worth_starting(first, each_us, cases);
    int64_t waits_us = WAITING_US * (int64_t)plan->waiting_count + PAUSE_US * (int64_t)plan->pauses;
    bool waits = is_worth_starting(first, waits_us, 1);
    return (jck_others){PROCESSES - 1, true, works || waits ? PROCESSES - 2 : PROCESSES - 1};
}

bool jck_reserve_is_careful(const jck_run_options *options, const jck_link *first)
{
    return options->plan.shuffle || options->fail_fast || options->explore != NULL ||
           options->timing.interval_us > 0 || first->deferred > 0;
}

jck_others jck_reserve_choose(const jck_ledger *ledger, jck_link *first, bool single,
                              const jck_plan *plan, int64_t took_us, int64_t longest_us)
{
    const jck_run_options *options = ledger->options;
    bool child = jck_target_traits(options->target)->is_child;
    bool apart = child || jck_target_has_own_port(options->target);
    // A ground case that waited in vain shows nothing about the other cases; a child that is
    // restarted shows much.
    int64_t waited_us = child ? took_us : took_us - longest_us;
    int64_t each_us = waited_us / (int64_t)(plan->ground_count + 1);
    if (options->jobs > 0) {
        return (jck_others){options->jobs - 1, child, 0};
    }
    bool careful = jck_reserve_is_careful(options, first);
    if (careful || (!apart && each_us < WAITING_US)) {
        return (jck_others){0};
    }
    if (apart && each_us < WAITING_US) {
        return choose_for_fast(first, each_us, plan);
    }
    if (apart && is_worth_starting(first, each_us, plan->case_count)) {
        return (jck_others){processes(first, took_us) - 1, true, 0};
    }
    // A target that mixes up the calls of two connections gets one call at a time; otherwise every
    // case would show that defect again. If cases end the process that all workers would share, one
    // worker is enough.
    bool fragile = jck_host_is_used(first->host) && first->generation > 1;
    if (child || fragile || single || ledger->mixes_connections) {
        return (jck_others){0};
    }
    unsigned more = each_us >= FAR_US ? FAR_CONNECTIONS - CONNECTIONS : 0;
    return (jck_others){.count = CONNECTIONS - 1 + more, .reserved = more};
}

// Counts a case in: the last few without starts of processes, since starting mostly computes, and
// several starts at once take several times as long; all cases with them. Returns the mean of the
// last few.
static int64_t count_in(jck_reserve *reserve, int64_t took_us, int64_t starts_us)
{
    const int64_t most_us = (int64_t)LONG_CASE * WAITING_US;
    reserve->all_us += took_us;
    reserve->longest_us = took_us > reserve->longest_us ? took_us : reserve->longest_us;
    took_us = took_us > starts_us ? took_us - starts_us : 0;
    int64_t *oldest = &reserve->took_us[reserve->cases++ % JCK_RESERVE_CASES];
    reserve->sum_us -= *oldest;
    *oldest = took_us < most_us ? took_us : most_us;
    reserve->sum_us += *oldest;
    return reserve->sum_us / JCK_RESERVE_CASES;
}

// Whether the workers that have been called so far need too long for the cases that are left.
static bool needs_one_more(const jck_reserve *reserve, const jck_link *link, size_t left)
{
    if (reserve->cases - reserve->called_at < CALL_CASES) {
        return false;
    }
    // A single long case shows nothing about the others.
    int64_t usual_us = reserve->all_us - reserve->longest_us;
    int64_t each_us = usual_us / (int64_t)reserve->cases / (int64_t)(reserve->called + 1);
    return each_us * (int64_t)left >= LEFT_US && is_worth_starting(link, each_us, left);
}

static void call(jck_ledger *ledger, unsigned more)
{
    jck_reserve *reserve = &ledger->reserve;
    reserve->called += more;
    reserve->called_at = reserve->cases;
    reserve->tickets += more;
    ledger->jobs = ledger->jobs == 1 ? 1 + reserve->size : ledger->jobs;
    (void)pthread_cond_broadcast(&reserve->changed);
}

void jck_reserve_note(jck_ledger *ledger, const jck_link *link, const jck_plan *plan,
                      int64_t took_us, int64_t starts_us)
{
    jck_reserve *reserve = &ledger->reserve;
    if (reserve->size == 0) {
        return; // the workers that the user wants have begun
    }
    (void)pthread_mutex_lock(&ledger->lock);
    int64_t each_us = count_in(reserve, took_us, starts_us);
    size_t left = plan->case_count - ledger->given;
    if (reserve->called == reserve->size) {
        // none is left
    } else if (!ledger->apart) {
        call(ledger, jck_ledger_has_room(ledger, FAR_GROUP, SLOWER_PART) ? FAR_GROUP : 0);
    } else if (each_us >= WAITING_US && is_worth_starting(link, each_us, left)) {
        call(ledger, reserve->size - reserve->called);
    } else if (needs_one_more(reserve, link, left)) {
        call(ledger, 1);
    }
    (void)pthread_mutex_unlock(&ledger->lock);
}

bool jck_reserve_wait(jck_ledger *ledger)
{
    jck_reserve *reserve = &ledger->reserve;
    (void)pthread_mutex_lock(&ledger->lock);
    while (!reserve->over && reserve->tickets == 0 && reserve->called < reserve->size) {
        (void)pthread_cond_wait(&reserve->changed, &ledger->lock);
    }
    bool needed = !reserve->over && reserve->tickets > 0;
    reserve->tickets -= needed;
    (void)pthread_mutex_unlock(&ledger->lock);
    return needed;
}

void jck_reserve_end(jck_ledger *ledger)
{
    (void)pthread_mutex_lock(&ledger->lock);
    ledger->reserve.over = true;
    (void)pthread_cond_broadcast(&ledger->reserve.changed);
    (void)pthread_mutex_unlock(&ledger->lock);
}
