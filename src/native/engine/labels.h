/* "Get an encoding" for a label in bytes. https://encoding.spec.whatwg.org/#concept-encoding-get */
#ifndef WE_LABELS_H
#define WE_LABELS_H

#include <stddef.h>
#include <string.h>

#include "encodings.h"

static inline int we_is_label_space(unsigned char byte)
{
    return byte == '\t' || byte == '\n' || byte == '\f' || byte == '\r' || byte == ' ';
}

/* Return the position, in the standard's order, of the encoding that a label of any bytes names, -1 if it names none.
 * ASCII whitespace around it and the case of ASCII letters are ignored. */
static inline int we_label_position(const char *label, size_t length)
{
    char lower[WE_LONGEST_LABEL + 1];
    while (length != 0 && we_is_label_space((unsigned char)*label))
        label++, length--;
    while (length != 0 && we_is_label_space((unsigned char)label[length - 1]))
        length--;
    if (length > WE_LONGEST_LABEL)
        return -1;
    for (size_t i = 0; i < length; i++) {
        if (label[i] == '\0')
            return -1;
        const char byte = label[i];
        lower[i] = byte >= 'A' && byte <= 'Z' ? (char)(byte + ('a' - 'A')) : byte;
    }
    lower[length] = '\0';
    size_t first = 0, end = WE_LABELS;
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        const int order = strcmp(lower, we_labels[middle].label);
        if (order == 0)
            return we_labels[middle].position;
        if (order < 0)
            end = middle;
        else
            first = middle + 1;
    }
    return -1;
}

#endif
