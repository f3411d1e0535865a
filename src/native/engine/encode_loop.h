/* The loop of one encoder, whose name is WE_NAME: see loop.h. WE_PASSES_SURROGATES: Python's "surrogatepass" encodes
 * surrogates, by the formula of UTF-8. WE_FLUSHES: the handler has a step for end-of-queue. */
#include "loop.h"

#ifndef WE_PASSES_SURROGATES
#define WE_PASSES_SURROGATES 0
#endif
#ifndef WE_FLUSHES
#define WE_FLUSHES 0
#endif

WE_ALWAYS_INLINE size_t WE_OF_HANDLER(_encode_item)(we_encode_run *, uint32_t, uint8_t *, uint32_t *);
WE_ALWAYS_INLINE size_t WE_OF_HANDLER(_encode_kernel)(we_encode_run *, int, const void *, size_t, uint8_t *, size_t *);

/* Capacity: see codec.h; each code point is written to the bytes that its own unit brings, and no code point that is
 * encoded takes fewer bytes than what replaces an error here. */
WE_ALWAYS_INLINE we_result WE_OF_HANDLER(_encode)(we_encode_run *run, const int kind)
{
    const void *const source = run->source;
    uint8_t *const target = run->target;
    const size_t length = run->source_length;
    size_t read = run->read, written = run->written, single_units = WE_SINGLE_UNITS;
    size_t remaining = run->after_error ? WE_SINGLE_UNITS : 0, limit = run->after_error ? WE_SHORT_RUN : length;
    const int error_mode = run->error_mode;
    uint32_t error = WE_NO_ERROR;
    while (read < length) {
        if (remaining == 0) {
            const size_t most = length - read < limit ? length - read : limit;
            size_t run_written = 0;
            const size_t run_read = WE_OF_HANDLER(_encode_kernel)(run, kind, (const uint8_t *)source + (read << kind),
                                                                  most, target + written, &run_written);
            read += run_read;
            written += run_written;
            if (run_read == most) {
                limit *= 8;
                continue;
            }
            if (run_read == 0 && single_units < WE_MAX_SINGLE_UNITS)
                single_units *= 2;
            else if (run_read != 0)
                single_units = WE_SINGLE_UNITS;
            if (run_read < WE_LONG_RUN) {
                remaining = single_units;
                limit = WE_SHORT_RUN;
            }
        } else {
            remaining--;
        }
    single_unit:;
        const uint32_t code_point = we_unit_once(source, kind, read);
        const size_t item_written = WE_OF_HANDLER(_encode_item)(run, code_point, target + written, &error);
        written += item_written;
        read++;
        if (WE_UNLIKELY(error != WE_NO_ERROR)) {
            if (WE_FLUSHES && error_mode == WE_IGNORE && item_written != 0) {
                /* The escape sequence from jis0208 to ASCII, after which there is no character. */
                written -= item_written;
                run->state.iso_2022_jp_encoder_state = WE_ISO_2022_JP_JIS0208;
            }
            if (!we_replace_unit(error_mode, kind, WE_PASSES_SURROGATES, code_point, target, &written))
                break;
            error = WE_NO_ERROR;
            if (read < length)
                goto single_unit; /* errors come in groups */
        }
    }
    if (WE_FLUSHES && run->end_of_queue && error == WE_NO_ERROR)
        written += WE_OF_HANDLER(_encode_item)(run, WE_END_OF_QUEUE, target + written, &error);
    run->read = read;
    run->written = written;
    if (error == WE_NO_ERROR)
        return WE_INPUT_EMPTY;
    run->code_point = error;
    return WE_UNMAPPABLE;
}

WE_LOOP_OF_KIND(_encode, we_encode_run, _ucs1, WE_UCS1)
WE_LOOP_OF_KIND(_encode, we_encode_run, _ucs2, WE_UCS2)
WE_LOOP_OF_KIND(_encode, we_encode_run, _ucs4, WE_UCS4)

#undef WE_NAME
#undef WE_PASSES_SURROGATES
#undef WE_FLUSHES
