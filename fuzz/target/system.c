// A list of operations on what base takes from the operating system, each beside what is known of
// it: bytes through pipes and sockets arrive as they were sent, every job of a pool runs once, a
// child is seen while it is there, time goes forward, generators repeat. Where no descriptor or no
// memory is left, each says so and leaves everything as it was.
//
// Every operation is a byte that says what and a byte that says how much. Those that start threads
// or processes are done a few times at most.
#include "fuzz/folder.h"
#include "fuzz/fuzz.h"
#include "reference/base/clock.h"
#include "reference/base/os_linux.h"
#include "reference/base/random.h"
#include "reference/base/thread.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PIPES = 4, OPERATIONS = 64, POOLS = 2, JOBS = 48 };

// A sanitizer ends the process where memory runs out, so that there is nothing to be claimed.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MEMORY_MAY_RUN_OUT false
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) ||                         \
    __has_feature(thread_sanitizer)
#define MEMORY_MAY_RUN_OUT false
#endif
#endif
#ifndef MEMORY_MAY_RUN_OUT
#define MEMORY_MAY_RUN_OUT true
#endif

typedef struct models {
    int pipes[PIPES][2];   // open where `open`
    size_t waiting[PIPES]; // bytes that were written and not yet read
    unsigned char next_out[PIPES], next_in[PIPES];
    bool open[PIPES];
    size_t pools, children; // so far
    uint64_t peak;          // bytes
    int64_t now;            // microseconds
} models;

static bool closes_on_exec(int descriptor)
{
    return (fcntl(descriptor, F_GETFD) & FD_CLOEXEC) != 0;
}

// As if so many descriptors were open that none, or only `more`, can be had.
static void leave_descriptors(int more, struct rlimit *ret_before)
{
    int lowest = dup(STDERR_FILENO);
    FUZZ_REQUIRE(lowest >= 0 && close(lowest) == 0);
    FUZZ_REQUIRE(getrlimit(RLIMIT_NOFILE, ret_before) == 0);
    struct rlimit limit = *ret_before;
    limit.rlim_cur = (rlim_t)(lowest + more);
    FUZZ_REQUIRE(setrlimit(RLIMIT_NOFILE, &limit) == 0);
}

static void restore_descriptors(const struct rlimit *before)
{
    FUZZ_REQUIRE(setrlimit(RLIMIT_NOFILE, before) == 0);
}

static void use_pipe(models *m, size_t number)
{
    size_t at = number % PIPES;
    if (m->open[at]) {
        // What was written and not read is still there, and then comes the end.
        FUZZ_REQUIRE(close(m->pipes[at][1]) == 0);
        char rest[256];
        FUZZ_REQUIRE(read(m->pipes[at][0], rest, sizeof rest) == (ssize_t)m->waiting[at]);
        FUZZ_REQUIRE(m->waiting[at] == 0 || read(m->pipes[at][0], rest, 1) == 0);
        FUZZ_REQUIRE(close(m->pipes[at][0]) == 0);
        m->open[at] = false;
        return;
    }
    FUZZ_REQUIRE(jrpc_os_pipe(m->pipes[at]));
    FUZZ_REQUIRE(closes_on_exec(m->pipes[at][0]) && closes_on_exec(m->pipes[at][1]));
    m->open[at] = true;
    m->waiting[at] = 0;
    m->next_in[at] = m->next_out[at] = 0;
}

static void write_pipe(models *m, size_t number)
{
    size_t at = number % PIPES;
    size_t len = number / PIPES;
    unsigned char bytes[64];
    if (!m->open[at] || m->waiting[at] + len > 200) {
        return;
    }
    for (size_t i = 0; i < len; i++) {
        bytes[i] = m->next_out[at]++;
    }
    FUZZ_REQUIRE(write(m->pipes[at][1], bytes, len) == (ssize_t)len);
    m->waiting[at] += len;
}

static void read_pipe(models *m, size_t number)
{
    size_t at = number % PIPES;
    unsigned char bytes[64];
    if (!m->open[at] || m->waiting[at] == 0) {
        return;
    }
    size_t wanted = number / PIPES + 1 < sizeof bytes ? number / PIPES + 1 : sizeof bytes;
    ssize_t got = read(m->pipes[at][0], bytes, wanted);
    FUZZ_REQUIRE(got == (ssize_t)(wanted < m->waiting[at] ? wanted : m->waiting[at]));
    for (ssize_t i = 0; i < got; i++) {
        FUZZ_REQUIRE(bytes[i] == m->next_in[at]++);
    }
    m->waiting[at] -= (size_t)got;
}

