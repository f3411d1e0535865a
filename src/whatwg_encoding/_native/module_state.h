/* Functions of CPython, as macros, that make Cython's lookup of a module's state fast. A `.pxd` includes this before
 * Cython's own code, which asks for the current interpreter's ID, and for the state of the module it has under that ID,
 * at each use of one of the module's Python objects. A Cython that asks in another way is slower, and right.
 *
 * While a single interpreter has imported the module, which is the usual case, it is the current one whenever code of
 * the module runs, so its ID and its module's state are remembered. The GIL, which the interpreters share, protects
 * these variables. An interpreter with a GIL of its own may call `we_module_def_init`, but runs no other code of the
 * module: that function only ever sets its two flags, in an order in which a race remembers nothing too much. */
#ifndef WE_MODULE_STATE_H
#define WE_MODULE_STATE_H

#if CYTHON_USE_MODULE_STATE

static int we_is_imported = 0;                    /* by one interpreter or more, or an import failed */
static int we_is_shared = 0;                      /* imported twice or more: nothing is remembered */
static PyInterpreterState *we_interpreter = NULL; /* the single one; NULL before the first lookup */
static int64_t we_interpreter_id = 0;
static PyObject *we_module = NULL; /* the one that it imported; NULL before the first lookup of its state */
static void *we_module_state = NULL;

/* Each import begins with this call. Since 3.13 it runs in the main interpreter, whichever one imports. */
static inline PyObject *we_module_def_init(PyModuleDef *definition)
{
    if (we_is_imported)
        we_is_shared = 1;
    we_is_imported = 1;
    return PyModuleDef_Init(definition);
}

static inline PyInterpreterState *we_current_interpreter(void)
{
    if (we_is_shared)
        return PyInterpreterState_Get();
    if (we_interpreter == NULL) {
        we_interpreter = PyInterpreterState_Get();
        we_interpreter_id = PyInterpreterState_GetID(we_interpreter);
    }
    return we_interpreter;
}

static inline int64_t we_id_of_interpreter(PyInterpreterState *interpreter)
{
    if (we_is_shared || interpreter != we_interpreter)
        return PyInterpreterState_GetID(interpreter);
    return we_interpreter_id;
}

static inline void *we_state_of_module(PyObject *module)
{
    if (we_is_shared)
        return PyModule_GetState(module);
    if (module != we_module) {
        we_module_state = PyModule_GetState(module);
        if (we_module_state == NULL)
            Py_FatalError("the module has no state");
        we_module = module;
    }
    return we_module_state;
}

#undef PyModuleDef_Init
#undef PyInterpreterState_Get
#undef PyInterpreterState_GetID
#define PyModuleDef_Init we_module_def_init
#define PyInterpreterState_Get we_current_interpreter
#define PyInterpreterState_GetID we_id_of_interpreter
#ifdef __Pyx_PyModule_GetState /* Cython's, which has called CPython's above */
#undef __Pyx_PyModule_GetState
#define __Pyx_PyModule_GetState(module) ((__pyx_mstatetype *)we_state_of_module(module))
#endif

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

#endif
