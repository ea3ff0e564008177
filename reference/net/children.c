#include "reference/net/children.h"

#include "reference/base/os_linux.h"
#include "reference/net/guardian.h"
#include "reference/net/process.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

enum { SWEEPS_MAXIMUM = 16 }; // an orphan's own children become orphans in their turn

typedef struct pid_list {
    pid_t *pids;
    size_t count;
    size_t capacity;
} pid_list;

// The register belongs to the process, as the children do: the one place where a static is right.
static struct {
    pthread_mutex_t lock;
    bool owns; // every child but the foreign ones is ours; not changed once there are threads
    pid_list foreign; // children from before that
    pid_list started;
    int guardian; // who ends them if we are killed; -1: nobody
} children = {.lock = PTHREAD_MUTEX_INITIALIZER, .guardian = -1};

static bool list_reserve(pid_list *list)
{
    if (list->count < list->capacity) {
        return true;
    }
    size_t capacity = list->capacity == 0 ? 16 : list->capacity * 2;
    pid_t *pids = realloc(list->pids, capacity * sizeof *pids);
    if (pids == NULL) {
        return false;
    }
    list->pids = pids;
    list->capacity = capacity;
    return true;
}

static bool list_has(const pid_list *list, pid_t pid)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->pids[i] == pid) {
            return true;
        }
    }
    return false;
}

static void add_foreign(void *context, pid_t pid)
{
    bool *complete = context;
    if (!list_reserve(&children.foreign)) {
        *complete = false;
        return;
    }
    children.foreign.pids[children.foreign.count++] = pid;
}

void jrpc_process_own_descendants(void)
{
    // Before we adopt orphans: it is to be one.
    children.guardian = children.owns ? children.guardian : jrpc_guardian_start();
    // Whoever is our child by now was started by somebody else, such as a shell that became us.
    bool complete = true;
    children.owns = children.owns || (jrpc_os_each_child(add_foreign, &complete) && complete &&
                                      jrpc_os_become_subreaper());
}

static void kill_own(void *context, pid_t pid)
{
    (void)context;
    if (!list_has(&children.foreign, pid)) {
        (void)kill(-pid, SIGKILL);
        (void)kill(pid, SIGKILL);
    }
}

void jrpc_process_kill_descendants(void)
{
    if (children.owns) {
        (void)jrpc_os_each_child(kill_own, NULL);
    }
}

int jrpc_children_spawn(pid_t *ret_pid, const char *program,
                        const posix_spawn_file_actions_t *actions,
                        const posix_spawnattr_t *attributes, char *const *argv,
                        char *const *environment)
{
    pthread_mutex_lock(&children.lock);
    int failure = ENOMEM;
    if (list_reserve(&children.started)) {
        pid_t pid;
        failure = posix_spawnp(&pid, program, actions, attributes, argv, environment);
        if (failure == 0) {
            children.started.pids[children.started.count++] = pid;
            jrpc_guardian_watch(children.guardian, pid);
            *ret_pid = pid;
        }
    }
    pthread_mutex_unlock(&children.lock);
    return failure;
}

static pid_t wait_for(pid_t pid)
{
    pid_t reaped;
    do {
        reaped = waitpid(pid, NULL, 0);
    } while (reaped < 0 && errno == EINTR);
    return reaped;
}

static void end_orphan(void *context, pid_t pid)
{
    size_t *ended = context;
    if (!list_has(&children.foreign, pid)) {
        (void)kill(pid, SIGKILL);
        (void)wait_for(pid);
        ++*ended;
    }
}

void jrpc_children_reap(pid_t pid)
{
    pthread_mutex_lock(&children.lock);
    jrpc_guardian_forget(children.guardian, pid); // once reaped, its number may be another's
    (void)wait_for(pid);
    pid_list *started = &children.started;
    for (size_t i = 0; i < started->count; i++) {
        if (started->pids[i] == pid) {
            started->pids[i] = started->pids[--started->count];
            break;
        }
    }
    if (children.owns && started->count == 0) {
        size_t ended = 1;
        for (int sweep = 0; sweep < SWEEPS_MAXIMUM && ended > 0; sweep++) {
            ended = 0;
            (void)jrpc_os_each_child(end_orphan, &ended);
        }
    }
    pthread_mutex_unlock(&children.lock);
}
