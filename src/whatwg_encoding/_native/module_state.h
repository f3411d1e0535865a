/* What a `.pxd` includes before Cython's own code, to find the state of a module fast. Cython asks for the current
 * interpreter, for the module that it has, and for that module's state, at each use of one of the module's Python
 * objects. A release of Cython that asks in another way than by the macro below is slower, and right.
 *
 * While a single interpreter has imported the module, which is the usual case, it is the current one whenever code of
 * the module runs, so the state is remembered. The GIL, which the interpreters share, protects these variables. An
 * interpreter with a GIL of its own may call `we_module_def_init`, but runs no other code of the module: whenever it
 * sets these variables, the worst that follows is that nothing is remembered. */
#ifndef WE_MODULE_STATE_H
#define WE_MODULE_STATE_H

#if CYTHON_USE_MODULE_STATE

#if defined(__Pyx_PyModule_GetState) && (defined(__GNUC__) || defined(__clang__))
static int we_is_imported = 0;       /* once, perhaps in vain */
static int we_is_shared = 0;         /* imported twice or more: nothing is remembered any more */
static void *we_module_state = NULL; /* of the single module; NULL if none is remembered */

/* Each import begins with this call. Since 3.13 it runs in the main interpreter, whichever one imports. */
static inline PyObject *we_module_def_init(PyModuleDef *definition)
{
    if (we_is_imported) {
        we_is_shared = 1;
        we_module_state = NULL;
    }
    we_is_imported = 1;
    return PyModuleDef_Init(definition);
}

static void *we_state_of_module(PyObject *module)
{
    void *state = PyModule_GetState(module);
    if (state == NULL)
        Py_FatalError("the module has no state");
    if (!we_is_shared)
        we_module_state = state;
    return state;
}

static inline void *we_remembered_state(void)
{
    return we_module_state;
}

/* The module, which takes a while to find, is not asked for where its state is remembered. */
#undef __Pyx_PyModule_GetState
#define __Pyx_PyModule_GetState(module) ((__pyx_mstatetype *)(we_remembered_state() ?: we_state_of_module(module)))
#define PyModuleDef_Init we_module_def_init
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