// A listener, one that connects, and what it wrote counts as under way until it is read.
static void use_sockets(size_t number)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    (void)snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", fuzz_folder());
    (void)unlink(address.sun_path);
    int listener = jrpc_os_socket(AF_UNIX, SOCK_STREAM, 0);
    int caller = jrpc_os_socket(AF_UNIX, SOCK_STREAM, 0);
    FUZZ_REQUIRE(listener >= 0 && caller >= 0);
    FUZZ_REQUIRE(closes_on_exec(listener) && closes_on_exec(caller));
    const struct sockaddr *to = (const struct sockaddr *)&address;
    FUZZ_REQUIRE(bind(listener, to, sizeof address) == 0 && listen(listener, 1) == 0);
    FUZZ_REQUIRE(connect(caller, to, sizeof address) == 0);
    int accepted = jrpc_os_accept(listener);
    FUZZ_REQUIRE(accepted >= 0 && closes_on_exec(accepted));
    FUZZ_REQUIRE(jrpc_os_unacknowledged(caller) == 0);
    char bytes[256] = {0};
    if (number != 0) {
        FUZZ_REQUIRE(write(caller, bytes, number) == (ssize_t)number);
        FUZZ_REQUIRE(jrpc_os_unacknowledged(caller) >= number);
        FUZZ_REQUIRE(read(accepted, bytes, sizeof bytes) == (ssize_t)number);
    }
    FUZZ_REQUIRE(jrpc_os_unacknowledged(caller) == 0);
    FUZZ_REQUIRE(close(accepted) == 0 && close(caller) == 0 && close(listener) == 0);
    FUZZ_REQUIRE(unlink(address.sun_path) == 0);
    // What is not a socket has nothing under way, and nobody calls it.
    FUZZ_REQUIRE(jrpc_os_unacknowledged(-1) == 0);
    FUZZ_REQUIRE(jrpc_os_accept(-1) == -1 && errno == EBADF);
    FUZZ_REQUIRE(jrpc_os_socket(AF_UNIX, -1, 0) == -1);
}

typedef struct seen {
    pid_t wanted;
    size_t count;
} seen;

static void visit(void *context, pid_t pid)
{
    seen *children = context;
    children->count += pid == children->wanted ? 1 : 0;
    FUZZ_REQUIRE(pid > 0 && pid != getpid());
}

static size_t count_child(pid_t pid)
{
    seen children = {.wanted = pid};
    FUZZ_REQUIRE(jrpc_os_each_child(visit, &children));
    return children.count;
}

// A child that says where it stands, and is there until it was waited for.
static void use_child(models *m)
{
    static const char program[] = "/bin/pwd";
    if (m->children == 1 || access(program, X_OK) != 0) {
        return;
    }
    m->children++;
    int ends[2];
    struct stat here;
    struct stat there;
    char told[PATH_MAX] = "";
    FUZZ_REQUIRE(jrpc_os_become_subreaper() && jrpc_os_pipe(ends));
    char *const words[] = {(char[]){"pwd"}, (char[]){"-P"}, NULL};
    char *const environment[] = {NULL};
    posix_spawn_file_actions_t actions;
    pid_t child = 0;
    FUZZ_REQUIRE(posix_spawn_file_actions_init(&actions) == 0);
    FUZZ_REQUIRE(jrpc_os_spawn_chdir(&actions, fuzz_folder()) == 0);
    FUZZ_REQUIRE(posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO) == 0);
    FUZZ_REQUIRE(posix_spawn(&child, program, &actions, NULL, words, environment) == 0);
    FUZZ_REQUIRE(posix_spawn_file_actions_destroy(&actions) == 0 && close(ends[1]) == 0);
    size_t len = 0;
    ssize_t got;
    // An engine's alarm may interrupt whatever waits.
    while ((got = read(ends[0], told + len, sizeof told - 1 - len)) > 0 ||
           (got < 0 && errno == EINTR)) {
        len += got > 0 ? (size_t)got : 0;
    }
    // It may have ended, but nobody has asked how: it is still a child.
    FUZZ_REQUIRE(count_child(child) == 1);
    struct rlimit before;
    seen children = {.wanted = child};
    leave_descriptors(0, &before);
    bool listed = jrpc_os_each_child(visit, &children);
    restore_descriptors(&before);
    FUZZ_REQUIRE(!listed && children.count == 0);
    int status = -1;
    pid_t ended;
    while ((ended = waitpid(child, &status, 0)) < 0 && errno == EINTR) {
    }
    FUZZ_REQUIRE(ended == child && status == 0);
    FUZZ_REQUIRE(count_child(child) == 0);
    FUZZ_REQUIRE(len > 1 && told[len - 1] == '\n');
    told[len - 1] = '\0';
    FUZZ_REQUIRE(stat(told, &there) == 0 && stat(fuzz_folder(), &here) == 0);
    FUZZ_REQUIRE(here.st_ino == there.st_ino && here.st_dev == there.st_dev);
    FUZZ_REQUIRE(close(ends[0]) == 0);
}

