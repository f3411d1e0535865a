"""A program that uses everything public, for type checkers. It is checked, not run."""

import array
import codecs
import email
import io
import mmap
from collections.abc import AsyncGenerator, AsyncIterable, Generator, Mapping
from pathlib import Path
from typing import BinaryIO, Literal, assert_type

import whatwg_encoding as we
from whatwg_encoding import mail, mcp, webencodings
from whatwg_encoding.contexts import DecodeStream


def encodings(page: bytes, mapped: mmap.mmap, items: "array.array[int]") -> None:
    encoding = we.lookup("sjis")
    assert_type(encoding, we.Encoding)
    assert_type(we.ENCODINGS, Mapping[str, we.Encoding])
    assert_type(we.LABELS["sjis"], we.Encoding)
    assert_type(we.WINDOWS_1252.name, str)
    assert_type(encoding.labels, tuple[str, ...])
    assert_type(encoding.output_encoding, we.Encoding)
    assert_type(encoding.is_single_byte or encoding.is_ascii_compatible or encoding.is_legacy, bool)
    assert_type(encoding.has_encoder, bool)
    assert_type(encoding.codec_info, codecs.CodecInfo)
    assert_type({encoding: 1}[encoding], int)
    for data in (page, bytearray(page), memoryview(page), mapped, items):
        assert_type(encoding.decode(data), str)
    assert_type(encoding.decode(page, "fatal"), str)
    assert_type(encoding.encode("text", errors="html"), bytes)
    assert_type(encoding.decode_to_utf8(page, "replacement"), bytes)
    assert_type(encoding.valid_up_to(page) + encoding.encoded_length("text", "fatal"), int)
    assert_type(we.decode_many([(page, "sjis"), (mapped, we.UTF_8)], "fatal"), list[str])
    assert_type(we.recode(page, "sjis", we.UTF_8, "fatal"), bytes)


def incremental(page: bytes) -> None:
    decoder = we.SHIFT_JIS.new_decoder("fatal")
    assert_type(decoder, we.Decoder)
    assert_type(decoder.decode(page, final=True), str)
    assert_type(decoder.error_count, int)
    assert_type(decoder.getstate(), tuple[bytes, int])
    decoder.setstate((b"", 0))
    decoder.reset()
    encoder = we.get_encoder("iso-2022-jp")
    assert_type(encoder, we.Encoder)
    assert_type(encoder.encode("text", True), bytes)
    encoder.setstate(0)
    as_codec: codecs.IncrementalDecoder = decoder
    as_codec.decode(page)


def hooks(page: bytes) -> None:
    text, encoding = we.decode(page, "windows-1252")
    assert_type(text, str)
    assert_type(encoding, we.Encoding)
    assert_type(we.decode(memoryview(page), we.UTF_8).text, str)
    assert_type(we.bom_sniff(page), we.Encoding | None)
    assert_type(we.encode("text", we.EUC_KR), bytes)
    assert_type(we.utf8_decode(page) + we.utf8_decode_without_bom(page), str)
    assert_type(we.utf8_decode_without_bom_or_fail(page), str)
    assert_type(we.utf8_encode("text"), bytes)
    output, code_point, consumed = we.encode_or_fail("text", we.get_encoder("big5"))
    assert_type(output, bytes)
    assert_type(code_point, int | None)
    assert_type(consumed, int)
    assert_type(we.isomorphic_encode(we.isomorphic_decode(page)), bytes)


def javascript(page: bytes, buffer: bytearray, chunks: list[bytes], more: AsyncIterable[bytes]) -> None:
    decoder = we.TextDecoder("utf-8", fatal=True, ignore_bom=True)
    assert_type(decoder.decode(page, stream=True) + decoder.decode(), str)
    assert_type((decoder.encoding, decoder.fatal, decoder.ignore_bom), tuple[str, bool, bool])
    assert_type(we.TextEncoder().encode("text"), bytes)
    assert_type(we.TextEncoder().encode_into("text", buffer).written, int)
    assert_type(we.TextDecoderStream("sjis")(chunks), Generator[str, None, None])
    assert_type(we.TextDecoderStream("sjis")(more), AsyncGenerator[str, None])
    assert_type(we.TextEncoderStream()(["text"]), Generator[bytes, None, None])
    for text in we.TextDecoderStream()(chunks):
        assert_type(text, str)


