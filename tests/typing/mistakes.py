"""Mistakes that type checkers have to find, one on each marked line. It is checked, not run: see test_typing."""

import whatwg_encoding as we

we.UTF_8.decode(b"", "strict")  # mistake
we.UTF_8.decode(b"", errors="html")  # mistake
we.UTF_8.encode("", "replacement")  # mistake
we.UTF_8.encode(b"")  # mistake
we.UTF_8.decode("")  # mistake
we.UTF_8.new_decoder("ignore")  # mistake
we.UTF_8.new_encoder("ignore")  # mistake
we.UTF_8.name = "utf-8"  # mistake
we.decode(b"")  # mistake
we.decode(b"", 5)  # mistake
we.encode_or_fail("", we.UTF_8)  # mistake
we.lookup(b"utf-8")  # mistake
we.decode_many([b""])  # mistake
we.TextDecoder("utf-8", True)  # mistake
we.TextDecoder(fatal="yes")  # mistake
we.TextDecoderStream()(["text"])  # mistake
we.TextEncoderStream()([b"bytes"])  # mistake
we.TextEncoder().encode_into("text", "buffer")  # mistake
we.decode_html(b"", charset="x")  # mistake
we.decode_html("text")  # mistake
we.decode_html(b"", known=5)  # mistake
we.decode_xml(b"", detector="gbk")  # mistake
we.decode_css(b"", locale="ja")  # mistake
we.decode_html_to_utf8(b"", charset="x")  # mistake
we.decode_as("html-parser", b"", charset="x")  # mistake
we.decode_as("classic-script", b"", locale="ja")  # mistake
we.decode_as("atob", b"", content_type="text/html")  # mistake
we.decode_stream("html-parser", [b""], charset="x")  # mistake
we.decode_stream("html-parser", ["text"])  # mistake
we.decode_stream("crawll", [b""])  # mistake
we.decode_crawled(b"", charset="x")  # mistake
we.decode_crawled(b"", exclude=[5])  # mistake
we.open_utf8("name", "sjis", errors="strict")  # mistake
we.open_utf8("name", "sjis", bom="remove")  # mistake
we.lookup_codec(b"cp932")  # mistake
we.sniff.crawl_detector("gbk")  # mistake
