/* iconv(3) with the encodings of the web: a library to preload or to link before the C library.
 *
 * If both names are labels of the Encoding Standard, text is converted by whatwg_encoding, as browsers do: "sjis" has
 * the NEC and IBM extensions, "latin1" is windows-1252. All other names are passed on to the iconv of the C library:
 * UTF-16 and UTF-32, whose byte order marks programs expect from it, and names with a suffix such as //TRANSLIT. The
 * program iconv does not call iconv_open, so that it converts as ever.
 *
 *     cc -shared -fPIC iconv_shim.c $(pkg-config --cflags --libs whatwg_encoding) -ldl -pthread -o iconv_shim.so
 *     LD_PRELOAD=$PWD/iconv_shim.so git log --encoding=sjis
 *
 * Errors are iconv's: EILSEQ at malformed or unmappable input, EINVAL at an incomplete sequence, E2BIG. As iconv
 * requires, input is then read up to the sequence in question, and nothing of a sequence is kept between calls. */
#define _GNU_SOURCE
#include <whatwg_encoding.h>

#include <dlfcn.h>
#include <errno.h>
#include <iconv.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1024 };

typedef struct {
    const void *mark;  /* that of descriptors from iconv_open below: the program iconv has others, from inside glibc */
    iconv_t passed_on; /* the C library's descriptor, or (iconv_t)-1 */
    const whatwg_encoding *from, *to;
    whatwg_decoder decoder;
    whatwg_encoder encoder;
} conversion;

static const whatwg_encoding_api *we;
static iconv_t (*libc_open)(const char *, const char *);
static size_t (*libc_iconv)(iconv_t, char **, size_t *, char **, size_t *);
static int (*libc_close)(iconv_t);

static pthread_once_t started = PTHREAD_ONCE_INIT;

static void start(void)
{
    /* POSIX lets dlsym return functions; ISO C has no such conversion. */
    *(void **)&libc_open = dlsym(RTLD_NEXT, "iconv_open");
    *(void **)&libc_iconv = dlsym(RTLD_NEXT, "iconv");
    *(void **)&libc_close = dlsym(RTLD_NEXT, "iconv_close");
    we = whatwg_encoding_get();
}

static const whatwg_encoding *lookup(const char *name)
{
    const whatwg_encoding *encoding = we->for_label(name, strlen(name));
    return encoding && we->output_encoding(encoding) == encoding ? encoding : NULL;
}

static void reset(conversion *self)
{
    we->decoder_init(&self->decoder, self->from, WHATWG_FATAL);
    we->encoder_init(&self->encoder, self->to, WHATWG_FATAL);
}

iconv_t iconv_open(const char *to, const char *from)
{
    pthread_once(&started, start);
    conversion *self = (conversion *)malloc(sizeof *self);
    if (self == NULL)
        return (iconv_t)-1;
    self->mark = &we;
    self->passed_on = (iconv_t)-1;
    self->from = lookup(from);
    self->to = lookup(to);
    if (self->from && self->to) {
        reset(self);
    } else if ((self->passed_on = libc_open(to, from)) == (iconv_t)-1) {
        free(self);
        return (iconv_t)-1;
    }
    return (iconv_t)self;
}

int iconv_close(iconv_t descriptor)
{
    conversion *self = (conversion *)descriptor;
    pthread_once(&started, start);
    if (self->mark != &we)
        return libc_close(descriptor);
    const int result = self->passed_on == (iconv_t)-1 ? 0 : libc_close(self->passed_on);
    free(self);
    return result;
}

/* Convert as many whole sequences of the next block as fit. Return 0 if that was all of the block, or the error. */
static int convert_block(conversion *self, const char **in, size_t *in_left, char **out, size_t *out_left)
{
    uint32_t text[BLOCK];
    const size_t block = *in_left < BLOCK ? *in_left : BLOCK;
    size_t fits = BLOCK; /* code points: a block gives no more, as Big5's two come from two bytes */
    int error = 0;
    for (;;) {
        /* Copies, so that a block that does not fit is converted again, as far as it fits. */
        whatwg_decoder decoder = self->decoder;
        whatwg_encoder encoder = self->encoder;
        size_t read = block, length = fits, encoded, written = *out_left;
        int result = we->decode_to_utf32(&decoder, (const uint8_t *)*in, &read, text, &length, 0);
        size_t incomplete = we->pending_length(&decoder), after = 0;
        if (result == WHATWG_MALFORMED)
            we->malformed(&decoder, &incomplete, &after);
        encoded = length;
        const int target = we->encode_from_utf32(&encoder, text, &encoded, (uint8_t *)*out, &written, 0);
        if (target != WHATWG_INPUT_EMPTY) {
            error = target == WHATWG_UNMAPPABLE ? EILSEQ : E2BIG;
            fits = encoded - (target == WHATWG_UNMAPPABLE); /* which was read */
            continue;
        }
        if (incomplete + after != 0) {
            /* Decode without the sequence at the end. It gave no code point, so the text is the same. */
            error = error ? error : result == WHATWG_MALFORMED ? EILSEQ : read == *in_left ? EINVAL : 0;
            read -= incomplete + after;
            decoder = self->decoder;
            we->decode_to_utf32(&decoder, (const uint8_t *)*in, &read, text, &length, 0);
        }
        self->decoder = decoder;
        self->encoder = encoder;
        *in += read;
        *in_left -= read;
        *out += written;
        *out_left -= written;
        return error;
    }
}

size_t iconv(iconv_t descriptor, char **in, size_t *in_left, char **out, size_t *out_left)
{
    conversion *self = (conversion *)descriptor;
    int error = 0;
    pthread_once(&started, start);
    if (self->mark != &we)
        return libc_iconv(descriptor, in, in_left, out, out_left);
    if (self->passed_on != (iconv_t)-1)
        return libc_iconv(self->passed_on, in, in_left, out, out_left);
    if (in == NULL || *in == NULL) {
        /* The end of the text: return to the initial state. */
        if (out != NULL && *out != NULL) {
            size_t read = 0, written = *out_left;
            if (we->encode_from_utf32(&self->encoder, NULL, &read, (uint8_t *)*out, &written, 1) != WHATWG_INPUT_EMPTY)
                error = E2BIG;
            *out += written;
            *out_left -= written;
        }
        if (!error)
            reset(self);
    } else {
        const char *source = *in;
        while (*in_left != 0 && !error)
            error = convert_block(self, &source, in_left, out, out_left);
        *in = (char *)source;
    }
    errno = error ? error : errno;
    return error ? (size_t)-1 : 0;
}
