"""CPython's own tests of ``email`` with ``whatwg_encoding.mail.policy`` as the default policy.

It folds long headers of a source, as email's policies do.
The exit status is 1 if a test fails that is not in EXPECTED, or one in it passes.
"""

from __future__ import annotations

import email.policy
import io
import os
import sys
import unittest

from whatwg_encoding import mail

#: The end of a test's name → why it does not pass.
EXPECTED = {
    "TestBytesGenerator.test_cte_type_7bit_handles_unknown_8bit": (
        "it asserts that raw UTF-8 in a Subject becomes =?unknown-8bit?…?=, not text"
    ),
    "Generator.test_keep_long_encoded_newlines": "it asserts that an encoded end of a line stays in a header",
    "Parser.test_only_split_on_cr_lf": "it asserts that what str.splitlines divides stays in a header",
    "Generator.test_rfc2231_wrapping": "it asserts that a parameter of ASCII is divided where it fits in no line",
    "Generator.test_rfc2231_wrapping_switches_to_default_len_if_too_narrow": "the same",
    "PolicyAPITests.test_defaults": "it asserts which objects the attributes of email's own policies are",
    "PolicyAPITests.test_policy_addition": "it asserts that the class of messages is email's own",
}


def known(suite: unittest.TestSuite) -> str:
    """Return the names of all tests, which differ between versions."""
    return " ".join(known(test) if isinstance(test, unittest.TestSuite) else str(test.id()) for test in suite)


def main() -> int:
    mail.MessagePolicy.refold_source = "long"
    policy = mail.policy
    email.policy.default = policy
    email.policy.strict = policy.clone(raise_on_defect=True)
    email.policy.SMTP = policy.clone(linesep="\r\n")
    email.policy.HTTP = policy.clone(linesep="\r\n", max_line_length=None)
    email.policy.SMTPUTF8 = email.policy.SMTP.clone(utf8=True)
    try:
        import test.test_email
    except ImportError:
        print("this Python comes without its tests")
        return 0
    folder = os.path.dirname(test.test_email.__file__)
    suite = unittest.defaultTestLoader.discover(folder, top_level_dir=os.path.dirname(os.path.dirname(folder)))
    names = known(suite)  # a suite forgets its tests when it has run
    result = unittest.TextTestRunner(stream=io.StringIO(), verbosity=0).run(suite)
    failed = {str(test.id()).split(" ")[0]: text for test, text in result.failures + result.errors}
    unexpected = {name: text for name, text in failed.items() if not name.endswith(tuple(EXPECTED))}
    for name, text in unexpected.items():
        print(name, text, sep="\n")
    passed = [name for name in EXPECTED if name in names and not any(failure.endswith(name) for failure in failed)]
    print(f"{result.testsRun} tests; not expected: {len(unexpected)}; passed unexpectedly: {passed}")
    return bool(unexpected or passed or result.testsRun < 1000)


if __name__ == "__main__":
    sys.exit(main())
