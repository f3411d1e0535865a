/* Blocks of single bytes, any of them: what the kernel has read is what the handler makes of each byte. */
void prove_single_byte_block(int simd, int kind, size_t length, size_t first, size_t count, size_t least,
                             const void *given)
{
    const we_single_byte_tables *const tables = given;
    uint8_t *const source = room(length, "source");
    memset(source, 'a', length);
    any_bytes(source + first, count, "source");
    size_t written, errors = 0;
    const size_t capacity = any_capacity(kind, length, 0, least, &written);
    uint8_t *const target = room(capacity * unit_size(kind), "target");
    we_decode_run run = {0};
    any_run(&run, simd, kind, tables);
    if (length > 16) /* vectors: the count of U+FFFD among their units is left to the tests */
        assume(run.error_mode != WE_REPLACE);
    const int replaces = run.error_mode == WE_REPLACE;
    const size_t read = single_byte_decode_kernel(&run, kind, 0, source, length, target, &written);
    converted(read);
    claim_equal(written, read, "a unit for each byte");
    claim((read <= length) & (read <= capacity), "the kernel ends within source and target");
    for (size_t i = 0; i < length && i < capacity; i++) {
        const uint32_t known_as = chosen(source[i] < 0x80, source[i], tables->index[source[i] & 0x7F]);
        const int is_error = (known_as == 0) & (source[i] != 0);
        const uint32_t found = chosen(is_error, 0xFFFD, known_as);
        claim((i >= read)
                  | ((we_unit_get(target, kind, i) == found) & (found <= run.max_code_point) & (!is_error | replaces)),
              "the code point of the handler");
        errors += (i < read) & is_error;
    }
    claim_equal(run.error_count, errors, "how many errors are replaced");
    claim(!replaces | (kind != WE_UCS2) | (read == (length < capacity ? length : capacity)),
          "errors are replaced, and all that fits is read");
}

/* What the proofs of handlers have in Python for it is what the C does, for any code point, with a table. */
uint8_t model_single_byte_of(const uint8_t *stage1, const uint8_t *stage2, uint32_t code_point);

void prove_single_byte_of(const void *given)
{
    const we_single_byte_tables *const tables = given;
    ANY(uint32_t, code_point, 1);
    claim_equal(we_single_byte_of(&tables->reverse, *code_point),
                model_single_byte_of(tables->reverse.stage1, tables->reverse.stage2, *code_point), "the byte");
}
