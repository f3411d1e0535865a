/* Blocks of single bytes, any of them: what the kernel has read is what the handler makes of each byte. */
void prove_single_byte_block(int simd, int kind, size_t length, size_t first, size_t count, const void *given)
{
    const we_single_byte_tables *const tables = given;
    uint8_t *const source = room(length, "source");
    memset(source, 'a', length);
    any_bytes(source + first, count, "source");
    uint8_t *const target = room(length * unit_size(kind), "target");
    we_decode_run run = {.simd = simd, .tables = tables, .error_mode = WE_STOP};
    run.max_code_point = kind == WE_UCS1 ? 0xFF : 0xFFFF;
    size_t written = length;
    const size_t read = single_byte_decode_kernel(&run, kind, 0, source, length, target, &written);
    converted(read);
    claim_equal(written, read, "a unit for each byte");
    claim(read <= length, "the kernel ends within the source");
    for (size_t i = 0; i < length; i++) {
        const uint32_t found = chosen(source[i] < 0x80, source[i], tables->index[source[i] & 0x7F]);
        claim((i >= read) | ((we_unit_get(target, kind, i) == found) & ((found != 0) | (source[i] == 0))),
              "the code point of the handler");
    }
}
