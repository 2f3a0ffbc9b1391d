"""Which tokens a port takes, and what it says to callers without one."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx
import pytest
from joserfc import jws, jwt
from joserfc.jwk import ECKey, OctKey, RSAKey
from starlette.types import Receive, Scope, Send

from tool_api.endpoint.tokens import LEEWAY_S, MAX_KEYS_BYTES, RequireToken
from tool_api.store import Oidc

ONE, OTHER = (ECKey.generate_key("P-256", {"kid": kid, "alg": "ES256", "use": "sig"}) for kid in ("one", "other"))
FORGED = ECKey.generate_key("P-256", {"kid": "one"})
METADATA = "/.well-known/oauth-protected-resource"


class Provider(ThreadingHTTPServer):
    """A provider of tokens; notes what it is asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[str] = []
        self.keys: list[Any] = [ONE]
        self.discovered: dict[str, Any] = {"issuer": self.url, "jwks_uri": f"{self.url}/keys"}
        self.text = ""
        """What it says instead of the keys."""
        self.padding = 0
        self.status = 200

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    server: Provider

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        keys = {"keys": [key.as_dict(private=False) for key in self.server.keys]}
        found = self.server.discovered if self.path.endswith("openid-configuration") else keys
        text = "" if found is self.server.discovered else self.server.text
        body = (text or json.dumps(found)).encode() + b" " * self.server.padding
        self.send_response(self.server.status)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None: ...


@pytest.fixture
def provider() -> Iterator[Provider]:
    with Provider() as provider:
        thread = threading.Thread(target=provider.serve_forever, args=(0.02,))
        thread.start()
        yield provider
        provider.shutdown()
        thread.join()


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    del scope, receive
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"let in"})


def token(claims: dict[str, Any], key: Any = ONE, algorithm: str = "ES256", **head: Any) -> str:
    return jwt.encode({"alg": algorithm, "kid": key.kid, **head}, claims, key, algorithms=[algorithm])


def ask(
    oidc: Oidc, *headers: dict[str, str], path: str = "/mcp", base: str = "http://box.example:7000"
) -> list[httpx.Response]:
    """Send requests to one port, one after the other."""

    async def work() -> list[httpx.Response]:
        transport = httpx.ASGITransport(RequireToken(app, oidc))
        async with httpx.AsyncClient(transport=transport, base_url=base) as client:
            return [await client.get(path, headers=one) for one in headers]

    return asyncio.run(work())


def bearing(text: str) -> dict[str, str]:
    return {"authorization": f"Bearer {text}"}


def now(seconds: float = 600) -> int:
    return int(time.time() + seconds)


def test_token_of_the_provider_is_let_in(provider: Provider) -> None:
    oidc = Oidc(issuer=provider.url)
    claims = {"iss": provider.url, "exp": now()}
    good = token(claims)
    answers = ask(oidc, bearing(good), {"authorization": f"bearer   {good} "}, {"authorization": f"BEARER {good}"})
    assert [(one.status_code, one.text) for one in answers] == [(200, "let in")] * 3
    assert provider.asked == ["/.well-known/openid-configuration", "/keys"]


@pytest.mark.parametrize(
    ("claims", "said"),
    [
        ({}, "exp"),
        ({"exp": -LEEWAY_S - 60}, "expired"),
        ({"exp": "never"}, "exp"),
        ({"exp": 600, "iss": None}, "iss"),
        ({"exp": 600, "iss": "https://another.example"}, "iss"),
        ({"exp": 600, "aud": "others"}, "aud"),
        ({"exp": 600, "aud": None}, "aud"),
        ({"exp": 600, "azp": "another"}, "issued to another client"),
        ({"exp": 600, "azp": None}, "issued to another client"),
        ({"exp": 600, "nbf": LEEWAY_S + 60}, "not yet valid"),
    ],
)
def test_claims_must_fit(provider: Provider, claims: dict[str, Any], said: str) -> None:
    oidc = Oidc(issuer=provider.url, audience="mcp", client_id="console")
    fitting: dict[str, Any] = {"iss": provider.url, "aud": "mcp", "azp": "console"}
    moments = {name: now(value) if isinstance(value, int) else value for name, value in claims.items()}
    changed = {name: value for name, value in (fitting | moments).items() if value is not None}
    (answer,) = ask(oidc, bearing(token(changed)))
    assert answer.status_code == 401
    assert answer.text.startswith("Invalid token: ")
    assert said in answer.text
    good = ask(oidc, bearing(token(fitting | {"exp": now(-LEEWAY_S + 20)})))
    assert good[0].status_code == 200, "clocks may differ a little"


