# cython: language_level=3
"""A Cython extension module: count_words(chunks, label) counts the words of a stream without making a str of it."""

from libc.stdint cimport uint8_t, uint32_t

cimport whatwg_encoding as we

cdef const we.whatwg_encoding_api *api = we.whatwg_encoding_import()


cdef struct Counter:
    we.whatwg_decoder decoder
    size_t words
    bint in_word


cdef void count(Counter *counter, const uint8_t *source, size_t length, bint last) noexcept nogil:
    cdef uint32_t[256] text
    cdef size_t read, written, i
    cdef int result = we.WHATWG_OUTPUT_FULL
    while result == we.WHATWG_OUTPUT_FULL:
        read = length
        written = 256
        result = api.decode_to_utf32(&counter.decoder, source, &read, text, &written, last)
        source += read
        length -= read
        for i in range(written):
            if text[i] == 0x20 or 0x09 <= text[i] <= 0x0D or text[i] == 0x3000:
                counter.in_word = False
            elif not counter.in_word:
                counter.in_word = True
                counter.words += 1


def count_words(chunks, str label):
    """Return the number of words in the chunks, and the encoding of their byte order mark or the label."""
    cdef bytes name = label.encode()
    cdef const we.whatwg_encoding *encoding = api.for_label(name, len(name))
    cdef Counter counter
    cdef const uint8_t[::1] view
    if encoding == NULL:
        raise LookupError(f"unknown encoding label {label!r}")
    api.decoder_init(&counter.decoder, encoding, we.WHATWG_BOM_SNIFF)
    counter.words = 0
    counter.in_word = False
    for chunk in chunks:
        view = chunk
        if view.shape[0] != 0:
            with nogil:
                count(&counter, &view[0], <size_t> view.shape[0], False)
    count(&counter, NULL, 0, True)
    return counter.words, api.name(api.decoder_encoding(&counter.decoder)).decode()
