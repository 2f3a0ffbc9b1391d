"""Files that hold secrets are recognized by their name and their content."""

from __future__ import annotations

from pathlib import Path

from octavo.site.naming import held_secret
from tests.support.each import each

KEY = "-----BEGIN PRIVATE KEY-----\n"


@each(
    "name, content, what",
    [
        (".env", "# x\nexport TOKEN = a\n", "variables"),
        (".env.production", "A=b", "variables"),
        ("my-app.env", "A=b", "variables"),
        (".env", "A=\n# B=c\n", ""),
        (".env.example", "A=b", ""),
        (".env.defaults", "A=b", ""),
        ("env", "A=b", ""),
        (".npmrc", "//x.example/:_authToken=a", "a password or token"),
        (".yarnrc.yml", "npmAUTHTOKEN: a", "a password or token"),
        (".npmrc", "registry=https://x.example", ""),
        (".netrc", "machine x login y password z", "a password"),
        ("_netrc", "machine x", ""),
        (".pgpass", "host:5432:db:user:secret\n", "a password"),
        (".git-credentials", "https://ann:secret@x.example", "a password"),
        (".git-credentials", "https://ann@x.example", ""),
        (".htpasswd", "ann:$apr1$x", "passwords"),
        ("id_ed25519", f"x\n{KEY}", "a private key"),
        ("server.pem", KEY.replace("PRIVATE", "RSA PRIVATE"), "a private key"),
        ("server.pem", "-----BEGIN CERTIFICATE-----", ""),
        ("id_rsa.pub", KEY, ""),
        ("page.md", KEY, ""),
        ("late.key", "x" * 65536 + KEY, ""),
        # The name of one kind with the content of another.
        ("server.key", "A=b", ""),
    ],
)
def test_secret_is_told_by_name_and_content(tmp_path: Path, name: str, content: str, what: str) -> None:
    (tmp_path / "static").mkdir(exist_ok=True)
    (tmp_path / "static" / name).write_text(content)
    assert held_secret(tmp_path, f"static/{name}") == what


def test_file_that_is_gone_holds_nothing(tmp_path: Path) -> None:
    assert held_secret(tmp_path, "static/.env") == ""
