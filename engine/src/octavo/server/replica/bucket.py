"""Requests to a private S3 bucket, signed with AWS Signature Version 4."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256
from urllib.parse import parse_qsl, quote, urlsplit

import msgspec

from octavo.errors import UsageError

_ALGORITHM = "AWS4-HMAC-SHA256"
_NO_BODY = sha256(b"").hexdigest()
_DEFAULT_REGION = "us-east-1"


class Credentials(msgspec.Struct, frozen=True):
    """What opens a bucket."""

    key: str
    secret: str
    region: str
    token: str = ""
    """Of a session, for credentials that expire."""

    def __repr__(self) -> str:
        """Show nothing that opens anything."""
        return f"Credentials(region={self.region!r})"


def bucket_address(location: str, environment: Mapping[str, str]) -> str:
    """Give the address of a folder in a bucket, for `s3://bucket/folder`.

    Args:
        location: The bucket and the folder in it.
        environment: `AWS_ENDPOINT_URL_S3` or `AWS_ENDPOINT_URL` names another service with this protocol.

    Raises:
        UsageError: it names no bucket, or contains more than a bucket and a folder.
    """
    parts = urlsplit(location)
    if not parts.hostname or parts.netloc != parts.hostname or parts.query or parts.fragment:
        raise UsageError("--replica names no bucket; write `s3://bucket` or `s3://bucket/folder`.")
    folder = quote(parts.path.strip("/"))
    endpoint = environment.get("AWS_ENDPOINT_URL_S3") or environment.get("AWS_ENDPOINT_URL")
    if endpoint:
        base = f"{endpoint.rstrip('/')}/{parts.hostname}"
    elif "." in parts.hostname:  # the certificate of the service holds for one name before its own
        base = f"https://s3.{_region(environment)}.amazonaws.com/{parts.hostname}"
    else:
        base = f"https://{parts.hostname}.s3.{_region(environment)}.amazonaws.com"
    return f"{base}/{folder}" if folder else base


def credentials_of(environment: Mapping[str, str]) -> Credentials:
    """Read the credentials under the names that other programs for S3 use.

    Raises:
        UsageError: there are none.
    """
    key, secret = (environment.get(name, "") for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"))
    if not key or not secret:
        raise UsageError(
            "A replica of an S3 bucket needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment; "
            "for a bucket that needs none, give its address with https."
        )
    return Credentials(key, secret, _region(environment), environment.get("AWS_SESSION_TOKEN", ""))


def signature_headers(address: str, credentials: Credentials, now: datetime | None = None) -> dict[str, str]:
    """Sign a GET request without a body.

    Args:
        address: With its path and query encoded as they are sent.
        credentials: What opens the bucket.
        now: Time of the request; default: the present.

    Returns:
        Headers to send.
    """
    parts = urlsplit(address)
    moment = (now or datetime.now(UTC)).strftime("%Y%m%dT%H%M%SZ")
    signed = {"host": parts.netloc, "x-amz-content-sha256": _NO_BODY, "x-amz-date": moment}
    if credentials.token:
        signed["x-amz-security-token"] = credentials.token
    names = ";".join(signed)  # already in alphabetical order
    query = "&".join(sorted(f"{_encoded(name)}={_encoded(value)}" for name, value in parse_qsl(parts.query, True)))
    lines = [f"{name}:{value}\n" for name, value in signed.items()]
    request = "\n".join(["GET", parts.path or "/", query, "".join(lines), names, _NO_BODY])
    scope = f"{moment[:8]}/{credentials.region}/s3/aws4_request"
    text = "\n".join([_ALGORITHM, moment, scope, sha256(request.encode()).hexdigest()])
    key = f"AWS4{credentials.secret}".encode()
    for part in scope.split("/"):
        key = hmac.digest(key, part.encode(), "sha256")
    signature = hmac.digest(key, text.encode(), "sha256").hex()
    authorization = f"{_ALGORITHM} Credential={credentials.key}/{scope}, SignedHeaders={names}, Signature={signature}"
    del signed["host"]  # the client writes it
    return {**signed, "authorization": authorization}


def _encoded(text: str) -> str:
    return quote(text, safe="-_.~")


def _region(environment: Mapping[str, str]) -> str:
    return environment.get("AWS_REGION") or environment.get("AWS_DEFAULT_REGION") or _DEFAULT_REGION
