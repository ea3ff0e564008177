#include "harness/run/liveliness.h"

#define MUTE_FROM_THE_START 3u
#define MUTE_IN_A_ROW 20u

bool jck_liveliness_note(jck_liveliness *lively, bool in_order)
{
    if (in_order) {
        *lively = (jck_liveliness){.ever_completed = true};
        return true;
    }
    lively->consecutive_mute++;
    return lively->consecutive_mute <
           (lively->ever_completed ? MUTE_IN_A_ROW : MUTE_FROM_THE_START);
}
