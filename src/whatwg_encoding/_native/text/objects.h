/* Strings and bytes under construction, not yet visible to other code, and exceptions that no other code keeps: the
 * only file that uses CPython's internals.
 *
 * Review it for each new version of CPython. Everything else about strings uses documented calls (objects.pxd).
 */
#ifndef WE_OBJECTS_H
#define WE_OBJECTS_H

#include <Python.h>

#if defined(Py_GIL_DISABLED)
#define WE_HAS_GIL 0
#else
#define WE_HAS_GIL 1
#endif

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

/* Return the UTF-8 that CPython keeps with a string after it was asked for, and its length; NULL if there is none. It
 * is that of scalar values, since a string with a surrogate has none. (All versions; without the GIL another thread may
 * be about to store it.) */
static inline const char *we_cached_utf8(PyObject *string, Py_ssize_t *length)
{
#if WE_HAS_GIL
    if (PyUnicode_IS_COMPACT(string) && !PyUnicode_IS_ASCII(string)) {
        *length = ((PyCompactUnicodeObject *)string)->utf8_length;
        return ((PyCompactUnicodeObject *)string)->utf8;
    }
#endif
    (void)string, (void)length;
    return NULL;
}

/* As we_set_string_length, for bytes: the length is the object's size, and a zero byte follows (all versions). No hash
 * is cached. */
static inline void we_set_bytes_length(PyObject *bytes, size_t length)
{
    Py_SET_SIZE((PyVarObject *)bytes, (Py_ssize_t)length);
    PyBytes_AS_STRING(bytes)[length] = 0;
}

/* Return whether the caller's reference is the only one to an object that this thread created. */
static inline int we_is_unshared(PyObject *object)
{
#if PY_VERSION_HEX >= 0x030E0000
    return PyUnstable_Object_IsUniquelyReferenced(object);
#elif defined(Py_GIL_DISABLED)
    (void)object;
    return 0;
#else
    return Py_REFCNT(object) == 1;
#endif
}

/* Set the members of a UnicodeEncodeError or UnicodeDecodeError to another error in the same object, as CPython's
 * codecs do for their error handlers; to create an exception takes as long as the call of a handler. Return 0, with the
 * exception unchanged, if a handler kept a reference to it, raised it, or set attributes other than those set here.
 *
 * As with CPython's codecs, `args` is not updated. The members are those of cpython/pyerrors.h in all versions. */
static inline int we_reuse_error(PyObject *error, PyObject *encoding, PyObject *object, size_t start, size_t end,
                                 PyObject *reason)
{
    PyUnicodeErrorObject *const members = (PyUnicodeErrorObject *)error;
    if (!we_is_unshared(error) || members->encoding != encoding || members->object != object || members->dict != NULL
        || members->traceback != NULL)
        return 0;
    members->start = (Py_ssize_t)start;
    members->end = (Py_ssize_t)end;
    PyObject *const previous = members->reason;
    Py_INCREF(reason);
    members->reason = reason;
    Py_XDECREF(previous);
    return 1;
}

#endif
