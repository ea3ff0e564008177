#include "harness/parser/patience.h"

#include <stddef.h>

// A process gets at most this many times its time, however busy the machine is.
#define TIMES_MAX 20
// The fraction of its time that a process must have worked since the first check, at half of it.
#define WORKED_PART 4

void jck_patience_begin(jck_patience *patience, int64_t now_us, int64_t full_us)
{
    *patience = (jck_patience){
        .full_us = full_us,
        .since_us = now_us,
        .next_us = now_us + full_us / 2,
    };
}

bool jck_patience_weigh(jck_patience *patience, const jrpc_os_work *work, int64_t now_us)
{
    bool first = !patience->looked;
    bool up = now_us - patience->since_us >= patience->full_us;
    patience->looked = true;
    if (first) {
        patience->cpu_us = work == NULL ? 0 : work->cpu_us;
    }
    patience->next_us =
        up ? now_us + patience->full_us / 4 : patience->since_us + patience->full_us;
    if (!up) {
        return false;
    }
    return work == NULL || !work->ready ||
           work->cpu_us - patience->cpu_us >= patience->full_us / WORKED_PART ||
           now_us - patience->since_us >= TIMES_MAX * patience->full_us;
}

bool jck_patience_ends(jck_patience *patience, pid_t group, int64_t now_us)
{
    jrpc_os_work work;
    bool known = jrpc_os_work_of_group(group, &work);
    return jck_patience_weigh(patience, known ? &work : NULL, now_us);
}
