// What reading and writing a baseline share. Private to the judge room.
#ifndef JCK_BASELINE_BASELINE_PRIVATE_H
#define JCK_BASELINE_BASELINE_PRIVATE_H

#include "harness/baseline/baseline.h"

// Room for one more entry, zeroed; NULL when memory is out.
jck_entry *jck_baseline_add(jck_baseline *baseline);

#endif
