"""What a resource's encoding is determined from: hints, detection, and what a crawler decides."""

#: Hint that names an encoding → what it is.
ENCODING_HINTS = {
    "override": "the encoding that the user has chosen",
    "known": "the encoding if it is certain, for example of a document that is parsed again after a late ``meta``",
    "parent": "the encoding of the document that embeds this one in a frame",
    "history": "the encoding of the document at an earlier visit",
    "environment": "the encoding of the document or style sheet that refers to this one",
    "charset": "the ``charset`` attribute of the element",
    "document": "the encoding of the document that the element is in",
    "default": "the encoding if nothing else decides, instead of the locale's",
}
