"""Code pages and mixed lines through the command, and edits that are refused where the encoding is a guess."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import whatwg_encoding as we
from tests.cli.conftest import Run
from whatwg_encoding import code_pages

# A batch file in each language, in its code page of DOS: comments, and what is put instead of DONE.
BATCHES = {
    ("da", "cp850"): ("Køb mælk og brød på vej hjem|Sæt kaffe over", "Færdig på få øjeblikke"),
    ("de", "cp850"): ("Überprüfen der Schlüssel|Löschen älterer Kopien", "Fertig für heute, schöne Grüße"),
    ("fr", "cp850"): ("Vérification des accès à la clé|Création du dossier déjà prêt", "Terminé à l'été"),
    ("es", "cp850"): ("Copia de seguridad del año pasado|¿Está seguro? Pulse una tecla", "Terminó la operación, señor"),
    ("pt", "cp850"): ("Cópia de segurança concluída|Não há espaço em disco", "Conclusão da operação"),
    ("pl", "cp852"): (
        "Sprawdź łącze i spróbuj później|Usuwanie plików tymczasowych nie powiodło się",
        "Zakończono ćwiczenie",
    ),
    ("cs", "cp852"): ("Záloha dokončena úspěšně|Prosím čekejte, kopíruji soubory", "Hotovo příště"),
    ("hu", "cp852"): ("Kérem várjon, amíg a művelet befejeződik|A fájl törlése sikerült", "Kész, köszönöm szépen"),
    ("ru", "cp866"): ("Проверка диска завершена|Пожалуйста, подождите", "Готово, до встречи"),
    ("tr", "cp857"): (
        "Lütfen bekleyiniz, dosyalar kopyalanıyor|Geçici dosyalar silindi, işlem tamam",
        "Bitti, teşekkürler",
    ),
    ("el", "cp737"): ("Παρακαλώ περιμένετε|Η αντιγραφή ολοκληρώθηκε", "Τέλος"),
    ("et", "cp775"): ("Palun oodake, failid kopeeritakse täna õhtul|Käivitage süsteem uuesti", "Lõpetatud täielikult"),
}


def batch(comments: str, count: int) -> str:
    lines = [f"rem {line}\r\necho {line}...\r\n" for line in comments.split("|")[:count]]
    return "@echo off\r\n" + "".join(lines) + "if errorlevel 1 goto end\r\necho DONE\r\n:end\r\n"


@pytest.mark.gate
@pytest.mark.parametrize(("language", "codec"), BATCHES)
def test_an_edit_writes_right_bytes_or_none(run: Run, tmp_path: Path, language: str, codec: str) -> None:
    comments, new = BATCHES[language, codec]
    for count in (1, 2):
        text = batch(comments, count)
        path = tmp_path / "a.bat"
        expected = text.replace("DONE", new).encode(codec)
        path.write_bytes(text.encode(codec))
        done = run("replace", "DONE", new, path)
        if done.returncode == 0:
            assert path.read_bytes() == expected
        else:
            assert (done.returncode, path.read_bytes()) == (1, text.encode(codec))
            message = done.stderr.decode()
            assert "-f" in message
            assert comments.split("|")[0] in message  # the line as the right one reads it
        path.write_bytes(text.encode(codec))
        assert run("replace", "-f", codec, "DONE", new, path).returncode == 0
        assert path.read_bytes() == expected
        assert run("decode", "-f", codec, path).stdout.decode() == expected.decode(codec)


def test_readings_that_are_the_same_are_one(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.bat"
    path.write_bytes("rem Dosya bulunamadı\r\necho DONE\r\n".encode("cp857"))
    message = run("replace", "DONE", "dışarı", path).stderr.decode()
    assert "cp857: rem Dosya bulunamadı" in message
    assert "cp852, cp775: rem Dosya bulunamad" in message


def test_candidates_make_a_guess_sure(run: Run, tmp_path: Path) -> None:
    """What the user excludes is no reason to refuse an edit."""
    path, text = tmp_path / "a.txt", "ｻﾄｳ ﾐｻｷ\n"
    path.write_bytes(text.encode("shift_jis"))
    refused = run("replace", "-f", "auto", "ﾐｻｷ", "ﾊﾅｺ", path)
    assert refused.returncode == 1
    assert path.read_bytes() == text.encode("shift_jis")
    done = run("replace", "-f", "auto", "--candidates", "shift_jis,windows-1252", "ﾐｻｷ", "ﾊﾅｺ", path)
    assert (done.returncode, done.stderr) == (0, b"")
    assert path.read_bytes() == "ｻﾄｳ ﾊﾅｺ\n".encode("shift_jis")


def test_dos_is_asked_for(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    text = "Größere Dateien löschen, schöne Wünsche\n"
    path.write_bytes(text.encode("cp850"))
    assert run("decode", "-f", "auto", path).stdout.decode() != text  # lines end otherwise than in DOS
    assert run("decode", "-f", "auto", "--dos", path).stdout.decode() == text
    guess = we.sniff.detect(text.encode("cp850"), dos=True)[0]
    assert guess.encoding in code_pages.CODE_PAGES.values()
    assert guess.encoding.decode(text.encode("cp850")) == text
    refused = run("decode", "-f", "auto", "--as", "html", "--dos", path)
    assert refused.returncode == 2


@pytest.mark.parametrize("codec", ["utf-32-le", "utf-32-be"])
def test_utf_32_with_its_mark(run: Run, tmp_path: Path, codec: str) -> None:
    path, text = tmp_path / "a.txt", "日本語\nOnly ASCII \U0001f600\n"
    path.write_bytes(f"\ufeff{text}".encode(codec))
    assert run("decode", "-f", "auto", path).stdout.decode() == text
    assert we.open_utf8(path).read().decode() == text
    assert run("replace", "ASCII", "\U0001f600€", path).returncode == 0
    assert path.read_bytes() == f"\ufeff{text.replace('ASCII', chr(0x1F600) + '€')}".encode(codec)
    truncated = path.read_bytes()[:-2]
    path.write_bytes(truncated)
    assert run("decode", "-f", "auto", path).stdout.decode().endswith("\ufffd")
    assert not we.decode_crawled(truncated).encoding.name.startswith("UTF-32")


def test_mixed_lines(run: Run, tmp_path: Path) -> None:
    lines = [f"Zeile {number}: Größe und Übung\n" for number in range(50)] + ["plain\n"] * 7
    data = b"".join(line.encode("utf-8" if number % 3 else "cp1252") for number, line in enumerate(lines))
    path = tmp_path / "mixed.txt"
    path.write_bytes(data)
    assert run("decode", "--by-line", path).stdout.decode() == "".join(lines)
    assert run("decode", "--by-line", "-f", "windows-1252", path).stdout.decode() == "".join(lines)
    counts = json.loads(run("sniff", "--by-line", "--json", path).stdout)["lines"]
    assert counts == {"ASCII": 7, "UTF-8": 33, "windows-1252": 17}
    shown = run("sniff", "--by-line", path).stdout.decode()
    assert shown.endswith("lines: 7 in ASCII, 33 in UTF-8, 17 in windows-1252\n")
    assert run("sniff", "--by-line", "--all", path).returncode == 2
    assert run("decode", "--by-line", "-c", path).returncode == 2
    limited = run("sniff", "--by-line", "--exclude", "windows-1252", "--candidates", "koi8-r,windows-1252", path)
    assert limited.stdout.decode().endswith("lines: 7 in ASCII, 33 in UTF-8, 17 in KOI8-R\n")
    assert run("decode", "--by-line", "-f", "auto", "--candidates", "windows-1252", path).stdout.decode() == "".join(
        lines
    )
    for label in ("iso-2022-jp", "utf-16le", "iso-2022-kr"):
        refused = run("decode", "--by-line", "-f", label, path)
        assert (refused.returncode, refused.stdout) == (2, b"")
        assert "--by-line: lines cannot be in" in refused.stderr.decode()
    for limit in (["--tld", "ru"], ["--dos"], ["--as", "html"]):
        for command in (("sniff",), ("decode", "-f", "auto")):
            refused = run(*command, "--by-line", *limit, path)
            assert refused.returncode == 2
            assert f": --by-line cannot be combined with {limit[0]}\n" in refused.stderr.decode()
    path.write_bytes(data + b"\x81\n")
    failed = run("decode", "--by-line", "--fatal", "-f", "shift_jis", path)
    assert failed.returncode == 1
