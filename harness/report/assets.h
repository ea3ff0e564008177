// The style sheet and the script of the HTML reports: files under assets/ that the build embeds.
#ifndef JCK_REPORT_ASSETS_H
#define JCK_REPORT_ASSETS_H

#include <stddef.h>

typedef struct jck_asset {
    const unsigned char *text; // UTF-8
    size_t len;
    const char *hash; // as named in a Content-Security-Policy: "sha256-…"
} jck_asset;

extern const jck_asset jck_asset_css;
extern const jck_asset jck_asset_js;

#endif
