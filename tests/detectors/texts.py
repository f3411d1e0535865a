"""A sentence in each of some languages, and the encodings that text in it is found in."""

from __future__ import annotations

SENTENCES = {
    "ar": "تقع المدينة القديمة على ضفاف النهر، ويعيش فيها كثير من الناس منذ زمن بعيد.",
    "cs": "Staré město leží na břehu řeky a lidé v něm žijí již dlouhou dobu, příliš žluťoučký kůň tu však není.",
    "de": "Die alte Stadt liegt am Ufer eines großen Flusses, über den viele schöne Brücken führen.",
    "el": "Η παλιά πόλη βρίσκεται στις όχθες του ποταμού και οι άνθρωποι ζουν εκεί εδώ και πολλά χρόνια.",
    "fr": "La vieille ville s’étend près du fleuve, où des gens ont vécu et travaillé depuis très longtemps déjà.",
    "he": "העיר העתיקה שוכנת על גדות הנהר, ואנשים רבים חיים בה כבר שנים ארוכות.",
    "ja": "古い町は川のほとりにあり、人々はずっと昔からそこに住んでいます。カメラを持って出かけましょう。",
    "ko": "오래된 도시는 강가에 있으며 많은 사람들이 오랫동안 그곳에서 살아 왔습니다.",
    "lt": "Senasis miestas stovi ant upės kranto, o žmonės čia gyvena jau labai seniai, šimtmečius.",
    "pl": "Stare miasto leży nad brzegiem rzeki, a ludzie żyją w nim już od bardzo długiego czasu.",
    "ru": "Старый город стоит на берегу реки, и люди живут в нём уже очень давно.",
    "th": "เมืองเก่าตั้งอยู่ริมแม่น้ำ และผู้คนอาศัยอยู่ที่นั่นมาเป็นเวลานานแล้ว",
    "tr": "Eski şehir nehrin kıyısında yer alır ve insanlar çok uzun zamandır burada yaşıyor, ağaçların altında.",
    "uk": "Старе місто стоїть на березі річки, і люди живуть у ньому вже дуже давно, її ґанок білий.",
    "zh": "古老的城市坐落在河边，人们很久以前就住在那里，今天仍然有许多人来参观。",
    "zh-tw": "古老的城市坐落在河邊，人們很久以前就住在那裡，今天仍然有許多人來參觀。",
}

ENCODINGS = [
    (language, encoding)
    for language, encodings in {
        "ar": "windows-1256", "cs": "windows-1250 ISO-8859-2", "de": "windows-1252 macintosh", "el": "windows-1253",
        "fr": "windows-1252", "he": "windows-1255", "ja": "Shift_JIS EUC-JP ISO-2022-JP", "ko": "EUC-KR",
        "lt": "windows-1257", "pl": "windows-1250 ISO-8859-2",
        "ru": "windows-1251 KOI8-R IBM866 ISO-8859-5 x-mac-cyrillic", "th": "windows-874", "tr": "windows-1254",
        "uk": "windows-1251 KOI8-U", "zh": "GBK gb18030", "zh-tw": "Big5",
    }.items()
    for encoding in (*encodings.split(), "UTF-8")
]  # fmt: skip
