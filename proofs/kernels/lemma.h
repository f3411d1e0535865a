/* What lemmas are written with: proofs/kernels/intrinsics.py has what these do over symbolic bytes. */
#ifndef WE_LEMMA_H
#define WE_LEMMA_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Fill memory with any bytes, which a refutation names. */
void any_bytes(void *target, size_t size, const char *name);
/* Memory of this size in bytes, and no more. */
void *room(size_t size, const char *name);
/* From here on only inputs for which this holds. */
void assume(int condition);
/* The same number, on a way of its own for each that it may be. */
uint64_t known(uint64_t number);
/* This holds for all inputs; the second shows both values where it does not. */
void claim(int condition, const char *what);
void claim_equal(uint64_t ours, uint64_t theirs, const char *what);

/* How many units the kernel has converted: some for one input at least, or what is claimed of them says nothing. */
void converted(uint64_t count);

/* One of two numbers, without a branch. */
uint32_t chosen(int condition, uint32_t then, uint32_t otherwise);

#define ANY(type, name, length)                                                                                        \
    type *const name = (type *)room((length) * sizeof(type), #name);                                                   \
    any_bytes(name, (length) * sizeof(type), #name)

#endif
