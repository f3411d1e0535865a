/* Calls a function whose source changes while it is read; test_changing_source.py controls it.
 *
 * `call` lets the source change once, at the same moment in every run: its last page cannot be read at first, and when
 * the function comes there, the fault's handler replaces everything before that page, makes it readable, and continues.
 * Source and target end at inaccessible memory; an access there ends the call, not the process.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { OUTSIDE = -100, OVERRUN = -101, EARLY_PAGES = 8, TARGET_PAGES = 32, FILLER = 0x7E };

/* A member of the C API. */
typedef int (*convert)(void *context, const void *source, size_t *read, void *target, size_t *written, int option);

static struct {
    size_t page;
    uint8_t *late; /* the last page of the source */
    uint8_t *target_end;
    uint8_t *source;     /* of the current call */
    const uint8_t *next; /* what the source's bytes before `late` become */
    volatile int changed;
    sigjmp_buf outside;
} state;

static uint8_t *allocate(size_t pages)
{
    uint8_t *const memory = mmap(NULL, (pages + 2) * state.page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory + state.page, pages * state.page, PROT_READ | PROT_WRITE) != 0)
        return NULL;
    return memory + state.page;
}

/* Return the size of a page, or 0 if there is no memory. */
size_t prepare(void)
{
    if (state.page == 0) {
        state.page = (size_t)sysconf(_SC_PAGESIZE);
        uint8_t *const source = allocate(EARLY_PAGES + 1), *const target = allocate(TARGET_PAGES);
        if (source == NULL || target == NULL)
            return 0;
        state.late = source + EARLY_PAGES * state.page;
        state.target_end = target + TARGET_PAGES * state.page;
    }
    return state.page;
}

static void on_fault(int number, siginfo_t *information, void *unused)
{
    const uint8_t *const address = (const uint8_t *)information->si_addr;
    (void)number, (void)unused;
    if (state.changed || address < state.late || address >= state.late + state.page)
        siglongjmp(state.outside, 1);
    mprotect(state.late, state.page, PROT_READ | PROT_WRITE);
    memcpy(state.source, state.next, (size_t)(state.late - state.source));
    state.changed = 1;
}

/* Call `function` with the `early` bytes of `first`, which change to those of `second`, and the bytes after them up to
 * `length`, of `second`; and with a target of `capacity` units, `size` bytes, that ends `behind` bytes before its
 * memory does. `read` is in and out, in units; `changed` tells whether the function came to the last page. Return its
 * result, OUTSIDE or OVERRUN. */
int call(convert function, void *context, int option, const uint8_t *first, const uint8_t *second, size_t early,
         size_t length, size_t *read, size_t capacity, size_t size, size_t behind, size_t *written,
         const uint8_t **target, int *changed)
{
    mprotect(state.late, state.page, PROT_READ | PROT_WRITE);
    state.source = state.late - early;
    state.next = second;
    state.changed = 0;
    memcpy(state.source, first, early);
    memcpy(state.late, second + early, length - early);
    memset(state.late + (length - early), FILLER, state.page - (length - early));
    mprotect(state.late, state.page, PROT_NONE);

    struct sigaction action, before[2];
    uint8_t *const into = state.target_end - behind - size;
    volatile int result = OUTSIDE;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, &before[0]);
    sigaction(SIGBUS, &action, &before[1]);
    memset(into + size, FILLER, behind);
    *target = into;
    *written = capacity;
    if (sigsetjmp(state.outside, 1) == 0)
        result = function(context, state.source, read, into, written, option);
    sigaction(SIGSEGV, &before[0], NULL);
    sigaction(SIGBUS, &before[1], NULL);
    *changed = state.changed;
    for (size_t i = 0; i < behind; i++)
        if (into[size + i] != FILLER)
            return OVERRUN;
    return result;
}
