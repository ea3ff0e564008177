#include "harness/run/runner.h"

#include "harness/run/announce.h"
#include "harness/run/client_run.h"
#include "harness/run/worker.h"
#include "reference/base/os_linux.h"

#include <pthread.h>

#define RUN_BYTES ((size_t)256 << 20)
// With several workers, cases with this many steps are scheduled first.
#define LONG_STEPS 6

static void run_share(jck_worker *worker)
{
    const jck_run_options *options = worker->ledger->options;
    if (options->explore != NULL) {
        options->explore(options->explorer, worker);
    } else {
        jck_worker_run_cases(worker);
    }
}

// If the user gave no number of workers, a further worker takes no case before the target answers
// it. If it does not, fewer workers run the same plan, which need not be reported.
static void *run_worker(void *context)
{
    jck_worker *worker = context;
    if (worker->ledger->options->jobs > 0 || jck_worker_is_let_in(worker)) {
        run_share(worker);
    }
    return NULL;
}

// If a case takes this long, most of it is waiting, which several workers can do at once.
#define WAITING_US 20000
#define CHILDREN 4
#define CONNECTIONS 16
// A child spends most of its time waiting if it has used at most this much processor time and at
// most this fraction of the time that its cases took. Then there may be as many children as
// connections.
#define IDLE_CPU_US 300000
#define IDLE_PART 10

// Whether the child of a link spends most of its time waiting.
static bool is_idle(jck_link *link, int64_t took_us)
{
    int64_t process = jck_link_process(link);
    jrpc_os_work work;
    return process != 0 && jrpc_os_work_of_group((pid_t)process, &work) &&
           work.cpu_us <= IDLE_CPU_US && work.cpu_us * IDLE_PART <= took_us;
}

// How many workers pay off on a target, after its ground cases have shown how long a case takes.
static unsigned choose_jobs(const jck_run_options *options, jck_worker *first, const jck_plan *plan,
                            int64_t took_us)
{
    // A target that mixes up the calls of two connections gets one call at a time; otherwise every
    // case would show that defect again.
    bool mixes = first->ledger->mixes_connections;
    // A ground case that waited in vain shows nothing about the other cases; a child that is
    // restarted shows much.
    bool child = jck_target_traits(options->target)->is_child;
    int64_t counted_us = child ? took_us : took_us - first->longest_us;
    int64_t each_us = counted_us / (int64_t)(plan->ground_count + 1);
    int64_t left_us = each_us * (int64_t)plan->case_count;
    jck_link *link = &first->link;
    bool careful = !options->discover || options->plan.shuffle || options->fail_fast ||
                   options->timing.interval_us > 0 || link->deferred > 0 || first->session.single ||
                   mixes;
    // If cases end the process that all workers would share, one worker is enough.
    bool fragile = jck_host_is_used(link->host) && link->generation > 1;
    if (options->jobs > 0 || careful || fragile || each_us < WAITING_US ||
        options->explore != NULL) {
        return options->jobs > 0 ? options->jobs : 1;
    }
    if (child) {
        unsigned many = is_idle(link, took_us) ? CONNECTIONS : CHILDREN;
        return left_us > 4 * link->opening.took_us ? many : 1;
    }
    return CONNECTIONS;
}

static void settle_account(jck_ledger *ledger, const jck_worker *worker)
{
    ledger->result.timers_expired += worker->session.timers_expired;
    ledger->result.sessions_lost += worker->sessions_lost;
    jck_spent_add(&ledger->result.spent, &worker->link.spent);
}

// The first worker has run the grounds; it and the others share the rest of the plan.
static void run_workers(jck_ledger *ledger, const jck_plan *plan, jck_worker *first,
                        jrpc_arena *arena)
{
    unsigned others = ledger->jobs - 1;
    jck_ledger_begin_crowd(ledger);
    jck_worker *workers = jrpc_arena_array(arena, others + 1, sizeof *workers);
    pthread_t *threads = jrpc_arena_array(arena, others + 1, sizeof *threads);
    unsigned started = 0;
    while (workers != NULL && threads != NULL && started < others) {
        jck_worker_init(&workers[started], ledger, plan);
        workers[started].optional = ledger->options->jobs == 0;
        if (!jck_link_learn_from(&workers[started].link, &first->link) ||
            pthread_create(&threads[started], NULL, run_worker, &workers[started]) != 0) {
            jck_worker_done(&workers[started]);
            break; // fewer workers run the same plan
        }
        started++;
    }
    run_share(first);
    for (unsigned i = 0; i < started; i++) {
        (void)pthread_join(threads[i], NULL);
        settle_account(ledger, &workers[i]);
        jck_worker_done(&workers[i]);
    }
}

static void run_server(const jck_run_options *options, jck_ledger *ledger, const jck_plan *plan,
                       jrpc_arena *arena)
{
    jck_worker first;
    jck_worker_init(&first, ledger, plan);
    size_t mapped = options->target->mapping_count;
    bool silence = false;
    bool opened = jck_worker_open(&first, &silence);
    jck_announce_start(ledger, plan, mapped);
    int64_t opened_us = jrpc_clock_now_us(options->clock);
    if (opened && jck_worker_run_grounds(&first)) {
        ledger->jobs =
            choose_jobs(options, &first, plan, jrpc_clock_now_us(options->clock) - opened_us);
        run_workers(ledger, plan, &first, arena);
        // Only the time limit ends exploring.
        if (options->explore != NULL && ledger->result.end == JCK_RUN_TIME_UP) {
            ledger->result.end = JCK_RUN_FINISHED;
        }
    } else if (silence) {
        jck_worker_report_silence(&first);
    }
    settle_account(ledger, &first);
    jck_worker_done(&first);
}

static void run_client(const jck_run_options *options, jck_ledger *ledger, const jck_plan *plan,
                       jrpc_arena *arena)
{
    jck_client_run run;
    jck_client_run_init(&run, ledger, plan);
    bool opened = jck_client_run_open(&run);
    jck_announce_start(ledger, plan, options->target->mapping_count);
    if (opened) {
        jck_client_run_cases(&run, arena);
    }
    jck_client_run_done(&run);
}

void jck_run(const jck_run_options *options, jck_run_result *ret_result)
{
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), RUN_BYTES);
    int64_t began_us = jrpc_clock_now_us(options->clock);
    jck_ledger ledger;
    jck_plan plan = {0};
    jck_plan_options ordered = options->plan;
    ordered.side = options->side;
    ordered.undriven = options->client.undriven;
    ordered.bare_last = options->side == JCK_SIDE_SERVER && options->target != NULL &&
                        jck_target_traits(options->target)->is_child;
    ordered.long_steps = options->jobs > 1 ? LONG_STEPS : 0;
    if (!jck_ledger_init(&ledger, options, &arena) ||
        !jck_plan_make(options->suite, &ordered, &arena, &plan)) {
        *ret_result = (jck_run_result){.end = JCK_RUN_FAULT};
        jrpc_error_set(&ret_result->error, JRPC_ERROR_MEMORY, "out of memory for the plan");
        jrpc_arena_done(&arena);
        return;
    }
    if (options->side == JCK_SIDE_CLIENT) {
        run_client(options, &ledger, &plan, &arena);
    } else {
        run_server(options, &ledger, &plan, &arena);
    }
    jck_announce_finish(&ledger, began_us);
    *ret_result = ledger.result;
    jck_ledger_done(&ledger);
    jrpc_arena_done(&arena);
}
