# Generated from templates/labels.pxi.j2: change that, not this; `python -m generator emit` emits it again.
# Data: the Encoding Standard, https://encoding.spec.whatwg.org/, BSD-3-Clause (LICENSE-WHATWG).
# encodings.json: sha256 078212b3697f60b81225b6671bd9da2604497abff0aa8e96e4d46605c02ac9e7


# Name, module, name of the output encoding, is_single_byte, is_ascii_compatible, has_encoder, labels: in one string,
# since making one takes less time than making them all.
ENCODINGS, LABELS = define_encodings((
    ("UTF-8", "unicode", "UTF-8",
     False, True, True, (
        "unicode-1-1-utf-8 "
        "unicode11utf8 "
        "unicode20utf8 "
        "utf-8 "
        "utf8 "
        "x-unicode20utf8 "
    )),
    ("IBM866", "single_byte", "IBM866",
     True, True, True, (
        "866 "
        "cp866 "
        "csibm866 "
        "ibm866 "
    )),
    ("ISO-8859-2", "single_byte", "ISO-8859-2",
     True, True, True, (
        "csisolatin2 "
        "iso-8859-2 "
        "iso-ir-101 "
        "iso8859-2 "
        "iso88592 "
        "iso_8859-2 "
        "iso_8859-2:1987 "
        "l2 "
        "latin2 "
    )),
    ("ISO-8859-3", "single_byte", "ISO-8859-3",
     True, True, True, (
        "csisolatin3 "
        "iso-8859-3 "
        "iso-ir-109 "
        "iso8859-3 "
        "iso88593 "
        "iso_8859-3 "
        "iso_8859-3:1988 "
        "l3 "
        "latin3 "
    )),
    ("ISO-8859-4", "single_byte", "ISO-8859-4",
     True, True, True, (
        "csisolatin4 "
        "iso-8859-4 "
        "iso-ir-110 "
        "iso8859-4 "
        "iso88594 "
        "iso_8859-4 "
        "iso_8859-4:1988 "
        "l4 "
        "latin4 "
    )),
    ("ISO-8859-5", "single_byte", "ISO-8859-5",
     True, True, True, (
        "csisolatincyrillic "
        "cyrillic "
        "iso-8859-5 "
        "iso-ir-144 "
        "iso8859-5 "
        "iso88595 "
        "iso_8859-5 "
        "iso_8859-5:1988 "
    )),
    ("ISO-8859-6", "single_byte", "ISO-8859-6",
     True, True, True, (
        "arabic "
        "asmo-708 "
        "csiso88596e "
        "csiso88596i "
        "csisolatinarabic "
        "ecma-114 "
        "iso-8859-6 "
        "iso-8859-6-e "
        "iso-8859-6-i "
        "iso-ir-127 "
        "iso8859-6 "
        "iso88596 "
        "iso_8859-6 "
        "iso_8859-6:1987 "
    )),
    ("ISO-8859-7", "single_byte", "ISO-8859-7",
     True, True, True, (
        "csisolatingreek "
        "ecma-118 "
        "elot_928 "
        "greek "
        "greek8 "
        "iso-8859-7 "
        "iso-ir-126 "
        "iso8859-7 "
        "iso88597 "
        "iso_8859-7 "
        "iso_8859-7:1987 "
        "sun_eu_greek "
    )),
    ("ISO-8859-8", "single_byte", "ISO-8859-8",
     True, True, True, (
        "csiso88598e "
        "csisolatinhebrew "
        "hebrew "
        "iso-8859-8 "
        "iso-8859-8-e "
        "iso-ir-138 "
        "iso8859-8 "
        "iso88598 "
        "iso_8859-8 "
        "iso_8859-8:1988 "
        "visual "
    )),
    ("ISO-8859-8-I", "single_byte", "ISO-8859-8-I",
     True, True, True, (
        "csiso88598i "
        "iso-8859-8-i "
        "logical "
    )),
    ("ISO-8859-10", "single_byte", "ISO-8859-10",
     True, True, True, (
        "csisolatin6 "
        "iso-8859-10 "
        "iso-ir-157 "
        "iso8859-10 "
        "iso885910 "
        "l6 "
        "latin6 "
    )),
    ("ISO-8859-13", "single_byte", "ISO-8859-13",
     True, True, True, (
        "iso-8859-13 "
        "iso8859-13 "
        "iso885913 "
    )),
    ("ISO-8859-14", "single_byte", "ISO-8859-14",
     True, True, True, (
        "iso-8859-14 "
        "iso8859-14 "
        "iso885914 "
    )),
    ("ISO-8859-15", "single_byte", "ISO-8859-15",
     True, True, True, (
        "csisolatin9 "
        "iso-8859-15 "
        "iso8859-15 "
        "iso885915 "
        "iso_8859-15 "
        "l9 "
    )),
    ("ISO-8859-16", "single_byte", "ISO-8859-16",
     True, True, True, (
        "iso-8859-16 "
    )),
    ("KOI8-R", "single_byte", "KOI8-R",
     True, True, True, (
        "cskoi8r "
        "koi "
        "koi8 "
        "koi8-r "
        "koi8_r "
    )),
    ("KOI8-U", "single_byte", "KOI8-U",
     True, True, True, (
        "koi8-ru "
        "koi8-u "
    )),
    ("macintosh", "single_byte", "macintosh",
     True, True, True, (
        "csmacintosh "
        "mac "
        "macintosh "
        "x-mac-roman "
    )),
    ("windows-874", "single_byte", "windows-874",
     True, True, True, (
        "dos-874 "
        "iso-8859-11 "
        "iso8859-11 "
        "iso885911 "
        "tis-620 "
        "windows-874 "
    )),
    ("windows-1250", "single_byte", "windows-1250",
     True, True, True, (
        "cp1250 "
        "windows-1250 "
        "x-cp1250 "
    )),
    ("windows-1251", "single_byte", "windows-1251",
     True, True, True, (
        "cp1251 "
        "windows-1251 "
        "x-cp1251 "
    )),
    ("windows-1252", "single_byte", "windows-1252",
     True, True, True, (
        "ansi_x3.4-1968 "
        "ascii "
        "cp1252 "
        "cp819 "
        "csisolatin1 "
        "ibm819 "
        "iso-8859-1 "
        "iso-ir-100 "
        "iso8859-1 "
        "iso88591 "
        "iso_8859-1 "
        "iso_8859-1:1987 "
        "l1 "
        "latin1 "
        "us-ascii "
        "windows-1252 "
        "x-cp1252 "
    )),
    ("windows-1253", "single_byte", "windows-1253",
     True, True, True, (
        "cp1253 "
        "windows-1253 "
        "x-cp1253 "
    )),
    ("windows-1254", "single_byte", "windows-1254",
     True, True, True, (
        "cp1254 "
        "csisolatin5 "
        "iso-8859-9 "
        "iso-ir-148 "
        "iso8859-9 "
        "iso88599 "
        "iso_8859-9 "
        "iso_8859-9:1989 "
        "l5 "
        "latin5 "
        "windows-1254 "
        "x-cp1254 "
    )),
    ("windows-1255", "single_byte", "windows-1255",
     True, True, True, (
        "cp1255 "
        "windows-1255 "
        "x-cp1255 "
    )),
    ("windows-1256", "single_byte", "windows-1256",
     True, True, True, (
        "cp1256 "
        "windows-1256 "
        "x-cp1256 "
    )),
    ("windows-1257", "single_byte", "windows-1257",
     True, True, True, (
        "cp1257 "
        "windows-1257 "
        "x-cp1257 "
    )),
    ("windows-1258", "single_byte", "windows-1258",
     True, True, True, (
        "cp1258 "
        "windows-1258 "
        "x-cp1258 "
    )),
    ("x-mac-cyrillic", "single_byte", "x-mac-cyrillic",
     True, True, True, (
        "x-mac-cyrillic "
        "x-mac-ukrainian "
    )),
    ("GBK", "chinese_simplified", "GBK",
     False, True, True, (
        "chinese "
        "csgb2312 "
        "csiso58gb231280 "
        "gb2312 "
        "gb_2312 "
        "gb_2312-80 "
        "gbk "
        "iso-ir-58 "
        "x-gbk "
    )),
    ("gb18030", "chinese_simplified", "gb18030",
     False, True, True, (
        "gb18030 "
    )),
    ("Big5", "chinese_traditional", "Big5",
     False, True, True, (
        "big5 "
        "big5-hkscs "
        "cn-big5 "
        "csbig5 "
        "x-x-big5 "
    )),
    ("EUC-JP", "japanese", "EUC-JP",
     False, True, True, (
        "cseucpkdfmtjapanese "
        "euc-jp "
        "x-euc-jp "
    )),
    ("ISO-2022-JP", "japanese", "ISO-2022-JP",
     False, False, True, (
        "csiso2022jp "
        "iso-2022-jp "
    )),
    ("Shift_JIS", "japanese", "Shift_JIS",
     False, True, True, (
        "csshiftjis "
        "ms932 "
        "ms_kanji "
        "shift-jis "
        "shift_jis "
        "sjis "
        "windows-31j "
        "x-sjis "
    )),
    ("EUC-KR", "korean", "EUC-KR",
     False, True, True, (
        "cseuckr "
        "csksc56011987 "
        "euc-kr "
        "iso-ir-149 "
        "korean "
        "ks_c_5601-1987 "
        "ks_c_5601-1989 "
        "ksc5601 "
        "ksc_5601 "
        "windows-949 "
    )),
    ("replacement", "miscellaneous", "UTF-8",
     False, False, False, (
        "csiso2022kr "
        "hz-gb-2312 "
        "iso-2022-cn "
        "iso-2022-cn-ext "
        "iso-2022-kr "
        "replacement "
    )),
    ("UTF-16BE", "miscellaneous", "UTF-8",
     False, False, False, (
        "unicodefffe "
        "utf-16be "
    )),
    ("UTF-16LE", "miscellaneous", "UTF-8",
     False, False, False, (
        "csunicode "
        "iso-10646-ucs-2 "
        "ucs-2 "
        "unicode "
        "unicodefeff "
        "utf-16 "
        "utf-16le "
    )),
    ("x-user-defined", "miscellaneous", "x-user-defined",
     True, True, True, (
        "x-user-defined "
    )),
))

