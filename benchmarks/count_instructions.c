/* A plugin for QEMU's user-mode emulation that counts the instructions which the emulated program executes.
 *
 *     qemu-aarch64 -plugin count_instructions.so,marker=156,output=FILE PROGRAM …
 *
 * Each time the program makes the system call whose number is `marker`, a line with the count so far is appended to
 * `output`. The count is exact for a program with one thread. The declarations of QEMU's plugin interface
 * that are used here are the same in its versions 1 to 4;
 * API_VERSION is the one that the emulator is told. https://www.qemu.org/docs/master/devel/tcg-plugins.html
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORTED __attribute__((visibility("default")))

struct qemu_plugin_tb;
struct qemu_info_t;

EXPORTED int qemu_plugin_version = API_VERSION;
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, void (*callback)(uint64_t id, struct qemu_plugin_tb *));
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *, void (*callback)(unsigned cpu, void *data),
                                          int flags, void *data);
void qemu_plugin_register_vcpu_syscall_cb(uint64_t id, void (*callback)(uint64_t id, unsigned cpu, int64_t number,
                                                                        uint64_t, uint64_t, uint64_t, uint64_t,
                                                                        uint64_t, uint64_t, uint64_t, uint64_t));

enum { NO_REGISTERS = 0 }; /* QEMU_PLUGIN_CB_NO_REGS */

static uint64_t executed;
static int64_t marker = -1;
static FILE *output;

/* The instructions of a translated block, when it is about to be executed. */
static void count(unsigned cpu, void *data)
{
    (void)cpu;
    executed += (uintptr_t)data;
}

static void translated(uint64_t id, struct qemu_plugin_tb *block)
{
    (void)id;
    qemu_plugin_register_vcpu_tb_exec_cb(block, count, NO_REGISTERS, (void *)(uintptr_t)qemu_plugin_tb_n_insns(block));
}

static void system_call(uint64_t id, unsigned cpu, int64_t number, uint64_t a, uint64_t b, uint64_t c, uint64_t d,
                        uint64_t e, uint64_t f, uint64_t g, uint64_t h)
{
    (void)id, (void)cpu, (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h;
    if (number == marker) {
        fprintf(output, "%" PRIu64 "\n", executed);
        fflush(output);
    }
}

EXPORTED int qemu_plugin_install(uint64_t id, const struct qemu_info_t *info, int argc, char **argv)
{
    (void)info;
    for (int i = 0; i < argc; i++) {
        if (strncmp(argv[i], "marker=", 7) == 0)
            marker = strtoll(argv[i] + 7, NULL, 10);
        else if (strncmp(argv[i], "output=", 7) == 0)
            output = fopen(argv[i] + 7, "a");
    }
    if (marker < 0 || output == NULL) {
        fputs("count_instructions takes marker=NUMBER and output=FILE, a file that can be written\n", stderr);
        return 1;
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_vcpu_syscall_cb(id, system_call);
    return 0;
}
