// The copy of the data that the build embeds in the program: embed.cmake. Private to file.c.
#ifndef JCK_SUITE_EMBEDDED_H
#define JCK_SUITE_EMBEDDED_H

#include <stddef.h>

typedef struct jck_embedded_file {
    const char *path; // from the root of the project: "/cases/rules/json.json"
    const unsigned char *bytes;
    size_t len;
} jck_embedded_file;

// Ordered by path; empty where JRPC_EMBED is off.
extern const jck_embedded_file jck_embedded_files[];
extern const size_t jck_embedded_count;

#endif
