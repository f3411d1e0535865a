/* The loop of one decoder, whose name is WE_NAME: see loop.h. WE_SURROGATE is the function that reads a surrogate where
 * the handler has an error, with Python's "surrogatepass"; without it there are none. */
#include "loop.h"

#ifndef WE_SURROGATE
#define WE_SURROGATE(run, source, length, consumed) WE_ITEM_ERROR
#endif

WE_ALWAYS_INLINE uint32_t WE_OF_HANDLER(_decode_item)(we_decode_run *, const uint8_t *, size_t, size_t *);
WE_ALWAYS_INLINE size_t WE_OF_HANDLER(_decode_kernel)(we_decode_run *, int, int, const uint8_t *, size_t, void *,
                                                      size_t *);

/* Capacity: see codec.h; each item is written to the target's units that its own bytes bring, or, to UCS2 and UCS4,
 * where it fits. For the replacement that we_put_error writes, the caller offers as many bytes as suffice
 * (error_policy.h). */
WE_ALWAYS_INLINE we_result WE_OF_HANDLER(_decode)(we_decode_run *run, const int kind)
{
    const uint8_t *const source = run->source;
    void *const target = run->target;
    const size_t length = run->source_length, room = kind == WE_UCS2 || kind == WE_UCS4 ? run->room : SIZE_MAX;
    size_t read = run->read, written = run->written, single_items = 1, remaining = 0;
    uint32_t code_point = 0;
    we_result result = WE_INPUT_EMPTY;
    while (read < length) {
        if (remaining == 0 && written < room) {
            size_t run_written = room - written;
            const size_t run_read =
                WE_OF_HANDLER(_decode_kernel)(run, kind, code_point == WE_ITEM_ERROR, source + read, length - read,
                                              we_at(target, kind, written), &run_written);
            read += run_read;
            written += run_written;
            if (read == length)
                break;
            if (written == room && length - read >= run->decisive) {
                result = WE_OUTPUT_FULL; /* without a look at the next item */
                break;
            }
            single_items = run_read >= WE_LONG_RUN                  ? 1
                           : single_items < WE_MAX_SINGLE_ITEMS / 2 ? single_items * 2
                                                                    : WE_MAX_SINGLE_ITEMS;
            remaining = single_items;
        }
        remaining -= remaining != 0;
        size_t consumed = 1;
        code_point = WE_OF_HANDLER(_decode_item)(run, source + read, length - read, &consumed);
        if (WE_UNLIKELY(code_point > 0x10FFFF)) {
            const int is_incomplete = code_point == WE_ITEM_INCOMPLETE;
            if (is_incomplete && run->end_of_queue)
                code_point = WE_ITEM_ERROR;
            if (code_point == WE_ITEM_ERROR && run->error_mode == WE_SURROGATE_PASS)
                code_point = WE_SURROGATE(run, source + read, length - read, &consumed);
            if (code_point == WE_ITEM_INCOMPLETE)
                break;
            if (code_point == WE_ITEM_NONE) {
                read += consumed;
                continue;
            }
            if (code_point == WE_ITEM_ERROR) {
                if (run->error_mode == WE_IGNORE) {
                    read += consumed;
                    continue;
                }
                if (run->error_mode) {
                    run->error_length = consumed;
                    run->error_is_incomplete = is_incomplete;
                    result = kind == WE_UTF8 ? WE_MALFORMED : we_put_error(run, kind, source + read, target, written);
                    if (result == WE_INPUT_EMPTY) {
                        read += run->error_length;
                        written = run->written;
                        continue;
                    }
                } else if (kind == WE_UCS1) {
                    result = WE_WIDEN;
                } else if (written == room) {
                    result = WE_OUTPUT_FULL;
                } else {
                    written += we_put(target, kind, written, 0xFFFD);
                    read += consumed;
                    run->error_count++;
                    continue;
                }
                if (result == WE_MALFORMED)
                    read += consumed;
                else /* the item is offered again, to a wider target */
                    run->state.replacement_error_returned = 0;
                break;
            }
            if (code_point > 0x10FFFF) {
                /* Two code points, of which one is not in Latin-1. */
                if (kind == WE_UCS1 || room - written < 2) {
                    result = kind == WE_UCS1 ? WE_WIDEN : WE_OUTPUT_FULL;
                    break;
                }
                written += we_put(target, kind, written, code_point >> 16);
                code_point &= 0xFFFF;
            }
        }
        if ((kind == WE_UCS1 || kind == WE_UCS2) && code_point > run->max_code_point) {
            result = WE_WIDEN;
            break;
        }
        if (written == room) {
            result = WE_OUTPUT_FULL;
            break;
        }
        written += we_put(target, kind, written, code_point);
        read += consumed;
    }
    run->read = read;
    run->written = written;
    return result;
}

WE_LOOP_OF_KIND(_decode, we_decode_run, _ucs1, WE_UCS1)
WE_LOOP_OF_KIND(_decode, we_decode_run, _ucs2, WE_UCS2)
WE_LOOP_OF_KIND(_decode, we_decode_run, _ucs4, WE_UCS4)
WE_LOOP_OF_KIND(_decode, we_decode_run, _utf8, WE_UTF8)

#undef WE_NAME
#undef WE_SURROGATE
