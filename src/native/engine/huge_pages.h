/* Huge pages for large results: strings, bytes and columns. */

#ifndef WE_HUGE_PAGES_H
#define WE_HUGE_PAGES_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

/* Advise the kernel to use huge pages for a block of at least `least` bytes, which saves page faults. The kernel may
 * ignore the advice, and no result depends on it.
 *
 * The advice is for all pages of the block, of which the kernel takes what makes huge ones. For a part of them it would
 * divide the mapping, and mremap, by which realloc grows a block of its own mapping without a copy, fails on a divided
 * one: both blocks were held then. */
static inline void we_advise_huge_pages(void *block, size_t length, size_t least)
{
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (length >= least) {
        const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
        const uintptr_t start = (uintptr_t)block & ~(page - 1);
        const uintptr_t end = ((uintptr_t)block + length + page - 1) & ~(page - 1);
        const int saved_errno = errno;
        (void)madvise((void *)start, end - start, MADV_HUGEPAGE);
        errno = saved_errno;
    }
#else
    (void)block;
    (void)length;
    (void)least;
#endif
}

#endif
