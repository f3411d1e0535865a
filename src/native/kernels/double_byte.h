/* Runs of two-byte characters between runs of ASCII: the common part of Shift_JIS, EUC-JP, EUC-KR, Big5, GBK and
 * gb18030.
 *
 * Decoding looks pairs up in a table of 32768 code units by (leading - 0x80) * 256 + trailing; 0 marks two bytes that
 * are no pair. In Shift_JIS the bytes A1 to DF are not leading bytes but half-width katakana: `katakana` is 1 for that
 * encoding and 0 for all others. Encoding looks code units up in a table of 65536 byte pairs in memory order, the first
 * byte in the lower half; an upper half of 0 means that the first byte stands alone, and 0 that there is none (or that
 * the code point is U+0000, which stands for itself).
 *
 * A run stops before the first item that it can not convert: a pair or unit without an entry, an incomplete pair. Every
 * look-up is in range by the width of its key alone, whatever the source holds.
 *
 * Capacity: a decoder's target takes a unit (UTF-8: three bytes) for each source byte, or as many units of UCS2 and
 * UCS4 as `written` says on entry; an encoder's takes two bytes for each unit and WE_ENCODE_SLACK more. A run may write
 * anything within that capacity.
 *
 * The scalar loops here define each run. Most of their time is latency: the length of an item gives the position of
 * the next, and branches are mispredicted where the script changes. The vector variants find the positions of all pairs
 * of a block at once, and look up more keys than there are pairs.
 */
#ifndef WE_DOUBLE_BYTE_H
#define WE_DOUBLE_BYTE_H

#include "levels.h"

#endif
