/* What a text of DOS looks like, for files alone: its line ends, and its rules and boxes, which are the same bytes in
 * the code pages that have them. It is one pass over the sample, without memory of its own.
 *
 * src/whatwg_encoding/_sniff/dos.py has the same rules. */
#ifndef WE_DOS_H
#define WE_DOS_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    size_t lines;     /* that end with LF, those with CR LF included */
    size_t cr_lf;     /* those that end with CR LF */
    size_t box_bytes; /* bytes of rules, boxes and shades, wherever they are */
    size_t others;    /* other bytes that are not ASCII */
    int has_rule;     /* three of a rule, a corner with the start of one, or a row of shades, which no other text has */
} we_dos_look;

/* Return whether a byte is of a rule, a box or a shade in code page 437 and those that have the same. */
static inline int we_dos_is_box(uint8_t byte)
{
    return (byte >= 0xB0 && byte <= 0xB4) || (byte >= 0xB9 && byte <= 0xBC) || (byte >= 0xBF && byte <= 0xC5)
           || (byte >= 0xC8 && byte <= 0xCE) || (byte >= 0xD9 && byte <= 0xDF);
}

static inline int we_dos_is_rule(uint8_t byte)
{
    return byte == 0xC4 || byte == 0xCD;
}

/* Return whether a rule, or a row of shades, begins at bytes[at]: no more than `length` bytes are read. */
static inline int we_dos_rule_at(const uint8_t *bytes, size_t length, size_t at)
{
    if (length - at < 3)
        return 0;
    const uint8_t first = bytes[at], second = bytes[at + 1], third = bytes[at + 2];
    const int is_corner =
        first == 0xC0 || first == 0xC3 || first == 0xDA || first == 0xC8 || first == 0xCC || first == 0xC9;
    if (we_dos_is_rule(second) && we_dos_is_rule(third) && (is_corner || (first == second && second == third)))
        return 1;
    if (first == 0xB2 && second == 0xB1 && third == 0xB0)
        return 1;
    if (length - at < 4)
        return 0;
    const uint8_t fourth = bytes[at + 3];
    if (first == 0xB0 && second == 0xB1 && third == 0xB2 && fourth == 0xDB)
        return 1;
    return ((first >= 0xB0 && first <= 0xB2) || first == 0xDB) && first == second && first == third && first == fourth;
}

static inline we_dos_look we_dos_look_at(const uint8_t *bytes, size_t length)
{
    we_dos_look look = {0, 0, 0, 0, 0};
    for (size_t i = 0; i < length; i++) {
        const uint8_t byte = bytes[i];
        if (byte == '\n') {
            look.lines++;
            look.cr_lf += i != 0 && bytes[i - 1] == '\r';
        } else if (byte >= 0x80) {
            look.box_bytes += (size_t)we_dos_is_box(byte);
            look.others += (size_t)!we_dos_is_box(byte);
            look.has_rule |= !look.has_rule && we_dos_rule_at(bytes, length, i);
        }
    }
    return look;
}

/* Return whether the code pages of DOS are candidates for a text that nobody calls one. */
static inline int we_dos_looks_like_it(const we_dos_look *look)
{
    return look->has_rule || (look->lines != 0 && look->cr_lf == look->lines);
}

#endif
