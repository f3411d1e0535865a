/* Strings and bytes that are being made, which nobody else has seen yet: the one file that touches CPython's internals.
 *
 * Read it when a new version of CPython comes. Everything else about strings goes through documented calls (_objects.pxd).
 */
#ifndef WE_OBJECTS_H
#define WE_OBJECTS_H

#include <Python.h>
#include <errno.h>
#include <stdint.h>

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

/* Set the length of a string of which less is used than was allotted, and end it with a null unit. The block keeps its size: giving back
 * a few pages of a large one makes the C library hand out, and the kernel clear, new pages for the next result, which takes longer than
 * the decoding itself.
 *
 * What PyUnicode_New and PyUnicode_Resize maintain, and so does this:
 * - length counts code points, and a unit of zero follows them (all versions);
 * - 3.11: where a unit has the size of wchar_t, wstr points at the units themselves, and wstr_length is the length. (An ASCII string has
 *   no wstr_length; its units are bytes, which no wchar_t is.) PEP 623 removes both members in 3.12.
 * The string has no hash and no UTF-8 form, since it has not been seen by anybody. */
static inline void we_set_string_length(PyObject *string, size_t length)
{
    ((PyASCIIObject *)string)->length = (Py_ssize_t)length;
#if PY_VERSION_HEX < 0x030C0000
    if (!PyUnicode_IS_ASCII(string) && (void *)((PyASCIIObject *)string)->wstr == PyUnicode_DATA(string))
        ((PyCompactUnicodeObject *)string)->wstr_length = (Py_ssize_t)length;
#endif
    PyUnicode_WRITE(PyUnicode_KIND(string), PyUnicode_DATA(string), (Py_ssize_t)length, 0);
}

/* The same of bytes, whose length is the object's size, and which a zero byte follows (all versions). They have no hash yet. */
static inline void we_set_bytes_length(PyObject *bytes, size_t length)
{
    Py_SET_SIZE((PyVarObject *)bytes, (Py_ssize_t)length);
    PyBytes_AS_STRING(bytes)[length] = 0;
}

/* Ask for huge pages under a block of several megabytes, which takes one fault for 512 pages. The kernel may refuse. */
static inline void we_advise_huge_pages(void *block, size_t length)
{
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (length >= (size_t)4 << 20) {
        uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
        uintptr_t start = ((uintptr_t)block + page - 1) & ~(page - 1);
        uintptr_t end = ((uintptr_t)block + length) & ~(page - 1);
        int saved_errno = errno;
        (void)madvise((void *)start, end - start, MADV_HUGEPAGE);
        errno = saved_errno;
    }
#else
    (void)block;
    (void)length;
#endif
}

#endif
