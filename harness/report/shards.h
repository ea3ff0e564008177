// Merges the parts of one run (--shard I/N): one start, the cases of all, one finish.
#ifndef JCK_REPORT_SHARDS_H
#define JCK_REPORT_SHARDS_H

#include "harness/report/reading.h"
#include "reference/base/buffer.h"
#include "reference/base/error.h"

#define JCK_SHARDS_MAX ((size_t)1024)

// Kinds of wait, of all purposes together, that are summed.
#define JCK_SHARDS_SPENT_MAX 64

// What time was spent on; a purpose without a kind stands for the purpose itself.
typedef struct jck_shards_spent {
    jrpc_slice on, kind; // in the arena
    int64_t ms;
} jck_shards_spent;

typedef struct jck_shards {
    jrpc_arena arena;
    jck_reading_start whole; // of the whole run: target, profile, tool, selected
    jrpc_slice start;        // the line of the first start, in the arena
    bool there[JCK_SHARDS_MAX + 1];
    size_t of;    // how many parts make the whole; 0: no part was seen
    size_t seen;  // parts
    size_t ended; // parts that finished
    size_t counts[JCK_OUTCOME_COUNT];
    size_t judged, skipped, unexpected, only_in_company, sessions_lost;
    int64_t duration_us; // of the longest part: they ran in parallel
    int64_t timers_expired;
    bool interrupted, broken;
    jrpc_slice stop, stopped, hint, note;
    jck_shards_spent spent[JCK_SHARDS_SPENT_MAX];
    size_t spent_count;
    jrpc_slice *untested; // rules that no part has tested so far
    size_t untested_count;
} jck_shards;

void jck_shards_init(jck_shards *shards);
void jck_shards_done(jck_shards *shards);
// Whether a start event is from a part.
bool jck_is_shard(jrpc_json start);
// Adds the start of a part; `line` is its text. False with INVALID if it is not another part of the
// same run.
bool jck_shards_start(jck_shards *shards, jrpc_json start, jrpc_slice line, jrpc_error *error);
// Whether every part was seen; if not, INVALID names a missing one.
bool jck_shards_are_whole(const jck_shards *shards, jrpc_error *error);
// Appends the start of the whole run, a line.
bool jck_shards_write_start(const jck_shards *shards, jrpc_buffer *out);
// Adds the finish of a part. False if out of memory.
bool jck_shards_finish(jck_shards *shards, jrpc_json finish);
// Appends the finish of the whole run, a line. Only if every part finished.
bool jck_shards_write_finish(const jck_shards *shards, jrpc_buffer *out);
// Whether the whole run is conformant.
bool jck_shards_conformant(const jck_shards *shards);

#endif
