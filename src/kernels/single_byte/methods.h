/* Runs of the single-byte encodings with AVX2: which method decodes a text in the least time. */
#ifndef WE_SINGLE_BYTE_METHODS_H
#define WE_SINGLE_BYTE_METHODS_H

#include "single_byte/vector_16.h"

#if defined(WE_HAVE_AVX2)
/* A method decodes most bytes of a text, 64 at a time; the others are its exceptions, decoded one by one afterwards.
 * There are three, each of which suits other texts:
 * - distances, as above: alphabets in the order of their code points
 * - a script: alphabets in another order, such as those of KOI8-R
 * - cells: the Latin script, of which a text uses few bytes, with code points in several blocks
 * A sample of the text tells which of them takes the least time. No method takes an unmapped byte for another: it is an
 * exception of all of them.
 *
 * These are approximate times in one unit: of 32 bytes by a method, in addition to those of its
 * rows or tables, and of an exception. */
enum {
    WE_TIME_BY_DISTANCES = 180,
    WE_TIME_BY_SCRIPT = 50,
    WE_TIME_OF_ROW = 36,
    WE_TIME_BY_CELLS = 115,
    WE_TIME_OF_TABLE = 54,
    WE_TIME_OF_EXCEPTION = 230
};

/* The sixteen bytes of a row. */
WE_ALWAYS_INLINE we_bytes_16 we_bytes_of_row(unsigned row)
{
    static const uint8_t bytes[16] = {0x80, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87,
                                      0x88, 0x89, 0x8A, 0x8B, 0x8C, 0x8D, 0x8E, 0x8F};
    return we_add_u8(we_load_16(bytes), we_all_u8((uint8_t)(row * 16)));
}

/* The mask of the bytes in a row for which a table has 0. */
WE_ALWAYS_INLINE we_bytes_16 we_zeros_of_row(const uint16_t *table, unsigned row)
{
    const we_bytes_16 a = we_load_16(table + row * 16), b = we_load_16(table + row * 16 + 8);
    return we_low_bytes_16(we_equal_u16(a, we_zero_16()), we_equal_u16(b, we_zero_16()));
}

/* A script in rows of sixteen bytes: code points with the same high byte, and low bytes below 0x80. All other bytes are
 * exceptions.
 *
 * A low byte is held as its difference, by exclusive or, from the byte that it is looked up by, and from the second row
 * on as the difference from the row before it. So the rows up to that of a byte contribute to its entry. An exception
 * has no difference from itself, and the high bit tells it. The row above one that is used has exceptions alone, if it
 * is not used. */
enum { WE_LEAST_ROWS = 4, WE_MOST_ROWS = 6 };
typedef struct {
    unsigned count;
    uint8_t high;
    uint8_t steps[WE_MOST_ROWS]; /* the distance from the row before, in bytes */
    uint8_t low[WE_MOST_ROWS][16];
} we_script;

/* Choose the script of the most frequent byte, and the rows with which decoding takes the least time. Return the time,
 * SIZE_MAX if there is no such method. */
