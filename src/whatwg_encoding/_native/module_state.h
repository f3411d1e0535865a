/* Find the state of a module in the current interpreter, in less time than Cython does. build/extensions.py includes
 * this in the C file of each module, where Cython looks the state up at each use of one of the module's Python objects.
 *
 * While a single interpreter has imported the module, which is the usual case, its state is that of all callers. Later
 * the state that was found last is kept with its interpreter. Both variables are protected by the GIL, which the
 * interpreters share. A state that was kept is not used after its interpreter ends, since no code of this module runs
 * in it any more, and a new interpreter at the same address adds its own state first. */
#ifndef WE_MODULE_STATE_H
#define WE_MODULE_STATE_H

static __pyx_mstatetype *we_single_state = NULL; /* NULL once a second interpreter has imported the module */
static __pyx_mstatetype *we_last_state = NULL;
static PyInterpreterState *we_last_interpreter = NULL; /* of we_last_state */

static __pyx_mstatetype *we_find_state(void)
{
    PyInterpreterState *interpreter = PyInterpreterState_Get();
    if (interpreter != we_last_interpreter) {
        we_last_state = __Pyx_PyModule_GetState(__Pyx_State_FindModule(NULL));
        we_last_interpreter = interpreter;
    }
    return we_last_state;
}

static inline __pyx_mstatetype *we_state(void)
{
    return likely(we_single_state != NULL) ? we_single_state : we_find_state();
}

/* Add the state of a module that is being imported. Return 0, or -1 with an exception. */
static int we_add_module(PyObject *module)
{
    static int is_imported = 0;
    we_single_state = is_imported ? NULL : __Pyx_PyModule_GetState(module);
    is_imported = 1;
    we_last_interpreter = NULL;
    return __Pyx_State_AddModule(module, NULL);
}

/* The state holds static types before they are ready, when they have no type themselves: the garbage collector, which
 * may run while PyType_Ready allocates, does not visit these. */
#undef Py_VISIT
#define Py_VISIT(op)                                                                                                   \
    do {                                                                                                               \
        PyObject *we_visited = (PyObject *)(op);                                                                       \
        if (we_visited != NULL && Py_TYPE(we_visited) != NULL) {                                                       \
            int we_result = visit(we_visited, arg);                                                                    \
            if (we_result)                                                                                             \
                return we_result;                                                                                      \
        }                                                                                                              \
    } while (0)

#endif
