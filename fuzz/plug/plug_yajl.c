// yajl: its parser drives its generator; numbers pass as they are spelled.
#include "fuzz/plug/plug.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_gen.h>
#include <yajl/yajl_parse.h>
#include <yajl/yajl_version.h>

const char *plug_name(void)
{
    static char name[32];
    int version = yajl_version();
    (void)snprintf(name, sizeof name, "yajl %d.%d.%d", version / 10000, version / 100 % 100,
                   version % 100);
    return name;
}

static int on_null(void *gen)
{
    return yajl_gen_null(gen) == yajl_gen_status_ok;
}

static int on_boolean(void *gen, int value)
{
    return yajl_gen_bool(gen, value) == yajl_gen_status_ok;
}

static int on_number(void *gen, const char *text, size_t len)
{
    return yajl_gen_number(gen, text, len) == yajl_gen_status_ok;
}

static int on_string(void *gen, const unsigned char *text, size_t len)
{
    return yajl_gen_string(gen, text, len) == yajl_gen_status_ok;
}

static int on_start_map(void *gen)
{
    return yajl_gen_map_open(gen) == yajl_gen_status_ok;
}

static int on_end_map(void *gen)
{
    return yajl_gen_map_close(gen) == yajl_gen_status_ok;
}

static int on_start_array(void *gen)
{
    return yajl_gen_array_open(gen) == yajl_gen_status_ok;
}

static int on_end_array(void *gen)
{
    return yajl_gen_array_close(gen) == yajl_gen_status_ok;
}

bool plug_parse(const char *text, size_t len, char **ret_spelled)
{
    static const yajl_callbacks callbacks = {
        .yajl_null = on_null,
        .yajl_boolean = on_boolean,
        .yajl_number = on_number,
        .yajl_string = on_string,
        .yajl_start_map = on_start_map,
        .yajl_map_key = on_string,
        .yajl_end_map = on_end_map,
        .yajl_start_array = on_start_array,
        .yajl_end_array = on_end_array,
    };
    *ret_spelled = NULL;
    yajl_gen gen = yajl_gen_alloc(NULL);
    yajl_handle handle = yajl_alloc(&callbacks, NULL, gen);
    bool taken = yajl_parse(handle, (const unsigned char *)text, len) == yajl_status_ok &&
                 yajl_complete_parse(handle) == yajl_status_ok;
    const unsigned char *spelled = NULL;
    size_t written = 0;
    if (taken && yajl_gen_get_buf(gen, &spelled, &written) == yajl_gen_status_ok) {
        *ret_spelled = strndup((const char *)spelled, written);
    }
    yajl_free(handle);
    yajl_gen_free(gen);
    return taken;
}
