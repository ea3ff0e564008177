// A badge for a README: an SVG, and the JSON from which badge services make one. Of several runs it
// shows the worst.
#include "harness/report/formats.h"
#include "harness/report/page.h"

#define LABEL "JSON-RPC 2.0"

typedef enum state {
    STATE_NONE, // no run was reported
    STATE_GOOD,
    STATE_KNOWN,
    STATE_UNJUDGED,
    STATE_BAD,
    STATE_INCOMPLETE,
} state;

typedef struct badge {
    state worst;
    size_t count; // rules
    const char *word;
} badge;

static void weigh(badge *own, state found, size_t count, const char *word)
{
    if (found > own->worst || (found == own->worst && count > own->count)) {
        *own = (badge){found, count, word};
    }
}

static bool end(jck_page *page)
{
    badge *own = page->own;
    const jck_tally *tally = &page->tally;
    size_t musts = jck_tally_broken_at_all(tally, JCK_LEVEL_MUST);
    size_t shoulds = jck_tally_broken_at_all(tally, JCK_LEVEL_SHOULD);
    bool conformant = jck_tally_conformant(tally);
    if (!jck_tally_complete(tally)) {
        weigh(own, STATE_INCOMPLETE, 0, "run incomplete");
    } else if (musts > 0) {
        weigh(own, conformant ? STATE_KNOWN : STATE_BAD, musts, "MUST broken");
    } else if (conformant && jck_tally_is_mostly_unjudged(tally)) {
        weigh(own, STATE_UNJUDGED, 0, "mostly not judged");
    } else if (conformant) {
        weigh(own, STATE_GOOD, 0, "conformant");
    } else if (tally->breaches > 0) {
        weigh(own, STATE_BAD, shoulds, shoulds > 0 ? "SHOULD broken" : "not conformant");
    } else {
        weigh(own, STATE_UNJUDGED, 0, "nothing judged");
    }
    return true;
}

// At most 20 digits and one of the words above.
#define MESSAGE_BYTES 48

static size_t message(const badge *own, char out[MESSAGE_BYTES])
{
    (void)(own->count > 0 ? snprintf(out, MESSAGE_BYTES, "%zu %s", own->count, own->word)
                          : snprintf(out, MESSAGE_BYTES, "%s", own->word));
    return strlen(out);
}

// White text has a contrast of at least 4.5 to 1 on each.
static const char *const colors[] = {"#636363", "#17734a", "#8a5a00",
                                     "#636363", "#b3261e", "#636363"};

// The text has an explicit width, so that it overflows in no font.
static bool write_svg(jck_page *page)
{
    const badge *own = page->own;
    char text[MESSAGE_BYTES];
    if (own->worst == STATE_NONE) {
        return true;
    }
    size_t len = message(own, text);
    const size_t left = (sizeof LABEL - 1) * 7 + 12;
    const size_t right = len * 7 + 12;
    (void)jrpc_buffer_printf(
        &page->text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%zu\" height=\"20\" role=\"img\" "
        "aria-label=\"" LABEL ": %s\">\n<title>" LABEL ": %s</title>\n"
        "<clipPath id=\"c\"><rect width=\"%zu\" height=\"20\" rx=\"4\"/></clipPath>\n"
        "<g clip-path=\"url(#c)\"><rect width=\"%zu\" height=\"20\" fill=\"#3b3a37\"/>"
        "<rect x=\"%zu\" width=\"%zu\" height=\"20\" fill=\"%s\"/></g>\n"
        "<g fill=\"#fff\" font-family=\"Verdana,Geneva,DejaVu Sans,sans-serif\" "
        "font-size=\"11\"><text x=\"6\" y=\"14\" textLength=\"%zu\" "
        "lengthAdjust=\"spacingAndGlyphs\">" LABEL "</text><text x=\"%zu\" y=\"14\" "
        "textLength=\"%zu\" lengthAdjust=\"spacingAndGlyphs\">%s</text></g>\n</svg>\n",
        left + right, text, text, left + right, left, left, right, colors[own->worst], left - 12,
        left + 6, right - 12, text);
    return true;
}

// The schema of shields.io endpoints, which others read as well.
static bool write_endpoint(jck_page *page)
{
    const badge *own = page->own;
    char text[MESSAGE_BYTES];
    if (own->worst != STATE_NONE) {
        (void)message(own, text);
        (void)jrpc_buffer_printf(&page->text,
                                 "{\"schemaVersion\":1,\"label\":\"" LABEL
                                 "\",\"message\":\"%s\",\"color\":\"%s\"}\n",
                                 text, colors[own->worst] + 1);
    }
    return true;
}

static const jck_page_style svg_style = {
    .own_size = sizeof(badge), .without_exchange = true, .end = end, .close = write_svg};
static const jck_page_style endpoint_style = {
    .own_size = sizeof(badge), .without_exchange = true, .end = end, .close = write_endpoint};

static void *open_svg(FILE *out, const jck_report_options *options)
{
    return jck_page_open(&svg_style, out, options);
}

static void *open_endpoint(FILE *out, const jck_report_options *options)
{
    return jck_page_open(&endpoint_style, out, options);
}

const jck_report_format jck_format_badge = {
    .name = "badge",
    .summary = "a badge, as SVG",
    .open = open_svg,
    .event = jck_page_event,
    .close = jck_page_close,
};

const jck_report_format jck_format_badge_json = {
    .name = "badge-json",
    .summary = "the JSON that badge services read",
    .open = open_endpoint,
    .event = jck_page_event,
    .close = jck_page_close,
};