WE_TARGET_VECTOR_16 static inline size_t we_find_script(we_script *script, const uint16_t *table,
                                                        const uint16_t *counts, size_t sampled)
{
    const we_bytes_16 zero = we_zero_16();
    we_bytes_16 is_script[8][2];
    size_t uses[8], missed = 0, least = SIZE_MAX;
    unsigned chosen = 0, rest = 0xFF, before = 0;
    memset(script, 0, sizeof *script);
    script->high = (uint8_t)(table[we_most_frequent(counts, 128)] >> 8);
    if (script->high == 0)
        return SIZE_MAX; /* such code points are ASCII; 0 stands for unmapped bytes */
    for (unsigned row = 0; row < 8; row++) {
        we_bytes_16 in_script = zero, others = zero;
        for (unsigned half = 0; half < 2; half++) {
            const size_t at = row * 16 + half * 8;
            const we_bytes_16 block = we_and_16(we_load_16(table + at), we_all_u16(0xFF80));
            is_script[row][half] = we_equal_u16(block, we_all_u16((uint16_t)(script->high << 8)));
            in_script = we_add_u16(in_script, we_and_16(we_load_16(counts + at), is_script[row][half]));
            others = we_add_u16(others, we_and_not_16(we_load_16(counts + at), is_script[row][half]));
        }
        uses[row] = we_sum_u16(in_script);
        missed += we_sum_u16(others);
    }
    /* All rows, all but the one that is used least, and so on. */
    while (rest != 0) {
        const unsigned count = (unsigned)__builtin_popcount((rest | rest << 1) & 0xFF);
        const size_t time_of_32 = WE_TIME_BY_SCRIPT + WE_TIME_OF_ROW * (count < WE_LEAST_ROWS ? WE_LEAST_ROWS : count);
        const size_t time = sampled / 32 * time_of_32 + missed * WE_TIME_OF_EXCEPTION;
        if (count <= WE_MOST_ROWS && time < least) {
            least = time;
            chosen = rest;
        }
        unsigned rarest = (unsigned)__builtin_ctz(rest);
        for (unsigned row = rarest + 1; row < 8; row++)
            rarest = (rest >> row & 1) != 0 && uses[row] < uses[rarest] ? row : rarest;
        rest &= ~(1u << rarest);
        missed += uses[rarest];
    }
    we_bytes_16 last = zero;
    for (unsigned row = 0; row < 8; row++) {
        const int is_chosen = (chosen >> row & 1) != 0;
        if (!is_chosen && (row == 0 || (chosen >> (row - 1) & 1) == 0))
            continue;
        we_bytes_16 low = zero;
        if (is_chosen) {
            const we_bytes_16 a = we_load_16(table + row * 16), b = we_load_16(table + row * 16 + 8);
            low = we_xor_16(we_low_bytes_16(a, b), we_bytes_of_row(row));
            low = we_and_16(low, we_low_bytes_16(is_script[row][0], is_script[row][1]));
        }
        we_store_16(script->low[script->count], we_xor_16(low, last));
        script->steps[script->count++] = (uint8_t)(16 * (row - before));
        before = row;
        last = low;
    }
    /* More rows without differences have no effect. */
    script->count = script->count < WE_LEAST_ROWS ? WE_LEAST_ROWS : script->count;
    return least;
}

/* The code points of the bytes that a text uses, in tables of sixteen cells: texts in the Latin script use few bytes,
 * so that one or two tables do where a table of code points takes eight.
 *
 * The rows of sixteen bytes are laid over one another, each displaced so that its used bytes fall on free cells: the
 * number of a byte's cell is the sum of the byte and the displacement of its high nibble. It is from 0 to 127, and for
 * ASCII below 0, even less 112. The bytes without a cell are exceptions, and so are all unmapped ones. */
enum { WE_MOST_TABLES = 4, WE_ALL_TABLES = 8, WE_MOST_CELLS = 16 * WE_ALL_TABLES };
typedef struct {
    unsigned tables;
    we_bytes_16 displacements;       /* by the high nibble of a byte */
    we_bytes_16 exceptions;          /* by the low nibble of a cell: one bit for each row */
    uint8_t low[WE_MOST_CELLS + 16]; /* differences, by exclusive or, from the byte that has the cell; 16 are spare */
    uint8_t high[WE_MOST_CELLS + 16];
} we_cells;

/* Of the sixteen cells from `first` on those that are taken, one bit for each. */
WE_ALWAYS_INLINE unsigned we_taken_cells(const uint16_t *taken, unsigned first)
{
    return (taken[first / 16] | (uint32_t)taken[first / 16 + 1] << 16) >> first % 16 & 0xFFFF;
}

WE_ALWAYS_INLINE void we_take_cells(uint16_t *taken, unsigned first, unsigned columns)
{
    taken[first / 16] |= (uint16_t)(columns << first % 16);
    taken[first / 16 + 1] |= (uint16_t)(columns << first % 16 >> 16);
}

/* Find the first free cells for the bytes of each row, those whose bits are set in `used`. Set the cells of the rows'
 * first bytes, used or not, and the taken cells. Return 0 if there are too few. */
