#include "harness/report/html.h"

#include "harness/report/assets.h"

static const struct {
    const char *style;
    const char *word;
} share_words[JCK_SHARE_COUNT] = {
    {"f-pass", "passed"}, {"f-observe", "observed"},          {"f-warn", "warned"},
    {"f-fail", "failed"}, {"f-dead", "crashed, hung, stuck"}, {"f-none", "not judged"},
};

void jck_html_str(jrpc_buffer *out, const char *markup)
{
    (void)jrpc_buffer_append_str(out, markup);
}

void jck_html_text(jrpc_buffer *out, jrpc_slice text)
{
    (void)jck_safe_append(out, JCK_SAFE_HTML, text);
}

void jck_html_short(jrpc_buffer *out, jrpc_slice text, size_t max)
{
    (void)jck_safe_append_capped(out, JCK_SAFE_HTML, text, max, text.len);
}

void jck_html_sentence(jrpc_buffer *out, jrpc_slice sentence, size_t max)
{
    (void)jck_safe_append_sentence(out, JCK_SAFE_HTML, sentence, max);
}

void jck_html_bytes(jrpc_buffer *out, jrpc_slice bytes, size_t max, size_t true_len)
{
    (void)jck_safe_append_capped(out, JCK_SAFE_HTML_BYTES, bytes, max, true_len);
}

static bool is_plain(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || byte == '-' || byte == '.' || byte == '_';
}

// Names are cut: an anchor only has to distinguish what is really there.
#define NAME_BYTES 200

void jck_html_anchor(jrpc_buffer *out, char kind, size_t run, jrpc_slice name)
{
    (void)jrpc_buffer_append_char(out, kind);
    if (run > 1) {
        (void)jrpc_buffer_printf(out, "%zu", run);
    }
    (void)jrpc_buffer_append_char(out, '-');
    for (size_t i = 0; i < name.len && i < NAME_BYTES; i++) {
        if (is_plain(name.ptr[i]) || name.ptr[i] == '/') {
            (void)jrpc_buffer_append_char(out, name.ptr[i]);
        } else {
            (void)jrpc_buffer_printf(out, "~%02X", (unsigned)(unsigned char)name.ptr[i]);
        }
    }
}

void jck_html_file_name(jrpc_buffer *out, jrpc_slice name)
{
    for (size_t i = 0; i < name.len && i < NAME_BYTES; i++) {
        bool plain = is_plain(name.ptr[i]) && !(i == 0 && name.ptr[i] == '.');
        (void)jrpc_buffer_append_char(out, plain ? name.ptr[i] : '-');
    }
}

void jck_html_begin(jrpc_buffer *out, const char *kind, jrpc_slice title)
{
    (void)jrpc_buffer_printf(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
        "'%s'; script-src '%s'; img-src data:; base-uri 'none'; form-action 'none'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"referrer\" content=\"no-referrer\">\n"
        "<link rel=\"icon\" href=\"data:,\">\n<title>",
        jck_asset_css.hash, jck_asset_js.hash);
    if (title.len > 0) {
        jck_html_short(out, title, NAME_BYTES);
        jck_html_str(out, " · ");
    }
    (void)jrpc_buffer_printf(out, "%s</title>\n<style>", kind);
    (void)jrpc_buffer_append(out,
                             jrpc_slice_of((const char *)jck_asset_css.text, jck_asset_css.len));
    jck_html_str(out, "</style>\n</head>\n<body>\n");
}

void jck_html_end(jrpc_buffer *out, jrpc_slice tool)
{
    jck_html_str(out, "<footer><p>Made by jrpcheck ");
    jck_html_short(out, tool, NAME_BYTES);
    jck_html_str(out, " from its event stream. Invisible bytes are shown as <code>\\xNN</code>; a "
                      "backslash before an x as <code>\\x5c</code>.</p></footer>\n<script>");
    (void)jrpc_buffer_append(out, jrpc_slice_of((const char *)jck_asset_js.text, jck_asset_js.len));
    jck_html_str(out, "</script>\n</body>\n</html>\n");
}

