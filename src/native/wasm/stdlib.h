/* What mend.h takes of the C library, where WebAssembly has none: mending.h defines it. */
#ifndef WE_WASM_STDLIB_H
#define WE_WASM_STDLIB_H

#include <stddef.h>

void *realloc(void *block, size_t size);

#endif
