/* Judges libwhatwg_encoding by the vectors of a file, without Python: `vectors FILE [LEVEL…]`.
 *
 * tests/capi/test_library.py writes the file, from the reference. Two threads get the table at the same time and judge
 * the vectors, by harness.c and between guard pages, once for each level; the static library can be told the level.
 * Then columns.c judges columns of them.
 * Exit with 1 after the first difference, which is printed.
 */
#define _DEFAULT_SOURCE
#include "harness.c"
#include "columns.c"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

enum { THREADS = 2, SHORT = 14, ROUNDS = 12 };

#if defined(LEVELS)
#endif

static const uint8_t *at, *end; /* of the file: numbers of the machine's byte order */
static job *jobs;
static size_t job_count;

static void give_up(const char *reason)
{
    fprintf(stderr, "%s\n", reason);
    exit(2);
}

static uint64_t number(void)
{
    uint64_t value;
    if ((size_t)(end - at) < sizeof value)
        give_up("the file ends within a vector");
    memcpy(&value, at, sizeof value);
    at += sizeof value;
    return value;
}

/* Return the next bytes in aligned memory of their own. */
static void *copied(size_t size)
{
    uint8_t *const memory = (uint8_t *)malloc(size + 1);
    if ((size_t)(end - at) < size)
        give_up("the file ends within a vector");
    memcpy(memory, at, size);
    memory[size] = 0;
    at += size;
    return memory;
}

static job next_job(void)
{
    job work;
    memset(&work, 0, sizeof work);
    work.decodes = (int)number();
    work.unit_size = (int)number();
    work.flags = (uint32_t)number();
    work.label = (const char *)copied((size_t)number());
    work.final_name = (const char *)copied((size_t)number());
    work.source_length = (size_t)number();
    work.source = copied(work.source_length * (work.decodes ? 1 : (size_t)work.unit_size));
    work.expected_length = (size_t)number();
    work.expected = copied(work.expected_length * (work.decodes ? (size_t)work.unit_size : 1));
    work.error_count = (size_t)number();
    size_t *const errors = (size_t *)malloc((2 * work.error_count + 1) * sizeof *errors);
    for (size_t i = 0; i < 2 * work.error_count; i++)
        errors[i] = (size_t)number();
    work.errors = errors;
    return work;
}

/* Return memory of a size that ends where memory that must not be touched begins. */
static uint8_t *guarded(size_t size, void **mapping, size_t *mapped)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = (size + page - 1) / page + 1;
    *mapped = pages * page;
    *mapping = mmap(NULL, *mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (*mapping == MAP_FAILED || mprotect((uint8_t *)*mapping + *mapped - page, page, PROT_NONE) != 0)
        give_up("no guard page");
    return (uint8_t *)*mapping + *mapped - page - size;
}

/* Convert the whole input, whose source and target end at guard pages. */
static int check_guarded(job *work)
{
    const size_t unit = (size_t)work->unit_size, source_size = work->source_length * (work->decodes ? 1 : unit);
    const size_t target_size = work->expected_length * (work->decodes ? unit : 1);
    void *mappings[2];
    size_t mapped[2], read = work->source_length, written = work->expected_length;
    uint8_t *const source = guarded(source_size, &mappings[0], &mapped[0]);
    uint8_t *const target = guarded(target_size, &mappings[1], &mapped[1]);
    machine state;
    memcpy(source, work->source, source_size);
    begin(work, &state, 0);
    const int result = call(work, &state, source, &read, target, &written, 1);
    const int failed = result != WHATWG_INPUT_EMPTY || read != work->source_length || written != work->expected_length
                       || memcmp(target, work->expected, target_size) != 0;
    munmap(mappings[0], mapped[0]);
    munmap(mappings[1], mapped[1]);
    return failed ? fail(work, "between guard pages: result %d, read %zu, wrote %zu", result, read, written) : 0;
}

static void *judge(void *first)
{
    for (size_t i = (size_t)(uintptr_t)first; i < job_count; i += THREADS) {
        job work = jobs[i];
        work.api = whatwg_encoding_get();
        const int is_short = work.source_length <= SHORT;
        if (check_guarded(&work)
            || (is_short ? check_splits(&work, work.decodes ? 4 : 14)
                         : check_exact(&work) || check_random(&work, (uint32_t)i, ROUNDS))) {
            fprintf(stderr, "%s, vector %zu, unit %d, flags %u: %s\n", work.label, i, work.unit_size,
                    (unsigned)work.flags, work.message);
            return (void *)(uintptr_t)1;
        }
    }
    return NULL;
}

static int judge_all(void)
{
    pthread_t threads[THREADS];
    int failed = 0;
    for (size_t i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, judge, (void *)(uintptr_t)i) != 0)
            return 2;
    for (size_t i = 0; i < THREADS; i++) {
        void *result;
        pthread_join(threads[i], &result);
        failed |= result != NULL;
    }
    return failed || check_columns(jobs, job_count);
}

int main(int count, char **arguments)
{
    FILE *const file = count > 1 ? fopen(arguments[1], "rb") : NULL;
    if (file == NULL || fseek(file, 0, SEEK_END) != 0)
        give_up("usage: vectors FILE [LEVEL…]");
    const size_t size = (size_t)ftell(file);
    uint8_t *const content = (uint8_t *)malloc(size + 1);
    rewind(file);
    if (fread(content, 1, size, file) != size)
        return 2;
    fclose(file);
    at = content;
    end = content + size;
    job_count = (size_t)number();
    jobs = (job *)malloc((job_count + 1) * sizeof *jobs);
    for (size_t i = 0; i < job_count; i++)
        jobs[i] = next_job();
    int failed = count > 2 ? 0 : judge_all();
    for (int i = 2; i < count && !failed; i++) {
#if defined(LEVELS)
        if (whatwg_encoding_set_level(arguments[i]) != 0)
            give_up("this machine does not have the level");
        failed = judge_all();
#else
        give_up("compile with -DLEVELS and link the static library");
#endif
    }
    if (!failed)
        printf("%zu vectors\n", job_count);
    for (size_t i = 0; i < job_count; i++) {
        free((void *)(uintptr_t)jobs[i].label);
        free((void *)(uintptr_t)jobs[i].final_name);
        free((void *)(uintptr_t)jobs[i].source);
        free((void *)(uintptr_t)jobs[i].expected);
        free((void *)(uintptr_t)jobs[i].errors);
    }
    free(jobs);
    free(content);
    return failed;
}
