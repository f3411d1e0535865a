"""The capsule of the C API: the table of src/native/engine/api.h, on the engine with the codecs of all encodings."""

from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_New

from whatwg_encoding._native.core import ENGINE_CAPSULE, load_codec
from whatwg_encoding._labels import ENCODINGS
from whatwg_encoding._native.text.engine cimport we_engine

cdef extern from *:
    """
    #define WHATWG_ENCODING_NO_PYTHON
    #include "whatwg_encoding.h"

    typedef size_t (*we_api_guess_function)(const uint8_t *, size_t, const whatwg_detect_options *, whatwg_guess *,
                                            size_t);
    static we_api_guess_function we_api_guess; /* of _detect */

    static size_t we_api_detect(const uint8_t *bytes, size_t length, const whatwg_detect_options *options,
                                whatwg_guess *guesses, size_t capacity)
    {
        return we_api_guess(bytes, length, options, guesses, capacity);
    }
    #define WE_API_DETECT we_api_detect
    """
    ctypedef void *we_api_guess_function
    we_api_guess_function we_api_guess

cdef extern from "api.h" nogil:
    ctypedef struct whatwg_encoding_api:
        pass

    const whatwg_encoding_api we_api
    const we_engine *we_api_engine
    const char *we_api_name_at(size_t position)


cdef object capsule():
    """Load every codec and return the capsule. Raise ImportError if the encodings are not those of encodings.h."""
    global we_api_engine
    we_api_engine = <const we_engine *> PyCapsule_GetPointer(ENGINE_CAPSULE, "whatwg_encoding.engine")
    for name, encoding in ENCODINGS.items():
        if we_api_name_at(<size_t> load_codec(encoding)) != (<str> name).encode():
            raise ImportError(f"encodings.h has another encoding in the place of {name}")
    return PyCapsule_New(<void *> &we_api, "whatwg_encoding._C_API", NULL)


_C_API = capsule()

# After the capsule, which the module imports.
from whatwg_encoding._native.detect import GUESS

we_api_guess = <we_api_guess_function> PyCapsule_GetPointer(GUESS, "whatwg_encoding.guess")
