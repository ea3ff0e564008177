#include "harness/live/pool.h"

#include "reference/base/file.h"
#include "reference/base/hash.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PATH_MOST 4096
// Once in so many times, a message is picked without regard to its length.
#define LONG_EVERY 4u

bool jck_pool_init(jck_pool *pool, const char *folder)
{
    pool->folder = folder;
    return pthread_mutex_init(&pool->lock, NULL) == 0;
}

static void discard(jrpc_slice message)
{
    union {
        const char *read;
        void *owned;
    } bytes = {.read = message.ptr};
    free(bytes.owned);
}

void jck_pool_done(jck_pool *pool)
{
    for (size_t i = 0; i < pool->count; i++) {
        discard(pool->messages[i]);
    }
    (void)pthread_mutex_destroy(&pool->lock);
}

// Keeps a copy, unless the message is already there; once the pool is full, in the place of another
// one. Returns whether it was kept.
static bool keep(jck_pool *pool, jrpc_slice message)
{
    if (message.len == 0 || message.len > JCK_POOL_MESSAGE_BYTES) {
        return false;
    }
    for (size_t i = 0; i < pool->count; i++) {
        if (jrpc_slice_equal(pool->messages[i], message)) {
            return false;
        }
    }
    char *copy = malloc(message.len);
    if (copy == NULL) {
        return false;
    }
    memcpy(copy, message.ptr, message.len);
    size_t at = pool->count;
    if (at == JCK_POOL_MESSAGES) {
        at = (size_t)(jrpc_hash_bytes(message) >> 7) % JCK_POOL_MESSAGES;
        discard(pool->messages[at]);
    } else {
        pool->count++;
    }
    pool->messages[at] = jrpc_slice_of(copy, message.len);
    return true;
}

static bool path_of(const jck_pool *pool, const char *name, char *out)
{
    int len = snprintf(out, PATH_MOST, "%s/%s", pool->folder, name);
    return len > 0 && len < PATH_MOST;
}

static void read_one(jck_pool *pool, const char *name)
{
    char path[PATH_MOST];
    struct stat status;
    jrpc_error ignored = {0};
    jrpc_buffer bytes;
    jrpc_buffer_init(&bytes, jrpc_allocator_heap(), JCK_POOL_MESSAGE_BYTES);
    bool fits = path_of(pool, name, path) && stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
                status.st_size > 0 && (uint64_t)status.st_size <= JCK_POOL_MESSAGE_BYTES &&
                jrpc_file_read(path, &bytes, &ignored);
    if (fits) {
        (void)keep(pool, jrpc_buffer_slice(&bytes));
    } else {
        pool->passed_over++;
    }
    jrpc_buffer_done(&bytes);
}

static int by_name(const void *a, const void *b)
{
    const char *const *left = a;
    const char *const *right = b;
    return strcmp(*left, *right);
}

// Reads the files sorted by name, so that a seed means the same on every file system.
static void read_all(jck_pool *pool, DIR *folder)
{
    char **names = calloc(JCK_POOL_MESSAGES, sizeof *names);
    size_t count = 0;
    struct dirent *entry;
    while (names != NULL && count < JCK_POOL_MESSAGES && (entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] != '.') {
            names[count] = strdup(entry->d_name);
            count += names[count] != NULL ? 1 : 0;
        }
    }
    if (names != NULL) {
        qsort(names, count, sizeof *names, by_name);
    }
    for (size_t i = 0; i < count; i++) {
        read_one(pool, names[i]);
        free(names[i]);
    }
    free(names);
}

bool jck_pool_read(jck_pool *pool, jrpc_error *error)
{
    if (pool->folder == NULL) {
        return true;
    }
    DIR *folder = opendir(pool->folder);
    if (folder == NULL && errno == ENOENT && mkdir(pool->folder, 0777) == 0) {
        folder = opendir(pool->folder);
    }
    if (folder == NULL) {
        return jrpc_error_set_errno(error, errno, "cannot use the folder %.200s of --corpus",
                                    pool->folder);
    }
    read_all(pool, folder);
    (void)closedir(folder);
    return true;
}

// Several runs may share the folder: the name identifies the content, and a file appears complete.
static void write_one(jck_pool *pool, jrpc_slice message)
{
    char path[PATH_MOST];
    char name[32];
    jrpc_error error = {0};
    (void)snprintf(name, sizeof name, "%016" PRIx64, jrpc_hash_bytes(message));
    if (path_of(pool, name, path) && !jrpc_file_replace(path, message, &error) &&
        !pool->unwritten) {
        pool->unwritten = true;
        pool->why = error;
    }
}

void jck_pool_add(jck_pool *pool, jrpc_slice message)
{
    (void)pthread_mutex_lock(&pool->lock);
    const bool room = pool->count < JCK_POOL_MESSAGES; // which the folder has for all of them
    if (keep(pool, message) && room && pool->folder != NULL) {
        write_one(pool, message);
    }
    (void)pthread_mutex_unlock(&pool->lock);
}

// The later one of two.
static size_t pick_late(jrpc_random *random, size_t count)
{
    size_t a = (size_t)jrpc_random_below(random, count);
    size_t b = (size_t)jrpc_random_below(random, count);
    return a > b ? a : b;
}

static size_t length_at(jck_pool *pool, size_t index)
{
    (void)pthread_mutex_lock(&pool->lock);
    size_t len = pool->messages[index].len;
    (void)pthread_mutex_unlock(&pool->lock);
    return len;
}

bool jck_pool_pick(jck_pool *pool, jrpc_random *random, jrpc_buffer *out)
{
    (void)pthread_mutex_lock(&pool->lock);
    size_t count = pool->count;
    (void)pthread_mutex_unlock(&pool->lock);
    // The latest ones are the most likely to lead further, and short ones can be tried more often.
    size_t picked = pick_late(random, count);
    if (count > 0 && jrpc_random_below(random, LONG_EVERY) > 0) {
        size_t other = pick_late(random, count);
        picked = length_at(pool, other) < length_at(pool, picked) ? other : picked;
    }
    return count > 0 && jck_pool_at(pool, picked, out);
}

bool jck_pool_at(jck_pool *pool, size_t index, jrpc_buffer *out)
{
    (void)pthread_mutex_lock(&pool->lock);
    bool there = index < pool->count && jrpc_buffer_append(out, pool->messages[index]);
    (void)pthread_mutex_unlock(&pool->lock);
    return there;
}
