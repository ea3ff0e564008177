// jrpc-reference-parser: the bundled reader as an adapter; with --fault NAME wrong in exactly one
// thing.
#include "reference/adapter/answer.h"
#include "reference/base/limits.h"
#include "reference/wire/framing.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_USAGE = 2, EXIT_BROKEN = 3 };

#define READ_BYTES ((size_t)256 << 10)
#define IDENTITY "I{\"name\":\"libjrpc\",\"version\":\"" JRPCHECK_VERSION "\",\"language\":\"C\"}"

static bool write_all(jrpc_buffer *out)
{
    size_t done = 0;
    while (done < out->len) {
        ssize_t written = write(STDOUT_FILENO, out->ptr + done, out->len - done);
        if (written < 0 && errno != EINTR) {
            return false;
        }
        done += written > 0 ? (size_t)written : 0;
    }
    jrpc_buffer_clear(out);
    return true;
}

typedef struct serving {
    jrpc_parser_fault fault;
    jrpc_decoder decoder;
    jrpc_json_document document;
    jrpc_buffer answer, out;
} serving;

// Answers every text that is available.
static bool answer_texts(serving *self)
{
    jrpc_slice text;
    for (;;) {
        switch (jrpc_decoder_next(&self->decoder, &text, NULL)) {
        case JRPC_DECODED_MORE:
            return write_all(&self->out);
        case JRPC_DECODED_BAD:
            return false;
        case JRPC_DECODED_DONE:
            break;
        }
        jrpc_buffer_clear(&self->answer);
        if (!jrpc_parser_answer(self->fault, text, &self->document, &self->answer) ||
            !jrpc_framing_encode(JRPC_FRAMING_LENGTH32, jrpc_buffer_slice(&self->answer),
                                 &self->out)) {
            return false;
        }
        // Finished answers must not wait for a text that takes long.
        if (self->out.len >= READ_BYTES && !write_all(&self->out)) {
            return false;
        }
    }
}

static bool serve(serving *self)
{
    static char bytes[READ_BYTES];
    if (!jrpc_framing_encode(JRPC_FRAMING_LENGTH32, JRPC_SLICE(IDENTITY), &self->out)) {
        return false;
    }
    for (;;) {
        ssize_t got = read(STDIN_FILENO, bytes, sizeof bytes);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return got == 0;
        }
        if (!jrpc_decoder_feed(&self->decoder, jrpc_slice_of(bytes, (size_t)got), NULL) ||
            !answer_texts(self)) {
            return false;
        }
    }
}

static int list_faults(void)
{
    for (int i = JRPC_FAULT_NONE + 1; i < JRPC_PARSER_FAULT_COUNT; i++) {
        jrpc_parser_fault fault = (jrpc_parser_fault)i;
        (void)printf("%s\t%s\t%s\n", jrpc_fault_name(fault), jrpc_fault_rule(fault),
                     jrpc_fault_description(fault));
    }
    return 0;
}

static bool find_fault(const char *name, jrpc_parser_fault *ret_fault)
{
    for (int i = JRPC_FAULT_NONE + 1; i < JRPC_PARSER_FAULT_COUNT; i++) {
        if (strcmp(name, jrpc_fault_name((jrpc_parser_fault)i)) == 0) {
            *ret_fault = (jrpc_parser_fault)i;
            return true;
        }
    }
    (void)fprintf(
        stderr, "jrpc-reference-parser: there is no fault '%.80s'; --list-faults shows them all\n",
        name);
    return false;
}

int main(int argc, char **argv)
{
    serving self = {.fault = JRPC_FAULT_NONE};
    if (argc == 2 && strcmp(argv[1], "--list-faults") == 0) {
        return list_faults();
    }
    if (argc == 3 && strcmp(argv[1], "--fault") == 0) {
        if (!find_fault(argv[2], &self.fault)) {
            return EXIT_USAGE;
        }
    } else if (argc != 1) {
        bool help = argc == 2 && strcmp(argv[1], "--help") == 0;
        (void)fprintf(help ? stdout : stderr,
                      "usage: jrpc-reference-parser [--fault NAME | --list-faults]\n"
                      "Reads framed texts on standard input and says of each what it read.\n");
        return help ? 0 : EXIT_USAGE;
    }
    const jrpc_allocator *heap = jrpc_allocator_heap();
    jrpc_decoder_init(&self.decoder, JRPC_FRAMING_LENGTH32, JRPC_LIMIT_DOCUMENT_BYTES, heap);
    jrpc_json_document_init(&self.document, heap);
    jrpc_buffer_init(&self.answer, heap, 2 * JRPC_LIMIT_DOCUMENT_BYTES);
    jrpc_buffer_init(&self.out, heap, 3 * JRPC_LIMIT_DOCUMENT_BYTES);
    bool done = serve(&self);
    jrpc_decoder_done(&self.decoder);
    jrpc_json_document_done(&self.document);
    jrpc_buffer_done(&self.answer);
    jrpc_buffer_done(&self.out);
    return done ? 0 : EXIT_BROKEN;
}
