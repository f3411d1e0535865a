/* A C extension module: to_utf8(data, label) decodes bytes of any encoding to UTF-8. */
#define PY_SSIZE_T_CLEAN
#include <whatwg_encoding.h> /* first, as it includes Python.h */

static const whatwg_encoding_api *we;

static PyObject *to_utf8(PyObject *module, PyObject *arguments)
{
    Py_buffer data;
    const char *label;
    Py_ssize_t label_length;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "y*s#", &data, &label, &label_length))
        return NULL;
    const whatwg_encoding *encoding = we->for_label(label, (size_t)label_length);
    if (encoding == NULL) {
        PyBuffer_Release(&data);
        return PyErr_Format(PyExc_LookupError, "unknown encoding label %s", label);
    }

    whatwg_decoder decoder; /* all of the state; nothing to free */
    we->decoder_init(&decoder, encoding, WHATWG_BOM_SNIFF);
    size_t read = (size_t)data.len;
    size_t written = we->max_utf8_length(&decoder, read);
    PyObject *result = written > PY_SSIZE_T_MAX ? PyErr_NoMemory() : PyBytes_FromStringAndSize(NULL,
        (Py_ssize_t)written);
    if (result != NULL) {
        uint8_t *target = (uint8_t *)PyBytes_AS_STRING(result);
        Py_BEGIN_ALLOW_THREADS /* the API needs no GIL */
        /* The capacity suffices and errors are replaced, so this returns WHATWG_INPUT_EMPTY. */
        we->decode_to_utf8(&decoder, (const uint8_t *)data.buf, &read, target, &written, 1);
        Py_END_ALLOW_THREADS
        _PyBytes_Resize(&result, (Py_ssize_t)written);
    }
    PyBuffer_Release(&data);
    return result;
}

static PyMethodDef methods[] = {
    {"to_utf8", to_utf8, METH_VARARGS, "Return the UTF-8 of data, decoded by the encoding that label names."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "to_utf8", NULL, -1, methods, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit_to_utf8(void)
{
    we = whatwg_encoding_import();
    return we == NULL ? NULL : PyModule_Create(&definition);
}
