/* Run a function once, whatever thread needs it first; the others wait for its end. */
#ifndef WE_ONCE_H
#define WE_ONCE_H

typedef int we_once; /* 0 initially */

enum { WE_ONCE_RUNNING = 1, WE_ONCE_DONE = 2 };

static inline void we_run_once(we_once *once, void (*function)(void))
{
    int expected = 0;
    if (__atomic_load_n(once, __ATOMIC_ACQUIRE) == WE_ONCE_DONE)
        return;
    if (__atomic_compare_exchange_n(once, &expected, WE_ONCE_RUNNING, 0, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
        function();
        __atomic_store_n(once, WE_ONCE_DONE, __ATOMIC_RELEASE);
    }
    while (__atomic_load_n(once, __ATOMIC_ACQUIRE) != WE_ONCE_DONE)
        ; /* of microseconds */
}

#endif
