"""The capsule of the C API: the table of src/native/engine/api.h with the codecs of all encodings."""

from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_New

from whatwg_encoding._native.text.core import _codec_capsule, cpu_features
from whatwg_encoding._labels import ENCODINGS
from whatwg_encoding._native.text.kernels cimport we_codec, we_simd_best, we_simd_from_name

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
    bint we_api_define(const char *name, const we_codec *codec)
    bint we_api_complete(int simd)


cdef object capsule():
    """Load every codec and return the capsule. Raise ImportError if the codecs do not match the encodings of api.h."""
    cdef bytes simd = cpu_features()["simd"].encode()
    cdef const we_codec *codec
    for name, encoding in ENCODINGS.items():
        codec = <const we_codec *> PyCapsule_GetPointer(_codec_capsule(encoding), "whatwg_encoding.codec")
        if not we_api_define((<str> name).encode(), codec):
            raise ImportError(f"the encoding {name} is not in encodings.h")
    if not we_api_complete(we_simd_from_name(simd, we_simd_best())):
        raise ImportError("an encoding of encodings.h has no codec")
    return PyCapsule_New(<void *> &we_api, "whatwg_encoding._C_API", NULL)


_C_API = capsule()

# After the capsule, which the module imports.
from whatwg_encoding._native.determination.detect import GUESS

we_api_guess = <we_api_guess_function> PyCapsule_GetPointer(GUESS, "whatwg_encoding.guess")
