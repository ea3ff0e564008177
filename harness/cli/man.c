#include "harness/cli/man.h"

#include "harness/cli/commands.h"
#include "harness/report/report.h"

#include <string.h>

// Prints one UTF-8 character as roff spells it; returns its length in bytes.
static size_t print_character(FILE *out, const char *text)
{
    unsigned char lead = (unsigned char)text[0];
    size_t len = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    unsigned long point = lead & (lead < 0xE0 ? 0x1FU : lead < 0xF0 ? 0x0FU : 0x07U);
    for (size_t i = 1; i < len; i++) {
        if (text[i] == '\0') {
            return i;
        }
        point = point << 6 | ((unsigned char)text[i] & 0x3FU);
    }
    (void)fprintf(out, "\\[u%04lX]", point);
    return len;
}

// Text that roff prints unchanged: hyphens that can be copied, and no line that is a request.
static void print_text(FILE *out, const char *text)
{
    if (text[0] == '.' || text[0] == '\'') {
        (void)fputs("\\&", out);
    }
    for (size_t i = 0; text[i] != '\0';) {
        if (((unsigned char)text[i] & 0x80) != 0) {
            i += print_character(out, text + i);
            continue;
        }
        switch (text[i]) {
        case '-':
            (void)fputs("\\-", out);
            break;
        case '\\':
            (void)fputs("\\e", out);
            break;
        case '\'':
            (void)fputs("\\(aq", out);
            break;
        default:
            (void)fputc(text[i], out);
        }
        i++;
    }
}

static void print_line(FILE *out, const char *text)
{
    print_text(out, text);
    (void)fputc('\n', out);
}

// Text in a font: B or I.
static void print_in(FILE *out, char font, const char *text)
{
    (void)fprintf(out, "\\f%c", font);
    print_text(out, text);
    (void)fputs("\\fR", out);
}

// A term with what it means.
static void print_item(FILE *out, const char *term, const char *meaning)
{
    (void)fputs(".TP\n", out);
    print_in(out, 'B', term);
    (void)fputc('\n', out);
    print_line(out, meaning);
}

static void print_synopsis(FILE *out)
{
    (void)fputs(".SH SYNOPSIS\n", out);
    for (const jck_command *command = jck_command_table(); command->name != NULL; command++) {
        (void)fputs(command == jck_command_table() ? "" : ".br\n", out);
        print_in(out, 'B', "jrpcheck");
        (void)fputc(' ', out);
        // The first one need not be named.
        if (command == jck_command_table()) {
            (void)fputc('[', out);
            print_in(out, 'B', command->name);
            (void)fputc(']', out);
        } else {
            print_in(out, 'B', command->name);
        }
        (void)fputc(' ', out);
        print_in(out, 'I', command->operands);
        (void)fputc('\n', out);
    }
}

static void print_option(FILE *out, const jck_option *option)
{
    char dashed[48];
    (void)fputs(".TP\n", out);
    if (option->letter != '\0') {
        (void)fprintf(out, "\\fB\\-%c\\fR, ", option->letter);
    }
    (void)snprintf(dashed, sizeof dashed, "--%s", option->name);
    print_in(out, 'B', dashed);
    if (option->value != NULL) {
        (void)fputc(' ', out);
        print_in(out, 'I', option->value);
    }
    (void)fputc('\n', out);
    print_line(out, option->help);
    if (option->commands == JCK_COMMAND_ALL) {
        return;
    }
    const char *between = "(";
    for (const jck_command *command = jck_command_table(); command->name != NULL; command++) {
        if ((option->commands & command->bit) != 0) {
            (void)fputs(between, out);
            print_in(out, 'B', command->name);
            between = ", ";
        }
    }
    (void)fputs(")\n", out);
}

static void print_tables(FILE *out)
{
    (void)fputs(".SH COMMANDS\n", out);
    for (const jck_command *command = jck_command_table(); command->name != NULL; command++) {
        print_item(out, command->name, command->summary);
    }
    (void)fputs(".SH TARGETS\n", out);
    print_item(out, "-- CMD ARGS…",
               "a server to start, reached through its standard input and output");
    print_item(out, "tcp://HOST:PORT", "a server on a socket");
    print_item(out, "unix:PATH", "a server on a Unix socket");
    print_item(out, "http://HOST:PORT/PATH, https://…", "a server over HTTP: one POST a message");
    print_item(out, "ws://HOST:PORT/PATH, wss://…", "a server over WebSocket");
    print_item(out, "FILE.json", "a description of a target");
    print_item(out, "NAME", "a description that is installed with jrpcheck");
    (void)fputs(".SH OPTIONS\nEach option is followed by the commands that accept it; an option "
                "without any is accepted by all.\n",
                out);
    for (const jck_option *option = jck_option_table(); option->name != NULL; option++) {
        print_option(out, option);
    }
    (void)fputs(".SH REPORT FORMATS\n", out);
    for (const jck_report_format *const *format = jck_report_formats(); *format != NULL; format++) {
        print_item(out, (*format)->name, (*format)->summary);
    }
}

static void print_exits(FILE *out)
{
    (void)fputs(".SH EXIT STATUS\n", out);
    for (const jck_exit_meaning *code = jck_exit_table(); code->meaning != NULL; code++) {
        char number[16];
        (void)snprintf(number, sizeof number, "%d", (int)code->code);
        print_item(out, number, code->meaning);
    }
}

static void print_examples(FILE *out)
{
    static const char *const lines[] = {
        "jrpcheck -- ./my-server its own arguments",
        "jrpcheck --framing content-length -- ./my-language-server",
        "jrpcheck --report console --report junit=report.xml tcp://127.0.0.1:4000",
        "jrpcheck --baseline known.json https://host/rpc",
        "jrpcheck explain J2-6d",
    };
    (void)fputs(".SH EXAMPLES\n.nf\n", out);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        print_line(out, lines[i]);
    }
    (void)fputs(".fi\n", out);
}

void jck_print_man(FILE *out)
{
    (void)fputs(".TH JRPCHECK 1 \"\" \"jrpcheck " JRPCHECK_VERSION "\" \"User Commands\"\n"
                ".SH NAME\njrpcheck \\- a conformance suite for JSON\\-RPC 2.0\n",
                out);
    print_synopsis(out);
    (void)fputs(".SH DESCRIPTION\n"
                ".B jrpcheck\n"
                "talks to any JSON\\-RPC server, sends it what real clients send and what broken "
                "ones send, judges every byte of the answers against the sentences of the "
                "specification, and names each broken sentence, with the exact bytes and a command "
                "that repeats the exchange.\n",
                out);
    print_tables(out);
    print_exits(out);
    (void)fputs(".SH ENVIRONMENT\n", out);
    print_item(out, "JRPCHECK_DATA",
               "the folder that contains cases/ and targets/; used before share/jrpcheck next to "
               "the program");
    print_item(out, "CURL_CA_BUNDLE, SSL_CERT_FILE",
               "certificates to trust without --ca, before the system's");
    print_examples(out);
    (void)fputs(".SH SEE ALSO\n.BR jrpc\\-reference (1)\n.PP\n"
                "https://www.jsonrpc.org/specification\n",
                out);
}
