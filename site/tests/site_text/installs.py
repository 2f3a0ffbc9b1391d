"""What the pages tell readers to install: each name, and the way it comes."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec
import yaml

from site_text.calls import commands
from site_text.shells import shell_fences
from site_text.texts import FENCE, SITE, Fence, fences, sources

SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
TOOLS = "pip3? install|pipx install|uv (?:pip|tool|add)|brew |npm (?:install|i )|apt|dnf|go install|docker |podman "
INSTALLING = re.compile(rf"^(?:sudo )?(?:python3? -m )?(?:{TOOLS}|thv run |helm |ollama pull|code --install|git clone)")
"""A code span in prose counts when it is such a command."""
FLAGS_WITH_VALUE = {
    *("--name", "--version", "-n", "-f", "--mount", "-p", "-e", "--restart", "--volume", "-v", "--add-host", "-C"),
    *("--port", "--transport", "--target-port", "--secret", "--permission-profile", "--authz-config", "-b", "-o"),
    *("--oidc-issuer", "--oidc-audience", "--oidc-jwks-url", "--branch", "--local-dir", "--output", "--host", "-u"),
    *("--ca-cert", "--image-verification"),
}
IMAGE_KEY = re.compile(r"^\s*image: (\S+)$", re.MULTILINE)


class Install(msgspec.Struct, frozen=True):
    """Something that a reader is told to install."""

    way: str
    """Key in `third_parties.toml`."""
    name: str
    place: str


def plain(words: list[str]) -> list[str]:
    """Leave out options and their values."""
    found, rest = [], iter(words)
    for word in rest:
        if word in FLAGS_WITH_VALUE:
            next(rest, None)
        elif not word.startswith("-"):
            found.append(word)
    return found


def read(words: list[str], place: str) -> Iterator[Install]:
    """Read what a command installs; nothing for any other command."""
    words = words[1:] if words[0] == "sudo" else words
    if words[:2] in (["python", "-m"], ["python3", "-m"]):
        words = words[2:]
    if not (names := plain(words)):
        return
    program, *rest = names
    verb, *names = rest or [""]
    match program, verb:
        case (("pip" | "pip3" | "pipx"), "install"):
            yield from (Install("pip", name, place) for name in names)
        case "uv", _ if "install" in rest or verb == "add":
            yield Install("pip", rest[-1], place)
        case "npm", ("install" | "i"):
            yield from (Install("npm", name, place) for name in names)
        case (("apt" | "apt-get" | "dnf"), "install"):
            yield from (Install(program.removesuffix("-get"), name, place) for name in names)
        case "go", "install":
            yield from (Install("go", name, place) for name in names)
        case "brew", ("install" | "tap"):
            yield from (Install("brew", name, place) for name in names)
        case (("npx" | "uvx"), _):
            yield Install(program, verb, place)
        case (("docker" | "podman"), ("run" | "pull")):
            yield from (Install("image", name, place) for name in names[:1])
        case "helm", ("upgrade" | "install" | "pull" | "show"):
            yield from (Install("chart", name, place) for name in names if "/" in name)
        case "ollama", "pull":
            yield from (Install("model", name, place) for name in names)
        case "huggingface-cli", "download":
            yield Install("weights", names[0], place)
        case "git", "clone":
            yield Install("clone", names[0], place)
        case "thv", "run" if names:
            way, scheme, name = names[0].partition("://")
            if scheme:
                yield Install(way, name, place)
            elif "/" in names[0]:
                yield Install("image", names[0], place)
        case "code", _ if "--install-extension" in words:
            yield Install("editor", verb, place)
        case (("curl" | "curl.exe"), _) if {"-LO", "-O"} & set(words) or "-L" in words:
            yield from (Install("download", url.rpartition("/")[0] + "/", place) for url in rest if "://" in url)


def installs() -> list[Install]:
    """List all that the pages install: in blocks, in running text, in descriptions of servers for a cluster."""
    found = []
    for fence in shell_fences():
        code = fence.code.replace("`\n", "\\\n") if fence.language == "powershell" else fence.code
        language = "bash" if fence.language == "powershell" else fence.language
        for words in commands(Fence(language, code, fence.place)):
            found += read(words, fence.place)
    for path in sources():
        name = path.relative_to(SITE).as_posix()
        for fence in fences(path):
            if fence.language == "yaml":
                found += [Install("image", image, fence.place) for image in IMAGE_KEY.findall(fence.code)]
        if name == "docs/theme-preview.mdx":
            continue
        for span in SPAN.findall(FENCE.sub("", path.read_text(encoding="utf-8"))):
            if INSTALLING.match(span):
                found += [item for words in commands(Fence("bash", span, name)) for item in read(words, name)]
    data = (SITE / "commands" / "thv.yaml").read_text(encoding="utf-8")
    assert list(yaml.safe_load_all(data))
    return [item for item in found if item.name not in {"NAME", "IMAGE", "SERVER"}]
