"""The algorithms of the standard that are transcribed by hand: whatever does so cites their anchors."""

ANCHORS = (
    # 3. Terminology
    *("concept-stream-read", "i-o-queue-peek", "concept-stream-push", "concept-stream-prepend"),
    *("from-i-o-queue-convert", "to-i-o-queue-convert"),
    # 4. Encodings
    *("concept-encoding-run", "concept-encoding-process", "concept-encoding-get", "get-an-output-encoding"),
    # 5. Indexes
    *("index-code-point", "index-pointer"),
    # 6. Hooks for standards
    *("utf-8-decode", "utf-8-decode-without-bom", "utf-8-decode-without-bom-or-fail", "utf-8-encode"),
    *("decode", "bom-sniff", "encode", "get-an-encoder", "encode-or-fail"),
    # 7. API
    *("concept-td-serialize", "dom-textdecoder", "dom-textdecoder-decode", "dom-textencoder-encode"),
    *("dom-textencoder-encodeinto", "decode-and-enqueue-a-chunk", "flush-and-enqueue"),
    *("encode-and-enqueue-a-chunk", "convert-code-unit-to-scalar-value", "encode-and-flush"),
)
"""Their anchors, in the standard's order. Decoders, encoders and operations on indexes are compiled instead."""
