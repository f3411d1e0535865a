/* Strings and bytes under construction, not yet visible to other code: the only file that uses CPython's internals.
 *
 * Review it for each new version of CPython. Everything else about strings uses documented calls (_objects.pxd).
 */
#ifndef WE_OBJECTS_H
#define WE_OBJECTS_H

#include <Python.h>

/* Set the length of a string that uses less than its allocation, and terminate it with a null unit. The block keeps
 * its size: if the unused pages of a large block were returned, the kernel would have to clear new ones for the next
 * result, which takes longer than decoding.
 *
 * The invariants of PyUnicode_New and PyUnicode_Resize, which this maintains:
 * - length counts code points, and a unit of zero follows them (all versions);
 * - 3.11: if a unit has the size of wchar_t, wstr points to the units and wstr_length is the length. An ASCII string
 *   has no wstr_length; its units are bytes, and no wchar_t is. PEP 623 removes both members in 3.12.
 * The string has no cached hash or UTF-8 form, since no other code has seen it. */
static inline void we_set_string_length(PyObject *string, size_t length)
{
    ((PyASCIIObject *)string)->length = (Py_ssize_t)length;
#if PY_VERSION_HEX < 0x030C0000
    if (!PyUnicode_IS_ASCII(string) && (void *)((PyASCIIObject *)string)->wstr == PyUnicode_DATA(string))
        ((PyCompactUnicodeObject *)string)->wstr_length = (Py_ssize_t)length;
#endif
    PyUnicode_WRITE(PyUnicode_KIND(string), PyUnicode_DATA(string), (Py_ssize_t)length, 0);
}

/* The same for bytes: the length is the object's size, and a zero byte follows (all versions). No hash is cached. */
static inline void we_set_bytes_length(PyObject *bytes, size_t length)
{
    Py_SET_SIZE((PyVarObject *)bytes, (Py_ssize_t)length);
    PyBytes_AS_STRING(bytes)[length] = 0;
}

#endif
