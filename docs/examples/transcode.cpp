// A C++ extension module: transcode(data, source, target) converts between two encodings in chunks, by way of UTF-16.
#define PY_SSIZE_T_CLEAN
#include <whatwg_encoding.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace {

const whatwg_encoding_api *we;

const whatwg_encoding *lookup(const std::string &label)
{
    const whatwg_encoding *encoding = we->for_label(label.data(), label.size());
    if (encoding == nullptr)
        throw std::invalid_argument("unknown encoding label " + label);
    return encoding;
}

// A writer that takes text in any number of pieces. A copy of it goes on independently.
class Writer {
public:
    explicit Writer(const whatwg_encoding *encoding)
    {
        if (we->encoder_init(&encoder_, encoding, 0) != 0)
            throw std::invalid_argument(std::string(we->name(encoding)) + " has no encoder");
    }

    void write(const uint16_t *text, size_t length, bool last)
    {
        int result;
        do {
            uint8_t piece[256];
            size_t read = length, written = sizeof piece;
            result = we->encode_from_utf16(&encoder_, text, &read, piece, &written, last);
            output_.append(reinterpret_cast<const char *>(piece), written);
            text += read;
            length -= read;
        } while (result == WHATWG_OUTPUT_FULL);
    }

    const std::string &output() const { return output_; }

private:
    whatwg_encoder encoder_;
    std::string output_;
};

std::string transcode(const std::string &data, const std::string &source, const std::string &target)
{
    Writer writer(lookup(target));
    whatwg_decoder decoder;
    we->decoder_init(&decoder, lookup(source), WHATWG_FATAL);
    const uint8_t *bytes = reinterpret_cast<const uint8_t *>(data.data());
    size_t left = data.size();
    std::vector<uint16_t> text(1024);
    for (;;) {
        size_t read = left, written = text.size();
        const int result = we->decode_to_utf16(&decoder, bytes, &read, text.data(), &written, 1);
        bytes += read;
        left -= read;
        if (result == WHATWG_MALFORMED) {
            size_t length, after;
            we->malformed(&decoder, &length, &after);
            const size_t position = data.size() - left - after - length;
            throw std::invalid_argument("malformed " + source + " at byte " + std::to_string(position));
        }
        writer.write(text.data(), written, result == WHATWG_INPUT_EMPTY);
        if (result == WHATWG_INPUT_EMPTY)
            return writer.output();
    }
}

PyObject *py_transcode(PyObject *, PyObject *arguments)
{
    const char *data, *source, *target;
    Py_ssize_t length;
    if (!PyArg_ParseTuple(arguments, "y#ss", &data, &length, &source, &target))
        return nullptr;
    try {
        const std::string result = transcode(std::string(data, static_cast<size_t>(length)), source, target);
        return PyBytes_FromStringAndSize(result.data(), static_cast<Py_ssize_t>(result.size()));
    } catch (const std::invalid_argument &error) {
        PyErr_SetString(PyExc_ValueError, error.what());
    } catch (const std::bad_alloc &) {
        PyErr_NoMemory();
    }
    return nullptr;
}

PyMethodDef methods[] = {
    {"transcode", py_transcode, METH_VARARGS, "Return data, converted from one encoding to another."},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "transcode", nullptr, -1, methods, nullptr, nullptr, nullptr, nullptr,
};

} // namespace

PyMODINIT_FUNC PyInit_transcode()
{
    we = whatwg_encoding_import();
    return we == nullptr ? nullptr : PyModule_Create(&definition);
}
