// A plug for a framing, to copy: replace what mentions mylib.
#include "fuzz/plug/plug_framing.h"

static int nothing;

const char *plug_name(void)
{
    return "mylib 0.0";
}

const char *plug_framing(void)
{
    return "content-length";
}

void *plug_decoder_new(void)
{
    return &nothing; // mylib_decoder_new()
}

bool plug_decoder_feed(void *decoder, const char *bytes, size_t len, plug_message *on_message,
                       void *context)
{
    // mylib_decoder_feed(decoder, bytes, len);
    // while (mylib_decoder_next(decoder, &message)) on_message(context, message.ptr, message.len);
    (void)decoder;
    (void)bytes;
    (void)len;
    (void)on_message;
    (void)context;
    return true;
}

void plug_decoder_free(void *decoder)
{
    (void)decoder; // mylib_decoder_free(decoder)
}
