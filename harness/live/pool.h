// Messages that are worth mutating, because they made a target behave in a new way: in memory, and
// in a folder that several runs may share. Thread-safe.
#ifndef JCK_LIVE_POOL_H
#define JCK_LIVE_POOL_H

#include "reference/base/buffer.h"
#include "reference/base/error.h"
#include "reference/base/random.h"

#include <pthread.h>
#include <stdbool.h>

#define JCK_POOL_MESSAGES 4096u
#define JCK_POOL_MESSAGE_BYTES ((size_t)16 << 10)

typedef struct jck_pool {
    const char *folder; // borrowed; NULL: none
    pthread_mutex_t lock;
    jrpc_slice messages[JCK_POOL_MESSAGES]; // owned
    size_t count;
    size_t passed_over; // entries of the folder that are too long, or not files
    bool unwritten;     // a message could not be written: `why` says why
    jrpc_error why;
} jck_pool;

// Initializes caller's zeroed storage. False if the lock cannot be created.
bool jck_pool_init(jck_pool *pool, const char *folder);
void jck_pool_done(jck_pool *pool);
// Reads the folder, which is created if it does not exist. Entries that are too long, hidden, or
// not files are skipped. False if the folder can neither be read nor created.
bool jck_pool_read(jck_pool *pool, jrpc_error *error);
// Adds a message, and writes it to the folder under the hash of its content.
void jck_pool_add(jck_pool *pool, jrpc_slice message);
// Appends one of the messages; false if there is none.
bool jck_pool_pick(jck_pool *pool, jrpc_random *random, jrpc_buffer *out);
// Message number `index`; false past the last one.
bool jck_pool_at(jck_pool *pool, size_t index, jrpc_buffer *out);

#endif