void jck_html_level(jrpc_buffer *out, jck_level level)
{
    static const char *const tags[] = {
        "<span class=\"tag observe\">OPEN</span>",
        "<span class=\"tag should\">SHOULD</span>",
        "<span class=\"tag must\">MUST</span>",
    };
    jck_html_str(out, tags[level]);
}

void jck_html_outcome(jrpc_buffer *out, jck_outcome outcome)
{
    const char *name = jck_outcome_name(outcome);
    (void)jrpc_buffer_printf(out, "<span class=\"tag %s\">%s</span>", name, name);
}

void jck_html_fact(jrpc_buffer *out, const char *label, jrpc_slice text)
{
    if (text.len > 0) {
        (void)jrpc_buffer_printf(out, "<div><dt>%s</dt><dd>", label);
        jck_html_short(out, text, NAME_BYTES);
        jck_html_str(out, "</dd></div>\n");
    }
}

void jck_html_shares(const size_t *outcome_counts, size_t *ret_shares)
{
    static const jck_share share_of[JCK_OUTCOME_COUNT] = {
        [JCK_OUTCOME_PASS] = JCK_SHARE_PASS,       [JCK_OUTCOME_SKIP] = JCK_SHARE_NONE,
        [JCK_OUTCOME_OBSERVE] = JCK_SHARE_OBSERVE, [JCK_OUTCOME_WARN] = JCK_SHARE_WARN,
        [JCK_OUTCOME_BLOCKED] = JCK_SHARE_NONE,    [JCK_OUTCOME_FAIL] = JCK_SHARE_FAIL,
        [JCK_OUTCOME_ENDED] = JCK_SHARE_WARN,      [JCK_OUTCOME_STUCK] = JCK_SHARE_DEAD,
        [JCK_OUTCOME_HANG] = JCK_SHARE_DEAD,       [JCK_OUTCOME_CRASH] = JCK_SHARE_DEAD,
        [JCK_OUTCOME_ERROR] = JCK_SHARE_NONE,
    };
    for (int i = 0; i < JCK_SHARE_COUNT; i++) {
        ret_shares[i] = 0;
    }
    for (int i = 0; i < JCK_OUTCOME_COUNT; i++) {
        ret_shares[share_of[i]] += outcome_counts[i];
    }
}

void jck_html_bar(jrpc_buffer *out, const size_t *shares)
{
    size_t all = 0;
    for (int i = 0; i < JCK_SHARE_COUNT; i++) {
        all += shares[i];
    }
    jck_html_str(out, "<svg class=\"bar\" role=\"img\" viewBox=\"0 0 1000 10\" "
                      "preserveAspectRatio=\"none\" aria-label=\"");
    for (int i = 0; i < JCK_SHARE_COUNT; i++) {
        (void)jrpc_buffer_printf(out, "%s%zu %s", i == 0 ? "" : ", ", shares[i],
                                 share_words[i].word);
    }
    jck_html_str(out, "\">");
    size_t before = 0;
    for (int i = 0; i < JCK_SHARE_COUNT && all > 0; i++) {
        size_t x = before * 1000 / all;
        before += shares[i];
        size_t end = before * 1000 / all;
        // Every non-empty share is visible.
        size_t width = shares[i] > 0 && end - x < 4 ? 4 : end - x;
        if (shares[i] > 0) {
            (void)jrpc_buffer_printf(out,
                                     "<rect class=\"%s\" x=\"%zu\" width=\"%zu\" height=\"10\"/>",
                                     share_words[i].style, x > 996 ? 996 : x, width);
        }
    }
    jck_html_str(out, "</svg>");
}

void jck_html_legend(jrpc_buffer *out, const size_t *shares)
{
    jck_html_str(out, "<ul class=\"legend\">");
    for (int i = 0; i < JCK_SHARE_COUNT; i++) {
        if (shares[i] > 0) {
            (void)jrpc_buffer_printf(out, "<li><i class=\"%s\"></i><b>%zu</b> %s</li>",
                                     share_words[i].style, shares[i], share_words[i].word);
        }
    }
    jck_html_str(out, "</ul>\n");
}
