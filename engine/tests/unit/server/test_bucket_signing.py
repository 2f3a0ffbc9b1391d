"""Signatures of requests to S3, held to the examples of its documentation ("Authenticating requests", read 2026-11-26)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from octavo.errors import UsageError
from octavo.server.replica.bucket import Credentials, bucket_address, credentials_of, signature_headers

SECRET = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
CREDENTIALS = Credentials("AKIAIOSFODNN7EXAMPLE", SECRET, "us-east-1")
NOON = datetime(2013, 5, 24, tzinfo=UTC)


@pytest.mark.parametrize(
    ("query", "signature"),
    [
        ("lifecycle", "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
        ("prefix=J&max-keys=2", "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
    ],
)
def test_request_is_signed_as_the_service_expects(query: str, signature: str) -> None:
    headers = signature_headers(f"https://examplebucket.s3.amazonaws.com/?{query}", CREDENTIALS, NOON)
    assert headers["authorization"] == (
        "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
        f"SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature={signature}"
    )
    assert headers["x-amz-date"] == "20130524T000000Z"


def test_token_of_a_session_is_sent_and_signed() -> None:
    session = Credentials("key", "secret", "eu-west-1", "passing")
    headers = signature_headers("https://pots.s3.eu-west-1.amazonaws.com/docs/a%20b.html", session, NOON)
    assert headers["x-amz-security-token"] == "passing"
    assert "x-amz-date;x-amz-security-token" in headers["authorization"]


@pytest.mark.parametrize(
    ("location", "environment", "address"),
    [
        ("s3://pots", {}, "https://pots.s3.us-east-1.amazonaws.com"),
        ("s3://pots/docs/", {"AWS_REGION": "eu-west-1"}, "https://pots.s3.eu-west-1.amazonaws.com/docs"),
        ("s3://pots.example.org/a b", {}, "https://s3.us-east-1.amazonaws.com/pots.example.org/a%20b"),
        ("s3://pots/docs", {"AWS_ENDPOINT_URL": "http://minio:9000/"}, "http://minio:9000/pots/docs"),
    ],
)
def test_address_of_a_bucket(location: str, environment: dict[str, str], address: str) -> None:
    assert bucket_address(location, environment) == address


@pytest.mark.parametrize("location", ["s3://", "s3:///docs", "s3://pots?versions", "s3://name:word@pots"])
def test_what_names_no_bucket_is_refused(location: str) -> None:
    with pytest.raises(UsageError, match="names no bucket"):
        bucket_address(location, {})


def test_missing_credentials_are_named_and_given_ones_not_shown() -> None:
    with pytest.raises(UsageError, match="AWS_SECRET_ACCESS_KEY"):
        credentials_of({"AWS_ACCESS_KEY_ID": "key"})
    assert SECRET not in repr(CREDENTIALS)