static inline int we_place_rows(const uint16_t *used, unsigned tables, uint16_t *taken, uint8_t *first_cells)
{
    memset(taken, 0, (WE_MOST_TABLES + 2) * sizeof *taken);
    taken[tables] = 0xFFFF;
    for (unsigned row = 0; row < 8; row++) {
        unsigned first = 0;
        while (first < 16 * tables && (we_taken_cells(taken, first) & used[row]) != 0)
            first++;
        if (first == 16 * tables)
            return 0;
        we_take_cells(taken, first, used[row]);
        first_cells[row] = (uint8_t)first;
    }
    return 1;
}

/* The bytes that have cells, the cells that are taken, and those of the rows' first bytes. */
typedef struct {
    uint16_t used[8], taken[WE_MOST_TABLES + 2];
    uint8_t first_cells[8];
} we_placement;

/* Fill the cells of a placement, and free ones with bytes that fall on them. */
WE_TARGET_VECTOR_16 static inline void we_fill_cells(we_cells *cells, const uint16_t *table, we_placement *placement)
{
    static const uint8_t lane_bits[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    static const uint8_t lane_halves[16] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1};
    const we_bytes_16 bits = we_load_16(lane_bits), halves = we_load_16(lane_halves);
    uint8_t displacements[16];
    memset(cells->low, 0, sizeof cells->low);
    memset(cells->high, 0, sizeof cells->high);
    cells->exceptions = we_zero_16();
    for (unsigned row = 0; row < 8; row++) {
        const unsigned first = placement->first_cells[row];
        displacements[row] = (uint8_t)(0xF0 - row * 16); /* ASCII */
        displacements[8 + row] = (uint8_t)(first - 0x80 - row * 16);
        const unsigned mapped = ~we_bits_16(we_zeros_of_row(table, row));
        unsigned kept = placement->used[row];
        if (cells->tables < WE_ALL_TABLES) {
            kept |= mapped & ~we_taken_cells(placement->taken, first) & 0xFFFF;
            we_take_cells(placement->taken, first, kept);
        }
        /* A lane for each bit. */
        const we_bytes_16 lanes = we_equal_u8(bits, we_and_16(bits, we_shuffle_16(we_all_u16((uint16_t)kept), halves)));
        const we_bytes_16 a = we_load_16(table + row * 16), b = we_load_16(table + row * 16 + 8);
        const we_bytes_16 low = we_xor_16(we_low_bytes_16(a, b), we_bytes_of_row(row));
        uint8_t *const low_cells = cells->low + first, *const high_cells = cells->high + first;
        we_store_16(low_cells, we_select_16(lanes, low, we_load_16(low_cells)));
        we_store_16(high_cells, we_select_16(lanes, we_high_bytes_16(a, b), we_load_16(high_cells)));
        /* From the order of the bytes to that of the cells, which are from 0x80 + row * 16 - first on. */
        const we_bytes_16 moved = we_sub_u8(we_bytes_of_row(0), we_all_u8((uint8_t)first));
        const we_bytes_16 regular = we_shuffle_16(lanes, we_and_16(moved, we_all_u8(0x0F)));
        cells->exceptions = we_or_16(cells->exceptions, we_and_not_16(we_all_u8((uint8_t)(1u << row)), regular));
    }
    cells->displacements = we_load_16(displacements);
}

/* Fill all cells: each row has a table. */
WE_TARGET_VECTOR_16 static inline void we_fill_all_cells(we_cells *cells, const uint16_t *table)
{
    we_placement all;
    memset(all.taken, 0xFF, sizeof all.taken);
    for (unsigned row = 0; row < 8; row++) {
        all.used[row] = (uint16_t)~we_bits_16(we_zeros_of_row(table, row));
        all.first_cells[row] = (uint8_t)(row * 16);
    }
    cells->tables = WE_ALL_TABLES;
    we_fill_cells(cells, table, &all);
}

