/* For the explorer: text as `repair` mends it. library.c includes this, which has the API. */
#include "mend.h"

/* The memory of one call: blocks move up, and all are free when the next call begins. */
static _Alignas(16) uint8_t arena[1 << 20];
static size_t used;

void *realloc(void *block, size_t size)
{
    uint8_t *const larger = arena + used;
    if (size > sizeof arena - used)
        return NULL;
    if (block)
        memmove(larger, block, size); /* and what follows the block, which is in the arena, too */
    used += (size + 15) & ~(size_t)15;
    return larger;
}

/* Write the text that another one was before it was misread, of at most twice its length, and up to `capacity` names of
 * encodings: what a part was read as, and what it was, the last misreading first; NULL ends those of a part. Return the
 * length; 0 if nothing was misread, or if there is too much text. */
__attribute__((export_name("whatwg_encoding_mend"))) size_t whatwg_encoding_mend(const uint32_t *, size_t, uint32_t *,
                                                                                 const char **, size_t);
size_t whatwg_encoding_mend(const uint32_t *text, size_t length, uint32_t *target, const char **names, size_t capacity)
{
    static we_search search;
    const we_tools tools = {&search, 1};
    we_mending mending = {0};
    size_t read = 0, written = 0, named = 0;
    used = 0;
    we_run_once(&once_detecting, fill_detection);
    we_readings_fill();
    if (we_mend(text, sizeof *text, length, &tools, &mending) != 0 || mending.count == 0)
        return 0;
    for (size_t part = 0; part < mending.count; part++) {
        const we_edit *const edit = &mending.edits[part];
        memcpy(target + written, text + read, (edit->start - read) * sizeof *text);
        written += edit->start - read;
        memcpy(target + written, mending.text + edit->at, edit->length * sizeof *text);
        written += edit->length;
        read = edit->end;
        if (named + 2 * edit->count < capacity) {
            for (size_t step = 0; step < edit->count; step++) {
                names[named++] = edit->steps[step].read_as;
                names[named++] = edit->steps[step].was;
            }
            names[named++] = NULL;
        }
    }
    memcpy(target + written, text + read, (length - read) * sizeof *text);
    if (named < capacity)
        names[named] = NULL;
    return written + length - read;
}
