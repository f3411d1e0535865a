# Generated from templates/code_pages.py.j2: change that, not this; `python -m generator emit` emits it again.
# Data: data/code_pages.json, after Python's codecs.

"""The code pages outside the standard, by name."""

from whatwg_encoding._native.core import define_code_pages

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final  # quoted below, since the import of typing takes longer than this module's

# Name, is_single_byte, is_ascii_compatible, labels: in one string, since making one takes less time than making them
# all. An engine's table has the positions of this order.
CODE_PAGES = define_code_pages((
    ("cp437", True, True,
     "cp437 437 ibm437 dos-437 cspc8codepage437"),
    ("cp720", True, True,
     "cp720 720 ibm720 dos-720"),
    ("cp737", True, True,
     "cp737 737 ibm737 dos-737"),
    ("cp775", True, True,
     "cp775 775 ibm775 dos-775 cspc775baltic"),
    ("cp850", True, True,
     "cp850 850 ibm850 dos-850 cspc850multilingual"),
    ("cp852", True, True,
     "cp852 852 ibm852 dos-852 cspcp852"),
    ("cp855", True, True,
     "cp855 855 ibm855 dos-855 csibm855"),
    ("cp856", True, True,
     "cp856 856 ibm856 dos-856"),
    ("cp857", True, True,
     "cp857 857 ibm857 dos-857 csibm857"),
    ("cp858", True, True,
     "cp858 858 ibm858 dos-858 csibm858"),
    ("cp860", True, True,
     "cp860 860 ibm860 dos-860 csibm860"),
    ("cp861", True, True,
     "cp861 861 ibm861 dos-861 cp_is csibm861"),
    ("cp862", True, True,
     "cp862 862 ibm862 dos-862 cspc862latinhebrew"),
    ("cp863", True, True,
     "cp863 863 ibm863 dos-863 csibm863"),
    ("cp864", True, False,
     "cp864 864 ibm864 dos-864 csibm864"),
    ("cp865", True, True,
     "cp865 865 ibm865 dos-865 csibm865"),
    ("cp866", True, True,
     "cp866 866 ibm866 dos-866 csibm866"),
    ("cp869", True, True,
     "cp869 869 ibm869 dos-869 cp_gr csibm869"),
    ("cp1125", True, True,
     "cp1125 1125 ibm1125 dos-1125 cp866u ruscii"),
    ("mac_arabic", True, False,
     "mac_arabic mac-arabic x-mac-arabic"),
    ("mac_croatian", True, True,
     "mac_croatian mac-croatian x-mac-croatian"),
    ("mac_farsi", True, False,
     "mac_farsi mac-farsi x-mac-farsi"),
    ("mac_greek", True, True,
     "mac_greek mac-greek x-mac-greek macgreek"),
    ("mac_iceland", True, True,
     "mac_iceland mac-iceland x-mac-iceland maciceland"),
    ("mac_latin2", True, True,
     "mac_latin2 mac-latin2 x-mac-latin2 mac_centeuro maccentraleurope maclatin2"),
    ("mac_romanian", True, True,
     "mac_romanian mac-romanian x-mac-romanian"),
    ("mac_turkish", True, True,
     "mac_turkish mac-turkish x-mac-turkish macturkish"),
    ("cp037", True, False,
     "cp037 037 ibm037 csibm037 ebcdic_cp_ca ebcdic_cp_nl ebcdic_cp_us ebcdic_cp_wt ibm039"),
    ("cp273", True, False,
     "cp273 273 ibm273 csibm273"),
    ("cp424", True, False,
     "cp424 424 ibm424 csibm424 ebcdic_cp_he"),
    ("cp500", True, False,
     "cp500 500 ibm500 csibm500 ebcdic_cp_be ebcdic_cp_ch"),
    ("cp875", True, False,
     "cp875 875 ibm875"),
    ("cp1026", True, False,
     "cp1026 1026 ibm1026 csibm1026"),
    ("cp1140", True, False,
     "cp1140 1140 ibm1140"),
    ("cp1006", True, True,
     "cp1006 1006 ibm1006"),
    ("UTF-32LE", False, False,
     "utf-32le utf_32le utf_32_le utf-32"),
    ("UTF-32BE", False, False,
     "utf-32be utf_32be utf_32_be"),
))

CP437: "Final" = CODE_PAGES["cp437"]
CP720: "Final" = CODE_PAGES["cp720"]
CP737: "Final" = CODE_PAGES["cp737"]
CP775: "Final" = CODE_PAGES["cp775"]
CP850: "Final" = CODE_PAGES["cp850"]
CP852: "Final" = CODE_PAGES["cp852"]
CP855: "Final" = CODE_PAGES["cp855"]
CP856: "Final" = CODE_PAGES["cp856"]
CP857: "Final" = CODE_PAGES["cp857"]
CP858: "Final" = CODE_PAGES["cp858"]
CP860: "Final" = CODE_PAGES["cp860"]
CP861: "Final" = CODE_PAGES["cp861"]
CP862: "Final" = CODE_PAGES["cp862"]
CP863: "Final" = CODE_PAGES["cp863"]
CP864: "Final" = CODE_PAGES["cp864"]
CP865: "Final" = CODE_PAGES["cp865"]
CP866: "Final" = CODE_PAGES["cp866"]
CP869: "Final" = CODE_PAGES["cp869"]
CP1125: "Final" = CODE_PAGES["cp1125"]
MAC_ARABIC: "Final" = CODE_PAGES["mac_arabic"]
MAC_CROATIAN: "Final" = CODE_PAGES["mac_croatian"]
MAC_FARSI: "Final" = CODE_PAGES["mac_farsi"]
MAC_GREEK: "Final" = CODE_PAGES["mac_greek"]
MAC_ICELAND: "Final" = CODE_PAGES["mac_iceland"]
MAC_LATIN2: "Final" = CODE_PAGES["mac_latin2"]
MAC_ROMANIAN: "Final" = CODE_PAGES["mac_romanian"]
MAC_TURKISH: "Final" = CODE_PAGES["mac_turkish"]
CP037: "Final" = CODE_PAGES["cp037"]
CP273: "Final" = CODE_PAGES["cp273"]
CP424: "Final" = CODE_PAGES["cp424"]
CP500: "Final" = CODE_PAGES["cp500"]
CP875: "Final" = CODE_PAGES["cp875"]
CP1026: "Final" = CODE_PAGES["cp1026"]
CP1140: "Final" = CODE_PAGES["cp1140"]
CP1006: "Final" = CODE_PAGES["cp1006"]
UTF_32LE: "Final" = CODE_PAGES["UTF-32LE"]
UTF_32BE: "Final" = CODE_PAGES["UTF-32BE"]

__all__ = [
    "CODE_PAGES",
    "CP437",
    "CP720",
    "CP737",
    "CP775",
    "CP850",
    "CP852",
    "CP855",
    "CP856",
    "CP857",
    "CP858",
    "CP860",
    "CP861",
    "CP862",
    "CP863",
    "CP864",
    "CP865",
    "CP866",
    "CP869",
    "CP1125",
    "MAC_ARABIC",
    "MAC_CROATIAN",
    "MAC_FARSI",
    "MAC_GREEK",
    "MAC_ICELAND",
    "MAC_LATIN2",
    "MAC_ROMANIAN",
    "MAC_TURKISH",
    "CP037",
    "CP273",
    "CP424",
    "CP500",
    "CP875",
    "CP1026",
    "CP1140",
    "CP1006",
    "UTF_32LE",
    "UTF_32BE",
]
