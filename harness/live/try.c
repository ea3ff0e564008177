// Messages sent as a case of their own; what they show is followed up if it is not known yet.
#include "harness/live/live_private.h"

jck_hunted jck_fuzzer_try(jck_fuzzer *fuzzer, const jck_shot *shots, size_t count, bool fresh,
                          bool repeated)
{
    jck_found found;
    jck_shot moved = shots[0];
    const bool move = count == 1 && moved.parting == JCK_PARTING_NONE;
    moved.connection = 'a';
    const jck_composition composition = {
        .id = JRPC_SLICE("fuzz/suspicion"),
        .title = JRPC_SLICE("what a round of fuzzing showed"),
        .shots = move ? &moved : shots,
        .shot_count = count,
    };
    switch (jck_replay_run(&fuzzer->replay, &composition, JCK_WATCH_FENCES, fresh, &found)) {
    case JCK_REPLAYED_FINE:
        return JCK_HUNTED_NOTHING;
    case JCK_REPLAYED_STOP:
        return JCK_HUNTED_STOP;
    case JCK_REPLAYED_FINDS:
        break;
    }
    if (jck_kinds_is_reported(&fuzzer->live->kinds, found.difference)) {
        return JCK_HUNTED_FINDING;
    }
    if (repeated && found.finding->step >= 0 && (size_t)found.finding->step < count) {
        count = (size_t)found.finding->step + 1; // copies after it show nothing more
    }
    bool confirmed = false;
    if (!jck_fuzzer_confirm(fuzzer, composition.shots, count, repeated, &found, &confirmed)) {
        return JCK_HUNTED_STOP;
    }
    return confirmed ? JCK_HUNTED_FINDING : JCK_HUNTED_NOTHING;
}