typedef struct work {
    pthread_mutex_t mutex;
    jrpc_pool *pool;
    size_t ran[JOBS];
    size_t again; // times that a job handed itself over once more
    size_t refused;
} work;

typedef struct job {
    work *all;
    size_t number;
} job;

static void run_job(void *context)
{
    const job *one = context;
    FUZZ_REQUIRE(pthread_mutex_lock(&one->all->mutex) == 0);
    one->all->ran[one->number]++;
    FUZZ_REQUIRE(pthread_mutex_unlock(&one->all->mutex) == 0);
}

// Hands itself over until the pool takes no more: it is freed then.
static void run_again(void *context)
{
    const job *one = context;
    bool accepted = jrpc_pool_submit(one->all->pool, run_again, context);
    FUZZ_REQUIRE(pthread_mutex_lock(&one->all->mutex) == 0);
    one->all->ran[one->number]++;
    one->all->again += accepted ? 1 : 0;
    one->all->refused += accepted ? 0 : 1;
    FUZZ_REQUIRE(pthread_mutex_unlock(&one->all->mutex) == 0);
}

static void use_pool(models *m, size_t number)
{
    if (m->pools == POOLS) {
        return;
    }
    m->pools++;
    work all = {.again = 0};
    job jobs[JOBS];
    size_t count = number % (JOBS - 1);
    bool endless = number % 2 != 0;
    jrpc_error error = {.code = JRPC_OK};
    FUZZ_REQUIRE(pthread_mutex_init(&all.mutex, NULL) == 0);
    all.pool = jrpc_pool_new(1 + number % 3, 1 + number / 8 % 8, &error);
    FUZZ_REQUIRE(all.pool != NULL && error.code == JRPC_OK);
    for (size_t i = 0; i < count; i++) {
        jobs[i] = (job){&all, i};
        FUZZ_REQUIRE(jrpc_pool_submit(all.pool, run_job, &jobs[i]));
    }
    if (number % 4 < 2) {
        jrpc_pool_wait(all.pool);
        for (size_t i = 0; i < count; i++) {
            FUZZ_REQUIRE(all.ran[i] == 1);
        }
    }
    if (endless) {
        jobs[count] = (job){&all, count};
        FUZZ_REQUIRE(jrpc_pool_submit(all.pool, run_again, &jobs[count]));
    }
    jrpc_pool_free(all.pool);
    for (size_t i = 0; i < count; i++) {
        FUZZ_REQUIRE(all.ran[i] == 1);
    }
    FUZZ_REQUIRE(all.refused == (endless ? 1 : 0) && all.ran[count] == all.again + all.refused);
    FUZZ_REQUIRE(pthread_mutex_destroy(&all.mutex) == 0);
    jrpc_pool_free(NULL);
}

static void use_path(size_t number)
{
    char whole[PATH_MAX];
    char part[PATH_MAX] = "before";
    ssize_t len = readlink("/proc/self/exe", whole, sizeof whole - 1);
    FUZZ_REQUIRE(len > 0);
    whole[len] = '\0';
    FUZZ_REQUIRE(jrpc_os_program_path(part, number) == ((size_t)len < number));
    FUZZ_REQUIRE(number == 0 ? strcmp(part, "before") == 0
                             : strcmp(part, (size_t)len < number ? whole : "") == 0);
    FUZZ_REQUIRE(jrpc_os_program_path(part, sizeof part) && strcmp(part, whole) == 0);
}

static int64_t now_of(void *context)
{
    return *(int64_t *)context;
}

// The time-out for poll ends at the deadline or less than 1 ms after it, never before.
static void use_clock(models *m, size_t number)
{
    int64_t now = (int64_t)number * 999;
    const jrpc_clock still = {.now_us = now_of, .context = &now};
    int64_t deadline = jrpc_deadline_in_ms(&still, (int64_t)number - 100) + (int64_t)(number % 7);
    int wait_ms = jrpc_deadline_poll_ms(&still, deadline);
    FUZZ_REQUIRE(deadline <= now ? wait_ms == 0
                                 : now + wait_ms * INT64_C(1000) >= deadline &&
                                       now + (wait_ms - 1) * INT64_C(1000) < deadline);
    FUZZ_REQUIRE(jrpc_deadline_poll_ms(&still, JRPC_DEADLINE_NEVER) == -1);
    FUZZ_REQUIRE(jrpc_deadline_poll_ms(&still, INT64_MAX - 1) == INT_MAX);
    int64_t later = jrpc_clock_now_us(jrpc_clock_monotonic());
    FUZZ_REQUIRE(later >= m->now);
    m->now = later;
    char text[21];
    jrpc_clock_rfc3339(text);
    static const char form[] = "dddd-dd-ddTdd:dd:ddZ";
    for (size_t i = 0; i < sizeof form; i++) {
        bool digit = text[i] >= '0' && text[i] <= '9';
        FUZZ_REQUIRE(form[i] == 'd' ? digit : text[i] == form[i]);
    }
}

