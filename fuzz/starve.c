#include "fuzz/starve.h"

#include <stdlib.h>

static void *resize(void *context, void *ptr, size_t size)
{
    fuzz_starve *starve = context;
    if (size == 0) {
        starve->live -= ptr != NULL ? 1 : 0;
        free(ptr);
        return NULL;
    }
    size_t number = starve->asked++;
    if (starve->once ? number == starve->fails_at : number >= starve->fails_at) {
        return NULL;
    }
    void *block = realloc(ptr, size);
    starve->live += ptr == NULL && block != NULL ? 1 : 0;
    return block;
}

void fuzz_starve_init(fuzz_starve *starve, size_t fails_at, bool once)
{
    *starve = (fuzz_starve){.fails_at = fails_at, .once = once};
    starve->allocator = (jrpc_allocator){resize, starve};
}

bool fuzz_starve_failed(const fuzz_starve *starve)
{
    return starve->asked > starve->fails_at;
}
