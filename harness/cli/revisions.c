#include "harness/cli/revisions.h"

#include "harness/cli/execute.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/words.h"
#include "harness/run/revision.h"
#include "harness/suite/nearest.h"

#define SPOKEN_BYTES 120
// A matching profile may cover narrower ones itself, up to this depth.
#define NARROWER_MAX 3

// How long each stage of ending a child may take after a trial.
#define TRIAL_GRACE_MS 200

// Tries one, leaving the target unchanged.
static jck_revision_answer try(const jck_profile *candidate, bool beside_others, jck_target *target,
                               jck_host *host, char *spoken)
{
    const jck_target before = *target;
    jrpc_error error = {0};
    jck_revision_answer answer = JCK_REVISION_REFUSED;
    if (jck_profile_adopt(candidate, target, &error)) {
        jck_timing timing = jck_execute_timing(target);
        timing.grace_ms = TRIAL_GRACE_MS;
        const jck_revision_trial trial = {.target = target,
                                          .host = host,
                                          .revision = candidate->revision,
                                          .beside_others = beside_others,
                                          .timing = &timing,
                                          .clock = jrpc_clock_monotonic(),
                                          .interrupt_fd = host->interrupt_fd,
                                          .nonce = 0};
        answer = jck_revision_try(&trial, spoken, SPOKEN_BYTES, &error);
    }
    jrpc_arena arena = target->arena; // it may have grown, and owns what was adopted
    *target = before;
    target->arena = arena;
    return answer;
}

static const jck_profile *choose(jck_suite *suite, const char *folder, const jck_profile *profile,
                                 jck_target *target, jck_host *host)
{
    char other[SPOKEN_BYTES] = "";
    for (size_t i = 0; i < profile->revision_count; i++) {
        char spoken[SPOKEN_BYTES];
        jrpc_error error = {0};
        const jck_profile *candidate =
            jck_profile_load(suite, folder, profile->revisions[i], NULL, NULL, &error);
        if (candidate == NULL) {
            (void)jck_complain(&error);
            return NULL;
        }
        // A profile that extends the one listing it is for a target that also speaks others.
        bool narrower = jrpc_slice_equal(candidate->extends, profile->name);
        switch (try(candidate, narrower, target, host, spoken)) {
        case JCK_REVISION_SPOKEN:
            return candidate;
        case JCK_REVISION_OTHER:
            if (!narrower) {
                memcpy(other, spoken, sizeof other);
            }
            break;
        case JCK_REVISION_REFUSED:
            break;
        case JCK_REVISION_UNOPENED:
            return profile;
        case JCK_REVISION_INTERRUPTED:
            (void)jck_complain_of("interrupted");
            return NULL;
        }
    }
    if (other[0] != '\0') {
        char known[200];
        (void)jck_complain_of("the target speaks revision %s, which is not one of %s; it is tested "
                              "against the last of them",
                              other, jck_word_list(profile->revisions, known, sizeof known));
    }
    return profile;
}

const jck_profile *jck_revisions_choose(const jck_options *options, jck_suite *suite,
                                        const char *folder, const jck_profile *profile,
                                        jck_target *target)
{
    jck_interrupt interrupt;
    jrpc_error error = {0};
    if (profile->revision_count == 0 || target->prelude != NULL) {
        return profile;
    }
    if (!jck_interrupt_init(&interrupt, &error)) {
        (void)jck_complain(&error);
        return NULL;
    }
    jck_host host;
    const jck_timing timing = jck_execute_timing(target);
    const jck_profile *chosen = profile;
    if (!jck_host_init(&host, target, jrpc_clock_monotonic(), timing.grace_ms,
                       jck_interrupt_fd(&interrupt))) {
        (void)jck_complain_of("cannot create a lock for the target's process");
        jck_interrupt_done(&interrupt);
        return NULL;
    }
    for (int i = 0; i < NARROWER_MAX && chosen != NULL && chosen->revision_count > 0; i++) {
        const jck_profile *wider = chosen;
        chosen = choose(suite, folder, wider, target, &host);
        if (chosen == wider) {
            break;
        }
    }
    jck_host_done(&host);
    jck_interrupt_done(&interrupt);
    if (chosen != NULL && chosen != profile && !options->quiet) {
        (void)jck_complain_of("the target speaks %.*s", (int)chosen->name.len, chosen->name.ptr);
    }
    return chosen;
}
