"""Whatever path a client writes into its request line, it gets a file of the site or nothing."""

from __future__ import annotations

import pytest

from tests.support.published import publish

from .processes import request, send, start, status_of, stop

TARGETS = (
    b"/../../etc/passwd",
    b"/codegate/../../../etc/passwd",
    b"/./codegate/quickstart",
    b"/%2e%2e/%2e%2e/etc/passwd",
    b"/%2e%2e%2fetc%2fpasswd",
    b"/..%2f..%2fetc/passwd",
    b"/..%5c..%5cetc%5cpasswd",
    b"/..\\..\\etc\\passwd",
    b"/%252e%252e/etc/passwd",
    b"/%c0%ae%c0%ae/etc/passwd",
    b"/codegate/quickstart%00.html",
    b"/codegate/quickstart\x00",
    b"/%",
    b"/%zz",
    b"/%ff%fe",
    b"/caf\xc3\xa9",
    b"/etc/passwd",
    b"//etc/passwd",
    b"/C:/Windows/win.ini",
    b"file:///etc/passwd",
    b"//evil.example/",
    b"//evil.example/codegate",
    b"//evil.example/index.html",
    b"/\\evil.example/",
    b"/%5cevil.example",
    b"/%2f%2fevil.example/",
    b"http://evil.example/nowhere",
    b"/codegate%0d%0aSet-Cookie:%20a=b",
    b"/_octavo/manifest.json",
    b"/_octavo/../_octavo/manifest.json",
    b"/_octavo/",
    b"/codegate//quickstart",
    b"/" + b"a" * 20_000,
    b"/" + b"a/" * 10_000,
    b"/" + b"%61" * 5_000,
    b"/" + b"../" * 5_000,
    b"*",
    b"nonsense",
    b"/link.txt",
    b"/../secret.txt",
    b"/%2e%2e/secret.txt",
)

BROKEN_LINE = b"/codegate?a=%0d%0aSet-Cookie:a=b"


@pytest.fixture(scope="module")
def answers(tmp_path_factory) -> dict[bytes, bytes]:
    """All targets asked of one server, as target → answer."""
    out = publish(tmp_path_factory.mktemp("hostile") / "out")
    (out.parent / "secret.txt").write_text("root:secret")
    (out / "link.txt").symlink_to(out.parent / "secret.txt")
    process, port = start(out)
    try:
        return {target: send(port, request(target)) for target in (*TARGETS, BROKEN_LINE)}
    finally:
        stop(process)


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: repr(target[:40]))
def test_path_that_is_not_ours_is_not_found(answers, target):
    head, _, body = answers[target].partition(b"\r\n\r\n")
    assert status_of(head) in (400, 404)
    assert b"root:" not in body
    assert b"\r\nlocation:" not in head.lower()
    assert b"set-cookie" not in head.lower()


def test_query_comes_back_as_it_was_sent(answers):
    head = answers[BROKEN_LINE].partition(b"\r\n\r\n")[0]
    assert b"\r\nlocation: /codegate/?a=%0d%0aSet-Cookie:a=b\r\n" in head
    assert b"\r\nset-cookie" not in head.lower()