/* Find the cells with which decoding takes the least time, if that is less than `least`: for the bytes that occur
 * according to `counts`, perhaps but the rarest, and for more where cells are left. Return the time, or `least`. */
WE_TARGET_VECTOR_16 static inline size_t we_find_cells(we_cells *cells, const uint16_t *table, const uint16_t *counts,
                                                       size_t sampled, size_t least)
{
    /* The best placement so far, and the one that is tried. */
    we_placement best, tried;
    const size_t most_time = least;
    /* All bytes that occur in the sample, and those that do more than once. Those that occur once are together about
     * as frequent in the text as those that do not occur in the sample. */
    uint16_t all[8], frequent[8];
    unsigned once = 0;
    for (unsigned row = 0; row < 8; row++) {
        const we_bytes_16 a = we_load_16(counts + row * 16), b = we_load_16(counts + row * 16 + 8), one = we_all_u16(1);
        const uint16_t singles = (uint16_t)we_bits_16(we_low_bytes_16(we_equal_u16(a, one), we_equal_u16(b, one)));
        all[row] = (uint16_t)~we_bits_16(we_zeros_of_row(counts, row));
        frequent[row] = all[row] & (uint16_t)~singles;
        once += (unsigned)__builtin_popcount(singles);
    }
    for (int without = 0; without < 2; without++) {
        const size_t missed = without ? 2 * once : once;
        unsigned count = 0;
        memcpy(tried.used, without ? frequent : all, sizeof tried.used);
        for (unsigned row = 0; row < 8; row++)
            count += (unsigned)__builtin_popcount(tried.used[row]);
        for (unsigned tables = count <= 16 ? 1 : (count + 15) / 16; tables <= WE_MOST_TABLES; tables++) {
            const size_t time =
                sampled / 32 * (WE_TIME_BY_CELLS + WE_TIME_OF_TABLE * tables) + missed * WE_TIME_OF_EXCEPTION;
            if (time >= least)
                break;
            if (we_place_rows(tried.used, tables, tried.taken, tried.first_cells)) {
                best = tried;
                cells->tables = tables;
                least = time;
            }
        }
    }
    if (least == most_time)
        return least;
    we_fill_cells(cells, table, &best);
    return least;
}

/* A method: how to decode bytes, all but exceptions. */
enum { WE_BY_DISTANCES, WE_BY_SCRIPT = 0x10, WE_BY_CELLS = 0x20 };
typedef struct {
    int kind; /* with the number of rows, of tables */
    we_distances distances;
    we_script script;
    we_cells cells;
} we_method;

/* Choose the method that takes the least time for a text, of which `counts` has the numbers of `sampled` bytes, fewer
 * than 0x10000. Return 0 if a byte is unmapped. */
WE_TARGET_VECTOR_16 static inline int we_choose_method(we_method *method, const uint16_t *table, const uint16_t *counts,
                                                       size_t sampled)
{
    const size_t blocks = sampled / 32;
    size_t least = (WE_TIME_BY_CELLS + WE_TIME_OF_TABLE * WE_ALL_TABLES) * blocks, missed, time;
    for (unsigned row = 0; row < 8; row++)
        if (we_any_16(we_and_not_16(we_zeros_of_row(table, row), we_zeros_of_row(counts, row))))
            return 0;
    method->kind = WE_BY_CELLS + WE_ALL_TABLES;
    method->distances = we_find_distances(table, counts, &missed);
    time = WE_TIME_BY_DISTANCES * blocks + WE_TIME_OF_EXCEPTION * missed;
    if (time < least) {
        least = time;
        method->kind = WE_BY_DISTANCES;
    }
    time = we_find_script(&method->script, table, counts, sampled);
    if (time < least) {
        least = time;
        method->kind = WE_BY_SCRIPT + (int)method->script.count;
    }
    if (we_find_cells(&method->cells, table, counts, sampled, least) < least)
        method->kind = WE_BY_CELLS + (int)method->cells.tables;
    if (method->kind == WE_BY_CELLS + WE_ALL_TABLES)
        we_fill_all_cells(&method->cells, table);
    return 1;
}
#endif

#endif
