"""What people write besides prose: units, prices, tables, logs, names with marks. Made by this script, not collected.

Programs' messages, the rest of the training text, have few symbols. Each pattern below is a place in which one is
written; numbers, words and separators around it are drawn at random, with a constant seed.
"""

from __future__ import annotations

import re
from random import Random

LINES = 24_000
"""How many lines are made: enough that a pattern of weight 1 occurs some 60 times."""

_PATTERNS = """
12 #°C|#° C|# °C|#,#°C|#.#°F|# °F|#° F|#°|(#°)|-#°C|+#°C|#°K|#°R|w: #°C|w=#°C|#°C/#°F|#°-#°|#° w|t(°C)|[°C]|w °C|w (°C);w
5 #°#'N|#°#' #" W|#° #'|#.#°S|#°E, #°N|#° #′ #″
9 #€|# €|€#|€ #|#.#€|#,# €|EUR/€|(€)|#€/w|€/kWh|w €#|w;#,# €|w,€#|"€#"|€#-€#|# € w|#€.
7 £#|£#.#|£ #|-£#|£#m|£#k|(£#)|w £#.#|w,£#|"£#"|£#/w|from £# to £#|£#-#|UK£
3 ¥#|¥ #|¥#,#|w,¥#|JP¥|¥#/$#
2 #¢|# ¢|¢#|#¢/w
1 ¤#|¤|#¤
7 #µm|# µm|µm|#µs|# µs|#µF|# µF|#µg|# µg/ml|(µm)|[µV]|#µl|#µA|µC|w=#µs|µ=#|µ|#µH,|#µF,|#µm;|µw|# µSv/h
6 #×#|# × #|#×#×#|# × # px|#×|×#|# x # × #|w × w|(#×#)|w × # = #|#×10^#
4 ±#|# ± #|#±#|±#%|± #|#.#±#.#|±#°C|(±#)|w ±#|#±#mm
5 m²|#m²|# m²|km²|cm²|#²|x²|x²+y²|(m²)|m²/w|m³|# m³|cm³|#³|x³|m³/h|¹|#¹|¹)|m²,
4 ½|#½|# ½|½ w|#½"|¼|#¼|# ¼|¼ w|¾|#¾|# ¾|¾ w|½,|¼ ½ ¾|¼,#|½ #|¼-¾
5 w®|W®|W® w|w®.|(®)|®|W®,|W™|W™ w|w™.|™|(™)|W™,|W® W™
6 ©|© #|© # W|(©)|© W|Copyright © # W|w © w|©#
3 §|§ #|§§ #|§#|w § #|(§ #)|¶|¶ #|# ¶|w¶|§ # w
2 †|w†|w†,|(†)|† #|‡|w‡|w‡,|W†, w|*, †, ‡|#†|#‡
3 nº|Nº #|nº #|#º|#º w|#ª|#ª w|#.º|#.ª|W Mª|º|ª|n.º #|#º;#|#ª,
3 ÷|# ÷ #|#÷#|w ÷ w|# ÷ # =
1 ‰|#‰|# ‰|w=#‰|#.#‰
2 ¬|¬w|¬(w)|¬a|a ∧ ¬b|¦|# ¦ #|w ¦ w
4 •|• w|• W w|•w|w • w|# • #|•#|· w|w · w|W·W|#·#|w·w|#·10
8 W’s|w’s|we’re|don’t|it’s|I’m|you’ll|they’d|#’|’#s|w’|s’ w|w’, w|l’w|d’W|qu’w|’n w|w ’n w|w ’n w w|’n w w|’t w|w ’t w|’s w|’tis w|w ’em w|’n W|o‘w|g‘w|‘w’|‘w w’|‘W|‘w’,|‘#’
6 “w”|“W w w.”|“w w,” w|w “w” w|“W!”|(“w”)|„W w“|„w“|„w”|»w«|«w»|« w »|“#”|”w”
5 w – w|w—w|w — w|#–#|#–# w|# – #|w –|—W|W–W|– w|— W w|#–#%|w – #
4 w…|w… w|…|…w|W w…|“w…”|w…”|(…)
2 ¿w w?|¿W w?|¡w!|¡W w!|w ¿w?|¡W!, ¿w?
4 # w|# #|# # #|# #|w w|# %| w|#  |w:  |  w
1 ¨|´|¸|¯|w´s|´w´|`w´|¯\\_|¨w|w´
1 ¿|¡|«|»|“|”|‘|’|–|—|…|€|£|¥|°|±|²|³|×|÷|§
2 ƒ|ƒ(x)|ƒ#|#ƒ|ˆ|˜|˜#|‚w‘|¸w|·
3 →|w → w|# → #|≤ #|≥ #|# ≤ #|≈ #|# ≈ #|#Ω|# Ω|kΩ|#kΩ|√#|∞|∑|π|≠|# ≠ #|∆|∆w|Ω
"""  # noqa: E501 - the patterns of a line share its weight
"""Weights, and patterns that share it evenly. # is a number, w a word, W a capitalized one."""

_WORDS = """
a and at the of in on for item node sensor temp total price cost room size width max min avg user error status
value type name code list page file data test line unit x y id no day week year hour log info water air power
speed weight order pos menge preis raum wert datum nr tag und der die das mit von pour le la les prix de des
du et en mois jour precio el los y por con mes total kg km cm mm ml kWh ha il di per con prezzo via het een
van prijs och pris stk
""".split()  # noqa: SIM905 - a list would be 25 lines
_SEPARATORS = (
    " ",
    " ",
    " ",
    "",
    ", ",
    ",",
    ";",
    "\t",
    " | ",
    "|",
    ": ",
    ":",
    "=",
    " = ",
    "</td><td>",
    " (",
    ") ",
    '","',
    ". ",
)
_ENDS = ("", "", "\n", "\r\n", ".", "!", "</p>", "</td>", ",", ";", ")", '"')


def text() -> str:
    """Return the lines."""
    random = Random(1)
    weights, places = [], []
    for line in _PATTERNS.strip("\n").split("\n"):
        weight, _, patterns = line.partition(" ")
        forms = patterns.split("|")
        places += forms
        weights += [int(weight) / len(forms)] * len(forms)

    def drawn(match: re.Match[str]) -> str:
        if match[0] == "#":
            return str(random.randrange(10 ** random.choice((1, 2, 2, 3, 4))))
        word = random.choice(_WORDS)
        return word.capitalize() if match[0] == "W" else word

    lines = []
    for pattern in random.choices(places, weights, k=LINES):
        place = re.sub(r"#|\b[wW]\b|(?<=[^\x00-\x7f])[wW]\b|\b[wW](?=[^\x00-\x7f])", drawn, pattern)
        before = re.sub("[wW#]", drawn, random.choice(("", "", "w", "w w", "#", "W", "w #")))
        after = re.sub("[wW#]", drawn, random.choice(("", "", "w", "w w", "#", "W")))
        parts = [before + (random.choice(_SEPARATORS) if before else ""), place]
        if after:
            parts += [random.choice(_SEPARATORS), after]
        lines.append("".join(parts) + random.choice(_ENDS))
    return "\n".join(lines)