@pytest.mark.parametrize("claims", [{"azp": "console"}, {"client_id": "console"}, {"azp": "x", "client_id": "console"}])
def test_client_is_named_in_either_way(provider: Provider, claims: dict[str, str]) -> None:
    oidc = Oidc(jwks_url=f"{provider.url}/keys", client_id="console")
    assert ask(oidc, bearing(token({"exp": now()} | claims)))[0].status_code == 200
    assert provider.asked == ["/keys"], "nothing is discovered where the address of the keys is given"


@pytest.mark.parametrize(
    "forged",
    [
        lambda: token({"exp": now()}, FORGED),
        lambda: token({"exp": now()}, OTHER),
        lambda: token({"exp": now()}) + "x",
        lambda: token({"exp": now()}, OctKey.import_key("s" * 32, {"kid": "one"}), "HS256"),
        lambda: "a.b.c",
        lambda: "nonsense",
        lambda: "eyJhbGciOiJub25lIn0.e30.",
    ],
    ids=["other key of that name", "unknown key", "changed", "shared secret", "no JSON", "no token", "none"],
)
def test_forged_token_is_refused(provider: Provider, forged: Any) -> None:
    (answer,) = ask(Oidc(jwks_url=f"{provider.url}/keys"), bearing(forged()))
    assert answer.status_code == 401
    assert answer.text.startswith("Invalid token: ")
    assert 'error="invalid_token"' in answer.headers["www-authenticate"]


def test_other_asymmetric_signatures_are_known(provider: Provider) -> None:
    rsa = RSAKey.generate_key(2048, {"kid": "rsa"})
    provider.keys = [rsa]
    for algorithm in ("RS256", "PS512"):
        (answer,) = ask(Oidc(jwks_url=f"{provider.url}/keys"), bearing(token({"exp": now()}, rsa, algorithm)))
        assert answer.status_code == 200


def test_keys_are_fetched_again_for_a_token_of_a_new_one(provider: Provider) -> None:
    oidc = Oidc(jwks_url=f"{provider.url}/keys")

    async def work() -> list[int]:
        transport = httpx.ASGITransport(RequireToken(app, oidc))
        async with httpx.AsyncClient(transport=transport, base_url="http://box.example") as client:
            found = [await client.get("/mcp", headers=bearing(token({"exp": now()})))]
            provider.keys = [OTHER]
            found.append(await client.get("/mcp", headers=bearing(token({"exp": now()}, OTHER))))
            found.append(await client.get("/mcp", headers=bearing(token({"exp": now()}, OTHER))))
        return [one.status_code for one in found]

    assert asyncio.run(work()) == [200, 200, 200]
    assert provider.asked == ["/keys", "/keys"]


@pytest.mark.parametrize(
    ("change", "is_let_in"),
    [
        ({}, True),
        ({"status": 500}, False),
        ({"padding": MAX_KEYS_BYTES}, False),
        ({"discovered": {"issuer": "https://another.example", "jwks_uri": "{url}/keys"}}, False),
        ({"discovered": {"issuer": "{url}", "jwks_uri": 5}}, False),
        ({"discovered": {"issuer": "{url}"}}, False),
        ({"discovered": {"issuer": 5, "jwks_uri": "{url}/keys"}}, False),
        ({"discovered": {"issuer": "{url}", "jwks_uri": "http://[broken"}}, False),
        ({"discovered": ["{url}"]}, False),
        ({"text": "[" * 100_000}, False),
        ({"text": '{"keys": 5}'}, False),
        ({"text": '{"keys": [5, null]}'}, False),
        ({"text": '{"keys": [{"kty": ["EC"]}]}'}, False),
        ({"discovered": {"issuer": "{url}/", "jwks_uri": "{url}/keys"}}, True),
    ],
)
def test_provider_that_does_not_give_its_keys_lets_nobody_in(
    provider: Provider, change: dict[str, Any], is_let_in: bool
) -> None:
    for name, value in change.items():
        text = json.dumps(value).replace("{url}", provider.url)
        setattr(provider, name, json.loads(text))
    (answer,) = ask(Oidc(issuer=provider.url), bearing(token({"iss": provider.url, "exp": now()})))
    assert answer.status_code == (200 if is_let_in else 401)
    assert is_let_in or answer.text == "Invalid token: the provider's keys cannot be fetched"


