#include "reference/server/http_sessions.h"

#include "reference/base/random.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

typedef struct session {
    char id[JRPC_SESSION_ID_BYTES]; // empty: no session
    jrpc_http_stream *stream;       // NULL: none is open
} session;

struct jrpc_http_sessions {
    const jrpc_allocator *allocator;
    pthread_mutex_t lock; // of all below
    jrpc_random random;
    size_t next; // the place of the next session: round and round
    session all[JRPC_SESSIONS_MAX];
};

jrpc_http_sessions *jrpc_http_sessions_new(const jrpc_allocator *allocator)
{
    jrpc_http_sessions *sessions = jrpc_allocate(allocator, sizeof *sessions);
    if (sessions == NULL) {
        return NULL;
    }
    memset(sessions, 0, sizeof *sessions);
    sessions->allocator = allocator;
    jrpc_random_init(&sessions->random, jrpc_random_seed());
    if (pthread_mutex_init(&sessions->lock, NULL) != 0) {
        jrpc_deallocate(allocator, sessions);
        return NULL;
    }
    return sessions;
}

// Called with the lock held.
static void drop_stream(session *of)
{
    if (of->stream != NULL) {
        jrpc_http_stream_close(of->stream);
        jrpc_http_stream_unref(of->stream);
        of->stream = NULL;
    }
}

void jrpc_http_sessions_free(jrpc_http_sessions *sessions)
{
    if (sessions == NULL) {
        return;
    }
    for (size_t i = 0; i < JRPC_SESSIONS_MAX; i++) {
        drop_stream(&sessions->all[i]);
    }
    pthread_mutex_destroy(&sessions->lock);
    jrpc_deallocate(sessions->allocator, sessions);
}

void jrpc_http_sessions_begin(jrpc_http_sessions *sessions, char ret_id[JRPC_SESSION_ID_BYTES])
{
    pthread_mutex_lock(&sessions->lock);
    session *fresh = &sessions->all[sessions->next];
    sessions->next = (sessions->next + 1) % JRPC_SESSIONS_MAX;
    drop_stream(fresh);
    (void)snprintf(fresh->id, sizeof fresh->id, "%016" PRIx64 "%016" PRIx64,
                   jrpc_random_next(&sessions->random), jrpc_random_next(&sessions->random));
    memcpy(ret_id, fresh->id, sizeof fresh->id);
    pthread_mutex_unlock(&sessions->lock);
}

// Called with the lock held.
static session *find(jrpc_http_sessions *sessions, const char *id)
{
    for (size_t i = 0; i < JRPC_SESSIONS_MAX; i++) {
        if (id[0] != '\0' && strcmp(sessions->all[i].id, id) == 0) {
            return &sessions->all[i];
        }
    }
    return NULL;
}

void jrpc_http_sessions_rename(jrpc_http_sessions *sessions, const char *id,
                               const char other[JRPC_SESSION_ID_BYTES])
{
    pthread_mutex_lock(&sessions->lock);
    session *found = find(sessions, id);
    if (found != NULL) {
        memcpy(found->id, other, sizeof found->id);
    }
    pthread_mutex_unlock(&sessions->lock);
}

bool jrpc_http_sessions_find(jrpc_http_sessions *sessions, const char *id,
                             jrpc_http_stream **ret_stream)
{
    pthread_mutex_lock(&sessions->lock);
    const session *found = find(sessions, id);
    if (ret_stream != NULL) {
        *ret_stream =
            found == NULL || found->stream == NULL ? NULL : jrpc_http_stream_ref(found->stream);
    }
    pthread_mutex_unlock(&sessions->lock);
    return found != NULL;
}

jrpc_http_stream *jrpc_http_sessions_open(jrpc_http_sessions *sessions, const char *id, size_t max)
{
    jrpc_http_stream *stream = NULL;
    pthread_mutex_lock(&sessions->lock);
    session *found = find(sessions, id);
    if (found != NULL) {
        drop_stream(found);
        found->stream = jrpc_http_stream_new(max, sessions->allocator);
        stream = found->stream == NULL ? NULL : jrpc_http_stream_ref(found->stream);
    }
    pthread_mutex_unlock(&sessions->lock);
    return stream;
}

bool jrpc_http_sessions_end(jrpc_http_sessions *sessions, const char *id)
{
    pthread_mutex_lock(&sessions->lock);
    session *found = find(sessions, id);
    if (found != NULL) {
        drop_stream(found);
        found->id[0] = '\0';
    }
    pthread_mutex_unlock(&sessions->lock);
    return found != NULL;
}
