/* An SQLite extension with the encodings of the web: legacy bytes in a database become text, and text bytes.
 *
 *     decode(bytes, label)   text, or NULL if the bytes are malformed; decode(bytes, label, 'replacement') has U+FFFD
 *     encode(text, label)    bytes, or NULL if a character is unmappable; encode(text, label, 'html') has references
 *     detect(bytes)          the name of the encoding that the bytes are most likely in
 *
 *     cc -shared -fPIC sqlite_encoding.c $(pkg-config --cflags --libs whatwg_encoding) -o sqlite_encoding.so
 *     sqlite3 old.db -cmd '.load ./sqlite_encoding' "SELECT decode(name, 'shift_jis') FROM customers"
 *
 * Each function is NULL for NULL. An unknown label or mode, and an encoding without encoder, are errors.
 */
#include <sqlite3ext.h>
#include <string.h>
#include <whatwg_encoding.h>

SQLITE_EXTENSION_INIT1

static int is_null(int count, sqlite3_value **arguments)
{
    for (int i = 0; i < count; i++)
        if (sqlite3_value_type(arguments[i]) == SQLITE_NULL)
            return 1;
    return 0;
}

/* Return the encoding of the second argument; without one, set the error. */
static const whatwg_encoding *encoding_of(sqlite3_context *context, sqlite3_value **arguments)
{
    const whatwg_encoding_api *we = (const whatwg_encoding_api *)sqlite3_user_data(context);
    const char *label = (const char *)sqlite3_value_text(arguments[1]);
    const whatwg_encoding *encoding = label ? we->for_label(label, (size_t)sqlite3_value_bytes(arguments[1])) : NULL;
    if (label != NULL && encoding == NULL) {
        char *message = sqlite3_mprintf("unknown encoding label: %.40s", label);
        sqlite3_result_error(context, message ? message : "unknown encoding label", -1);
        sqlite3_free(message);
    } else if (label == NULL) {
        sqlite3_result_error_nomem(context);
    }
    return encoding;
}

/* Return the flags for the mode that is the third argument, if there is one; without such a mode, -1 and an error. */
static int flags_of(sqlite3_context *context, int count, sqlite3_value **arguments, const char *replaces)
{
    const char *mode = count > 2 ? (const char *)sqlite3_value_text(arguments[2]) : "fatal";
    if (mode != NULL && strcmp(mode, "fatal") == 0)
        return WHATWG_FATAL;
    if (mode != NULL && strcmp(mode, replaces) == 0)
        return 0;
    sqlite3_result_error(context, "the third argument is 'fatal', 'replacement' (decode) or 'html' (encode)", -1);
    return -1;
}

static void decode(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    const whatwg_encoding_api *we = (const whatwg_encoding_api *)sqlite3_user_data(context);
    const whatwg_encoding *encoding;
    whatwg_decoder decoder;
    int flags;
    if (is_null(count, arguments) || (encoding = encoding_of(context, arguments)) == NULL
        || (flags = flags_of(context, count, arguments, "replacement")) < 0)
        return;
    const uint8_t *source = (const uint8_t *)sqlite3_value_blob(arguments[0]);
    size_t length = (size_t)sqlite3_value_bytes(arguments[0]);
    we->decoder_init(&decoder, encoding, (uint32_t)flags);
    size_t capacity = we->max_utf8_length(&decoder, length);
    char *target = (char *)sqlite3_malloc64(capacity + 1);
    if (target == NULL) {
        sqlite3_result_error_nomem(context);
        return;
    }
    if (we->decode_to_utf8(&decoder, source, &length, (uint8_t *)target, &capacity, 1) == WHATWG_INPUT_EMPTY)
        sqlite3_result_text64(context, target, capacity, sqlite3_free, SQLITE_UTF8);
    else
        sqlite3_free(target); /* malformed: NULL */
}

static void encode(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    const whatwg_encoding_api *we = (const whatwg_encoding_api *)sqlite3_user_data(context);
    const whatwg_encoding *encoding;
    whatwg_encoder encoder;
    int flags;
    if (is_null(count, arguments) || (encoding = encoding_of(context, arguments)) == NULL
        || (flags = flags_of(context, count, arguments, "html")) < 0)
        return;
    if (we->encoder_init(&encoder, encoding, (uint32_t)flags) != 0) {
        sqlite3_result_error(context, "the encoding has no encoder", -1);
        return;
    }
    const uint8_t *source = (const uint8_t *)sqlite3_value_text(arguments[0]);
    size_t length = (size_t)sqlite3_value_bytes(arguments[0]);
    size_t capacity = flags ? we->max_encoded_length(&encoder, length, 1)
                            : we->max_encoded_length_with_references(&encoder, length, 1);
    uint8_t *target = (uint8_t *)sqlite3_malloc64(capacity + 1);
    if (target == NULL) {
        sqlite3_result_error_nomem(context);
        return;
    }
    if (we->encode_from_utf8(&encoder, source, &length, target, &capacity, 1) == WHATWG_INPUT_EMPTY)
        sqlite3_result_blob64(context, target, capacity, sqlite3_free);
    else
        sqlite3_free(target); /* unmappable: NULL */
}

static void detect(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    const whatwg_encoding_api *we = (const whatwg_encoding_api *)sqlite3_user_data(context);
    whatwg_guess guess;
    if (is_null(count, arguments))
        return;
    const uint8_t *source = (const uint8_t *)sqlite3_value_blob(arguments[0]);
    if (we->detect(source, (size_t)sqlite3_value_bytes(arguments[0]), NULL, &guess, 1) != 0)
        sqlite3_result_text(context, we->name(guess.encoding), -1, SQLITE_STATIC);
}

int sqlite3_extension_init(sqlite3 *database, char **error, const sqlite3_api_routines *api);
int sqlite3_extension_init(sqlite3 *database, char **error, const sqlite3_api_routines *api)
{
    SQLITE_EXTENSION_INIT2(api);
    static const struct {
        const char *name;
        int arguments;
        void (*function)(sqlite3_context *, int, sqlite3_value **);
    } functions[] = {{"decode", 2, decode},
                     {"decode", 3, decode},
                     {"encode", 2, encode},
                     {"encode", 3, encode},
                     {"detect", 1, detect}};
    void *const we = (void *)(uintptr_t)whatwg_encoding_get();
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    int result = SQLITE_OK;
    (void)error;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0] && result == SQLITE_OK; i++)
        result = sqlite3_create_function(database, functions[i].name, functions[i].arguments, flags, we,
                                         functions[i].function, NULL, NULL);
    return result;
}
