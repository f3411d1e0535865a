/* Run a program in three interpreters that share the GIL, as mod_wsgi does, before the main interpreter imports
 * anything; end one of them, go on in the others, and run it in the main interpreter last. Each imports the C API.
 *
 * argv[1]: the program, which defines `work`. */
#include <whatwg_encoding.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const whatwg_encoding_api *TABLE = NULL;

static void fail(const char *what)
{
    if (PyErr_Occurred())
        PyErr_Print();
    fprintf(stderr, "%s failed\n", what);
    exit(1);
}

static void run(const char *program)
{
    if (PyRun_SimpleString(program) != 0)
        fail(program);
}

/* Decode by the table that this interpreter's capsule holds, and by the one that the first interpreter's held. */
static void decode(void)
{
    const whatwg_encoding_api *table = whatwg_encoding_import();
    if (table == NULL)
        fail("whatwg_encoding_import");
    if (TABLE == NULL)
        TABLE = table;
    const whatwg_encoding *encoding = TABLE->for_label("sjis", 4);
    if (encoding == NULL || encoding != table->for_label("Shift_JIS", 9))
        fail("for_label");
    uint8_t target[8];
    size_t read = 2, written = sizeof target;
    whatwg_decoder decoder;
    table->decoder_init(&decoder, encoding, 0);
    if (table->decode_to_utf8(&decoder, (const uint8_t *)"\x82\xA0", &read, target, &written, 1) != WHATWG_INPUT_EMPTY
        || written != 3 || memcmp(target, "\xE3\x81\x82", 3) != 0)
        fail("decode_to_utf8");
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    Py_Initialize();
    PyThreadState *first = PyThreadState_Get(), *others[3];
    for (int i = 0; i < 3; i++) {
        others[i] = Py_NewInterpreter();
        if (others[i] == NULL)
            fail("Py_NewInterpreter");
        run(argv[1]);
        decode();
    }
    PyThreadState_Swap(others[0]);
    run("work()");
    Py_EndInterpreter(others[0]);
    for (int i = 1; i < 3; i++) {
        PyThreadState_Swap(others[i]);
        run("work()");
        decode();
    }
    PyThreadState_Swap(first);
    run(argv[1]);
    decode();
    for (int i = 1; i < 3; i++) {
        PyThreadState_Swap(others[i]);
        run("work()");
        Py_EndInterpreter(others[i]);
        PyThreadState_Swap(first);
        run("work()");
    }
    return Py_FinalizeEx() == 0 ? 0 : 1;
}