def written(part: bytes) -> str:
    return urlsafe_b64encode(part).rstrip(b"=").decode()


@pytest.mark.parametrize(
    "head", [b"[" * 6000, b'{"alg":' + b"[" * 5000, b"[]", b"5", b"\xff", b'{"alg":["ES256"],"kid":1}']
)
def test_head_that_is_none_is_refused(provider: Provider, head: bytes) -> None:
    text = f"{written(head)}.{written(b'{}')}.{written(b'x' * 64)}"
    (answer,) = ask(Oidc(issuer=provider.url), bearing(text))
    assert answer.status_code == 401
    assert answer.text.startswith("Invalid token: ")


def test_claims_that_are_none_are_refused(provider: Provider) -> None:
    for claims in (b"[" * 20_000, b"[]", b"\xff"):
        text = jws.serialize_compact({"alg": "ES256", "kid": ONE.kid}, claims, ONE, algorithms=["ES256"])
        (answer,) = ask(Oidc(issuer=provider.url), bearing(text))
        assert answer.status_code == 401


@pytest.mark.parametrize(
    ("headers", "said"),
    [
        ({}, "Authorization header required"),
        ({"authorization": ""}, "Invalid Authorization header format"),
        ({"authorization": "Bearer"}, "Invalid Authorization header format"),
        ({"authorization": "Bearer  "}, "Invalid Authorization header format"),
        ({"authorization": "Basic abc"}, "Invalid Authorization header format"),
    ],
)
def test_caller_without_a_token_is_told_where_to_get_one(
    provider: Provider, headers: dict[str, str], said: str
) -> None:
    (answer,) = ask(Oidc(issuer=provider.url), headers)
    assert (answer.status_code, answer.text) == (401, said)
    error = ', error="invalid_token"' if headers.get("authorization") else ""
    where = f'resource_metadata="http://box.example:7000{METADATA}/mcp"'
    assert answer.headers["www-authenticate"] == f'Bearer realm="{provider.url}"{error}, {where}'
    assert provider.asked == []


def test_challenge_names_what_there_is(provider: Provider) -> None:
    (answer,) = ask(Oidc(issuer=provider.url), {}, path="/other")
    assert answer.headers["www-authenticate"].endswith(f'resource_metadata="http://box.example:7000{METADATA}"')
    (answer,) = ask(Oidc(jwks_url='https://keys.example/"x"\\'), {})
    assert answer.headers["www-authenticate"] == 'Bearer realm="https://keys.example/x"'


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("box.example:7000", "http://box.example:7000"),
        ("box.example", "http://box.example"),
        ("[::1]:7000", "http://[::1]:7000"),
        ('box"x', "http://box.example:7000"),
        ("box.example:700000", "http://box.example:7000"),
    ],
)
def test_metadata_names_the_port_as_its_client_wrote_it(provider: Provider, host: str, address: str) -> None:
    oidc = Oidc(issuer=provider.url)
    for path in ("", "/mcp", "/sse"):
        (answer,) = ask(oidc, {"host": host}, path=f"{METADATA}{path}")
        assert answer.json() == {
            "resource": f"{address}{path}",
            "authorization_servers": [provider.url],
            "bearer_methods_supported": ["header"],
        }
    (answer,) = ask(oidc, {"host": host}, path=f"{METADATA}/other")
    assert (answer.status_code, answer.text) == (404, "404 page not found")
    (answer,) = ask(Oidc(jwks_url=f"{provider.url}/keys"), {}, path=METADATA)
    assert answer.status_code == 401, "nobody issues tokens that it could name"


def test_socket_of_version_6_is_named_in_brackets(provider: Provider) -> None:
    (answer,) = ask(Oidc(issuer=provider.url), {"host": "?"}, path=METADATA, base="http://[::1]:7000")
    assert answer.json()["resource"] == "http://[::1]:7000"


def test_what_is_no_request_is_not_answered(provider: Provider) -> None:
    async def fail(*_: Any) -> Any:
        raise AssertionError

    asyncio.run(RequireToken(app, Oidc(issuer=provider.url))({"type": "websocket"}, fail, fail))