CONSTANTS = {
    "UTF_8": ENCODINGS["UTF-8"],
    "IBM866": ENCODINGS["IBM866"],
    "ISO_8859_2": ENCODINGS["ISO-8859-2"],
    "ISO_8859_3": ENCODINGS["ISO-8859-3"],
    "ISO_8859_4": ENCODINGS["ISO-8859-4"],
    "ISO_8859_5": ENCODINGS["ISO-8859-5"],
    "ISO_8859_6": ENCODINGS["ISO-8859-6"],
    "ISO_8859_7": ENCODINGS["ISO-8859-7"],
    "ISO_8859_8": ENCODINGS["ISO-8859-8"],
    "ISO_8859_8_I": ENCODINGS["ISO-8859-8-I"],
    "ISO_8859_10": ENCODINGS["ISO-8859-10"],
    "ISO_8859_13": ENCODINGS["ISO-8859-13"],
    "ISO_8859_14": ENCODINGS["ISO-8859-14"],
    "ISO_8859_15": ENCODINGS["ISO-8859-15"],
    "ISO_8859_16": ENCODINGS["ISO-8859-16"],
    "KOI8_R": ENCODINGS["KOI8-R"],
    "KOI8_U": ENCODINGS["KOI8-U"],
    "MACINTOSH": ENCODINGS["macintosh"],
    "WINDOWS_874": ENCODINGS["windows-874"],
    "WINDOWS_1250": ENCODINGS["windows-1250"],
    "WINDOWS_1251": ENCODINGS["windows-1251"],
    "WINDOWS_1252": ENCODINGS["windows-1252"],
    "WINDOWS_1253": ENCODINGS["windows-1253"],
    "WINDOWS_1254": ENCODINGS["windows-1254"],
    "WINDOWS_1255": ENCODINGS["windows-1255"],
    "WINDOWS_1256": ENCODINGS["windows-1256"],
    "WINDOWS_1257": ENCODINGS["windows-1257"],
    "WINDOWS_1258": ENCODINGS["windows-1258"],
    "X_MAC_CYRILLIC": ENCODINGS["x-mac-cyrillic"],
    "GBK": ENCODINGS["GBK"],
    "GB18030": ENCODINGS["gb18030"],
    "BIG5": ENCODINGS["Big5"],
    "EUC_JP": ENCODINGS["EUC-JP"],
    "ISO_2022_JP": ENCODINGS["ISO-2022-JP"],
    "SHIFT_JIS": ENCODINGS["Shift_JIS"],
    "EUC_KR": ENCODINGS["EUC-KR"],
    "REPLACEMENT": ENCODINGS["replacement"],
    "UTF_16BE": ENCODINGS["UTF-16BE"],
    "UTF_16LE": ENCODINGS["UTF-16LE"],
    "X_USER_DEFINED": ENCODINGS["x-user-defined"],
}
