/* Runs kernels in another process, for libraries of another system: tests/kernels/remote.py controls it, under Wine.
 *
 *     kernel_host.exe < commands > replies
 *
 * A command is a letter and little-endian 64-bit numbers. Addresses are this process's.
 *
 *     L length, path     load a library; reply: 1, or 0 if it cannot be loaded
 *     F length, name     the address of a function of the last library; 0 if there is none
 *     A size             memory of whole pages between two inaccessible ones; reply: its address
 *     D address          release such memory
 *     W address, length, bytes        write
 *     R address, length               reply: the bytes
 *     S address                       reply: the length of the string there, and its bytes
 *     C function, count, arguments    call with up to 16 integers or addresses; reply: the result
 */
#include <fcntl.h>
#include <io.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

enum { PAGE = 4096, MOST = 16 };

static void get(void *bytes, size_t length)
{
    if (fread(bytes, 1, length, stdin) != length)
        exit(feof(stdin) ? 0 : 1);
}

static uint64_t get_number(void)
{
    uint64_t number;
    get(&number, sizeof number);
    return number;
}

static void put_number(uint64_t number)
{
    fwrite(&number, sizeof number, 1, stdout);
}

static char *get_text(void)
{
    size_t length = (size_t)get_number();
    char *text = calloc(length + 1, 1);
    if (text == NULL)
        exit(1);
    get(text, length);
    return text;
}

static uint64_t guarded(size_t size)
{
    DWORD before;
    uint8_t *first = VirtualAlloc(NULL, size + 2 * PAGE, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
    if (first == NULL || !VirtualProtect(first, PAGE, PAGE_NOACCESS, &before)
        || !VirtualProtect(first + PAGE + size, PAGE, PAGE_NOACCESS, &before))
        return 0;
    return (uint64_t)(uintptr_t)(first + PAGE);
}

/* In Windows' calling convention each argument has eight bytes, and a function ignores arguments beyond its own. */
static uint64_t call(uint64_t function, const uint64_t *a)
{
    typedef uint64_t (*any)(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                            uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);
    any run = (any)(uintptr_t)function;
    return run(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14], a[15]);
}

int main(void)
{
    HMODULE library = NULL;
    char command;
    _setmode(_fileno(stdin), _O_BINARY);
    _setmode(_fileno(stdout), _O_BINARY);
    for (;;) {
        get(&command, 1);
        if (command == 'L') {
            char *path = get_text();
            library = LoadLibraryA(path);
            free(path);
            put_number(library != NULL);
        } else if (command == 'F') {
            char *name = get_text();
            put_number((uint64_t)(uintptr_t)GetProcAddress(library, name));
            free(name);
        } else if (command == 'A') {
            put_number(guarded((size_t)get_number()));
        } else if (command == 'D') {
            VirtualFree((void *)(uintptr_t)(get_number() - PAGE), 0, MEM_RELEASE);
        } else if (command == 'W') {
            uint64_t address = get_number();
            size_t length = (size_t)get_number();
            get((void *)(uintptr_t)address, length);
        } else if (command == 'R') {
            uint64_t address = get_number();
            size_t length = (size_t)get_number();
            fwrite((const void *)(uintptr_t)address, 1, length, stdout);
        } else if (command == 'S') {
            const char *text = (const char *)(uintptr_t)get_number();
            put_number(strlen(text));
            fwrite(text, 1, strlen(text), stdout);
        } else if (command == 'C') {
            uint64_t function = get_number(), arguments[MOST] = {0};
            size_t count = (size_t)get_number();
            if (count > MOST)
                return 1;
            get(arguments, count * sizeof *arguments);
            put_number(call(function, arguments));
        } else {
            return 1;
        }
        fflush(stdout);
    }
}