def sniffing(page: bytes, chunks: list[bytes], more: AsyncIterable[bytes], context: str) -> None:
    decoded = we.decode_html(page, content_type=["text/html"], known=we.GBK, detector=we.sniff.chardetng)
    text, encoding = decoded
    assert_type(text, str)
    assert_type(encoding, we.Encoding)
    assert_type((decoded.errors, decoded.source), tuple[int, str])
    assert_type(decoded.confidence, Literal["certain", "tentative", "irrelevant"])
    assert_type(we.decode_css(page, environment="sjis"), we.Decoded)
    assert_type(we.decode_xml(page, override=we.BIG5), we.Decoded)
    assert_type(we.decode_as("classic-script", page, charset="sjis", document=we.UTF_8), we.Decoded)
    assert_type(we.decode_as("textdecoder", page, label="sjis", fatal=True), we.Decoded)
    assert_type(we.decode_as(context, page), we.Decoded)
    assert_type(we.decode_stream("html-parser", chunks, locale="ja", detector=we.sniff.crawl_detector()), DecodeStream)
    assert_type(we.decode_stream("css-from-css", more, sheet="sjis"), DecodeStream)
    assert_type(we.decode_html_to_utf8(page, default="gbk"), we.DecodedUTF8)
    assert_type(we.decode_crawled(page, "text/html", limit=1000, tld="jp"), we.Decoded)
    assert_type(we.decode_crawled_to_utf8(page).data, bytes)
    assert_type(we.sniff.html(page, locale="th").source, str)
    assert_type(we.sniff.crawl(page, None), we.sniff.Sniffed)
    assert_type(we.sniff.utf8_if_valid(page), we.Encoding | None)
    assert_type(we.sniff.is_binary(page), bool)
    assert_type(we.sniff.chardetng(page, tld="jp", last=True), str | None)
    assert_type(we.lookup_codec("cp932"), we.Encoding)
    assert_type(we.urls.serialize_form({"a": "b"}, we.GBK), str)
    assert_type(we.urls.parse_form(page, encoding="gbk"), list[tuple[str, str]])


def files(path: Path, file: BinaryIO) -> None:
    with we.open_utf8(path, "sjis", errors="fatal", bom="sniff") as reader:
        assert_type((reader.read(), reader.encoding), tuple[bytes, we.Encoding])
    assert_type(we.open_utf8(path, detector=we.sniff.utf8_if_valid).encoding, we.Encoding)
    raw: io.BufferedReader = we.open_utf8(file, we.GBK)
    raw.close()
    name, text = we.w3lib.html_to_unicode(None, b"", auto_detect_fun=lambda data: None)
    assert_type(name + text, str)


def editing(path: Path, page: bytes) -> None:
    document = we.ByteExactText(page, "sjis")
    assert_type((document.text, document.encoding, document.encode()), tuple[str, we.Encoding, bytes])
    assert_type(document.bytes_of(0, 1), tuple[int, int])
    document.replace(0, 1, "new", errors="html")
    document.update("text", errors="fatal")
    we.ByteExactText.read(path, detector=we.sniff.crawl_detector()).write(path)
    assert_type(we.reencode(page, "text", we.GBK, errors="html"), bytes)
    try:
        document.update("")
    except we.EditRefusedError as error:
        assert_type((error.start, error.end), tuple[int, int])


def drop_in(page: bytes, chunks: list[bytes]) -> None:
    we.register_codecs()
    we.unregister_codecs()
    webencodings.install()
    encoding = webencodings.lookup("sjis")
    assert_type(encoding, webencodings.Encoding | None)
    assert_type(webencodings.decode(page, "sjis"), tuple[str, webencodings.Encoding])
    assert_type(webencodings.encode("text", webencodings.UTF8, "strict"), bytes)
    texts, used = webencodings.iter_decode(chunks, "sjis")
    assert_type("".join(texts) + used.name, str)
    assert_type(b"".join(webencodings.iter_encode(["text"])), bytes)
    assert_type(webencodings.IncrementalDecoder("sjis").decode(page, final=True), str)
    assert_type(webencodings.IncrementalEncoder().encode("text", True), bytes)


def mails(data: bytes) -> None:
    message = email.message_from_bytes(data, policy=mail.policy)
    assert_type(message, mail.Message)
    part = message.get_body(("plain", "html"))
    assert_type(None if part is None else part.get_filename(), str | None)
    assert_type([attachment.is_attachment() for attachment in message.iter_attachments()], list[bool])
    assert_type(mail.policy.clone(linesep="\r\n"), mail.MessagePolicy)
    assert_type(mail.charset("utf-7"), we.Encoding | str | None)
    assert_type(mail.decode(data, "gb2312", fallback=None), str)
    assert_type(mail.decode_header(data, fallback="utf-8"), str)
    mail.Message(policy=mail.policy).set_content("text")


def agents(folder: Path) -> None:
    assert_type(mcp.Tools(str(folder)).edit_file("name", "old", "new", replace_all=True), str)