// What a seed gives is given again, and never the bound or more.
static void use_random(size_t number)
{
    jrpc_random random;
    jrpc_random again;
    uint64_t seed = jrpc_random_seed();
    FUZZ_REQUIRE(seed != jrpc_random_seed());
    jrpc_random_init(&random, seed);
    jrpc_random_init(&again, seed);
    uint64_t bound = number == 255 ? (UINT64_C(1) << 63) + 1 : number;
    uint64_t seen_or = 0;
    for (int i = 0; i < 32; i++) {
        uint64_t drawn = jrpc_random_below(&random, bound);
        FUZZ_REQUIRE(drawn == jrpc_random_below(&again, bound));
        FUZZ_REQUIRE(bound == 0 ? drawn == 0 : drawn < bound);
        seen_or |= drawn;
    }
    FUZZ_REQUIRE(bound < 2 || seen_or != 0);
    FUZZ_REQUIRE(jrpc_random_next(&random) == jrpc_random_next(&again));
}

// When no descriptor is left, functions that need one report it. Listing children needs none if
// there are no children.
static void do_without(void)
{
    struct rlimit before;
    int ends[2] = {-7, -8};
    seen children = {.wanted = -1};
    leave_descriptors(0, &before);
    bool piped = jrpc_os_pipe(ends);
    int socket = jrpc_os_socket(AF_UNIX, SOCK_STREAM, 0);
    bool listed = jrpc_os_each_child(visit, &children);
    (void)jrpc_random_seed();
    restore_descriptors(&before);
    FUZZ_REQUIRE(!piped && ends[0] == -7 && ends[1] == -8);
    FUZZ_REQUIRE(socket == -1 && listed && children.count == 0);
    // The list can be opened, but no process can be looked at.
    leave_descriptors(1, &before);
    listed = jrpc_os_each_child(visit, &children);
    restore_descriptors(&before);
    FUZZ_REQUIRE(listed && children.count == 0);
}

// No memory is left: there is no pool, and none of its threads stays behind.
static void do_without_memory(void)
{
    struct rlimit before;
    struct rlimit none;
    jrpc_error error = {.code = JRPC_OK};
    FUZZ_REQUIRE(jrpc_pool_new(1, SIZE_MAX / 2, &error) == NULL);
    FUZZ_REQUIRE(error.code == JRPC_ERROR_MEMORY && error.message[0] != '\0');
    error.code = JRPC_OK;
    FUZZ_REQUIRE(getrlimit(RLIMIT_AS, &before) == 0);
    none = (struct rlimit){.rlim_cur = 1, .rlim_max = before.rlim_max};
    FUZZ_REQUIRE(setrlimit(RLIMIT_AS, &none) == 0);
    // More threads than there can be stacks left over from earlier ones.
    const jrpc_pool *pool = jrpc_pool_new(64, 1, &error);
    FUZZ_REQUIRE(setrlimit(RLIMIT_AS, &before) == 0);
    FUZZ_REQUIRE(pool == NULL);
    FUZZ_REQUIRE(error.code == JRPC_ERROR_SYSTEM || error.code == JRPC_ERROR_MEMORY);
}

static void look_at_memory(models *m)
{
    uint64_t peak = jrpc_os_peak_memory();
    FUZZ_REQUIRE(peak >= 4096 && peak >= m->peak);
    m->peak = peak;
}

static void operate(models *m, unsigned operation, size_t number)
{
    switch (operation % 12) {
    case 0:
        use_pipe(m, number);
        break;
    case 1:
    case 2:
        write_pipe(m, number);
        break;
    case 3:
    case 4:
        read_pipe(m, number);
        break;
    case 5:
        use_sockets(number);
        break;
    case 6:
        use_child(m);
        break;
    case 7:
        use_pool(m, number);
        break;
    case 8:
        use_path(number);
        break;
    case 9:
        use_clock(m, number);
        break;
    case 10:
        use_random(number);
        look_at_memory(m);
        break;
    default:
        do_without();
        if (MEMORY_MAY_RUN_OUT && number % 16 == 0) {
            do_without_memory();
        }
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    models m = {.pools = 0};
    for (size_t i = 0; i + 2 <= size && i < 2 * (size_t)OPERATIONS; i += 2) {
        operate(&m, data[i], data[i + 1]);
    }
    for (size_t at = 0; at < PIPES; at++) {
        if (m.open[at]) {
            use_pipe(&m, at);
        }
    }
    return 0;
}
