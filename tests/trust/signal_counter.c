/* A signal handler that makes its signal pending again, so that every check for signals of an operation calls it.
 *
 * test_signals.py calls it through ctypes, without any bytecode in which the interpreter would check by itself.
 */
#include <Python.h>

static int armed;
static long long count, raise_at;

/* The handler: count the check; raise KeyboardInterrupt at the one chosen. */
int handle(int number, PyObject *frame)
{
    (void)frame;
    if (!armed)
        return 0;
    if (++count == raise_at) {
        armed = 0;
        PyErr_SetNone(PyExc_KeyboardInterrupt);
        return -1;
    }
    PyErr_SetInterruptEx(number);
    return 0;
}

/* Count from now on; raise at the check of that number, never if it is 0. */
void arm(int number, long long at)
{
    count = 0;
    raise_at = at;
    armed = 1;
    PyErr_SetInterruptEx(number);
}

/* Return the number of checks since arm. */
long long disarm(void)
{
    armed = 0;
    return count;
}
