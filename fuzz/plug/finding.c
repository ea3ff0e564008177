#include "fuzz/plug/finding.h"

#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <sys/stat.h>

enum { SHOWN_BYTES = 160, PATH_BYTES = 4096 };

void plug_show(FILE *out, jrpc_slice bytes, size_t most)
{
    for (size_t i = 0; i < bytes.len && i < most; i++) {
        unsigned char byte = (unsigned char)bytes.ptr[i];
        (void)fprintf(out, byte >= 0x20 && byte < 0x7F ? "%c" : "\\x%02x", byte);
    }
    if (bytes.len > most) {
        (void)fprintf(out, "... (%zu bytes)", bytes.len);
    }
}

static bool is_allowed(const char *name)
{
    const char *list = getenv("JRPC_PLUG_ALLOW");
    jrpc_slice rest = jrpc_slice_str(list == NULL ? "" : list);
    while (rest.len != 0) {
        size_t len = 0;
        while (len < rest.len && rest.ptr[len] != ',') {
            len++;
        }
        if (jrpc_slice_is(jrpc_slice_of(rest.ptr, len), name)) {
            return true;
        }
        rest = jrpc_slice_from(rest, len < rest.len ? len + 1 : len);
    }
    return false;
}

static bool counts(const plug_kind *kind)
{
    return (!kind->open || getenv("JRPC_PLUG_STRICT") != NULL) && !is_allowed(kind->name);
}

// A file that is there already is larger, or stays.
static void keep(const char *folder, const char *name, jrpc_slice text)
{
    char path[PATH_BYTES];
    struct stat status;
    int len = snprintf(path, sizeof path, "%s/%s", folder, name);
    FUZZ_REQUIRE(len > 0 && (size_t)len < sizeof path);
    if (stat(path, &status) == 0 && (size_t)status.st_size <= text.len) {
        return;
    }
    FILE *file = fopen(path, "wb");
    FUZZ_REQUIRE(file != NULL);
    bool written = text.len == 0 || fwrite(text.ptr, 1, text.len, file) == text.len;
    FUZZ_REQUIRE(fclose(file) == 0 && written);
}

void plug_found(const plug_kind *kind, jrpc_slice text, plug_explain *explain)
{
    const char *folder = getenv("JRPC_PLUG_FINDS");
    if (folder != NULL) {
        keep(folder, kind->name, text);
        return;
    }
    bool told = counts(kind);
    if (!told && getenv("JRPC_PLUG_EXPLAIN") == NULL) {
        return;
    }
    (void)fprintf(stderr, "%s%s: %s\n  text      ", kind->name, told ? "" : " (does not count)",
                  kind->title);
    plug_show(stderr, text, SHOWN_BYTES);
    (void)fprintf(stderr, "\n");
    explain(stderr, text);
    if (told) {
        abort();
    }
}
