/* The table of the C API for programs that are not extensions of Python: start an interpreter that has the package.
 *
 * PYTHON is the path of an interpreter that imports whatwg_encoding, for example that of a virtual environment. Compile
 * with -DPYTHON='"/path/to/bin/python"' and the output of `python3-config --includes --ldflags --embed`. */
#ifndef EMBEDDING_H
#define EMBEDDING_H

#include <whatwg_encoding.h> /* first, as it includes Python.h */

/* Return the table, or NULL after a message to stderr. Call it once; the functions of the table need no GIL. */
static const whatwg_encoding_api *embedded_api(void)
{
    const whatwg_encoding_api *api;
    PyGILState_STATE state = PyGILState_UNLOCKED;
    const int starts = !Py_IsInitialized();
    if (starts) {
        PyConfig config; /* isolated: environment variables, the locale and signals are left to the program */
        PyConfig_InitIsolatedConfig(&config);
        PyStatus status = PyConfig_SetBytesString(&config, &config.program_name, PYTHON);
        if (!PyStatus_Exception(status))
            status = Py_InitializeFromConfig(&config);
        PyConfig_Clear(&config);
        if (PyStatus_Exception(status)) {
            fprintf(stderr, "%s: %s\n", PYTHON, status.err_msg ? status.err_msg : "Python does not start");
            return NULL;
        }
    } else {
        state = PyGILState_Ensure();
    }
    api = whatwg_encoding_import();
    if (api == NULL)
        PyErr_Print();
    if (starts)
        PyEval_SaveThread();
    else
        PyGILState_Release(state);
    return api;
}

#endif
