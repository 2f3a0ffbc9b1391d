"""Where the components of an old site lie, which blocks its programs draw, and what git says of it. Nothing is run."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from octavo.importing.components.sources import ComponentSources
from octavo.importing.engines.mkdocs.revision import git_variables
from octavo.importing.model import Plan
from octavo.importing.settings.containers import declare, kinds_of_admonitions, plugins_in
from octavo.importing.tree import Tree
from tests.support.each import each


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


# Components

FILES = {
    "docs/page.mdx": "",
    "docs/Near.tsx": "",
    "docs/box/index.jsx": "",
    "src/components/Dial.vue": "",
    "src/components/header-yields.tsx": "",
    "src/widgets/Wind.tsx": "",
    "src/widgets/wind.jsx": "",
    "src/Loose.tsx": "",
    "src/theme/MDXComponents.tsx": (
        'import Tag from "../Loose";\nimport { Dial as Clock, small } from "../components/Dial";\n'
        "export function Badge() {}\n"
    ),
    "src/ui/index.ts": (
        'import { Card as Tile } from "./Card";\nexport { Card } from "./Card";\nexport { default as Rim } from "./Rim";\n'
        'export * from "./more";\nexport { Tile };\n'
    ),
    "src/ui/Card.tsx": "",
    "src/ui/Rim.tsx": "",
    "src/ui/more.tsx": "export const Spoke = 1;\n",
    "static/Kept.tsx": "",
    "node_modules/x/Dial.tsx": "",
    "components/Dial.tsx": "",
    "docs/sub/theme/index.tsx": "",
}


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> ComponentSources:
    folder = write(tmp_path_factory.mktemp("site"), FILES)
    return ComponentSources(folder, folder, "components")


@each(
    "name, module, found",
    [
        ("Near", "./Near", "docs/Near.tsx"),
        ("Near", "./Near.tsx", "docs/Near.tsx"),
        ("Box", "./box", "docs/box/index.jsx"),
        ("Gone", "./Gone", None),
        ("Loose", "../src/Loose", "src/Loose.tsx"),
        ("Dial", "@site/src/components/Dial", "src/components/Dial.vue"),
        # A folder that is not searched has it at the exact path only.
        ("Kept", "@site/static/Kept.tsx", "static/Kept.tsx"),
        ("Kept", "@/static/Kept", None),
        ("Dial", "@/components/Dial", "src/components/Dial.vue"),
        ("Dial", "~/components/Dial.vue", "src/components/Dial.vue"),
        ("HeaderYields", "@x/components/HeaderYields", None),
        ("HeaderYields", "@/components/header-yields", "src/components/header-yields.tsx"),
        ("Dial", "some-package", None),
        ("Dial", "some-package/Dial", None),
        # Registered for all pages.
        ("Dial", "", "src/components/Dial.vue"),
        ("HeaderYields", "", "src/components/header-yields.tsx"),
        ("Tag", "", "src/Loose.tsx"),
        ("Clock", "", "src/components/Dial.vue"),
        ("Badge", "", "src/theme/MDXComponents.tsx"),
        ("Wind", "", None),
        ("Loose", "", None),
        # Handed on by another module.
        ("Card", "@/ui", "src/ui/Card.tsx"),
        ("Rim", "@/ui", "src/ui/Rim.tsx"),
        ("Spoke", "@/ui", "src/ui/more.tsx"),
        ("Hub", "@/ui", "src/ui/index.ts"),
    ],
)
def test_component_is_found_by_its_module_or_its_name(
    sources: ComponentSources, name: str, module: str, found: str | None
) -> None:
    assert sources.find(name, module, "docs/page.mdx") == found


def test_names_of_all_pages_are_known(sources: ComponentSources) -> None:
    assert sources.registries == ["src/theme/MDXComponents.tsx"]
    assert sources.registered("Tag") == ("../Loose", "src/theme/MDXComponents.tsx")
    assert sources.registered("Badge") == ("./MDXComponents", "src/theme/MDXComponents.tsx")
    assert sources.registered("small") is None
    assert sources.own(["Tag", "Clock", "Dial", "Gone"]) == {"Tag", "Clock"}


def test_files_are_read_that_lie_in_the_site_and_are_not_too_long(tmp_path: Path) -> None:
    site = write(tmp_path / "site", {"a.js": "a\r\nb", "long.js": "x" * 100_001, "fits.js": "x" * 100_000})
    write(tmp_path, {"secret.js": "S"})
    (site / "bad.js").write_bytes(b"\xff")
    found = ComponentSources(site, tmp_path, "components")
    assert found.read("a.js") == "a\nb"
    assert [found.read(name) for name in ("long.js", "gone.js", "bad.js", "../secret.js")] == [None] * 4
    assert len(found.read("fits.js") or "") == 100_000


# Blocks

PAGES = {
    "docs/a.md": "::: kite wide\ntext\n:::\n\n> :::: rope\n\n:::kite\n",
    "docs/b.md": "  ::: kite\n",
    "docs/c.md": "::: kite-tail\n\ntext ::: sail\n\n:: sail\n",
}


def test_blocks_that_pages_use_are_declared(tmp_path: Path) -> None:
    plan = Plan("vitepress", write(tmp_path, PAGES), {"markdown": {}})
    looks = dict.fromkeys(["kite", "rope", "sail", "note", "tabs", "1x"], "plain")
    declare(plan, looks, "docs", "Style them.")
    assert plan.settings["markdown"] == {"containers": {"kite": "plain", "rope": "plain"}}
    (note,) = plan.notes
    assert (note.what, note.count) == ("Blocks that a program draws (::: kite, ::: rope)", 3)


def test_blocks_that_no_page_uses_are_not_declared(tmp_path: Path) -> None:
    plan = Plan("vitepress", write(tmp_path, PAGES), {"markdown": {}})
    declare(plan, {"sail": "plain"}, "docs", "Style them.")
    declare(plan, {}, "docs", "Style them.")
    assert (plan.settings, plan.notes) == ({"markdown": {}}, [])
    declare(plan, {"kite": "tip"}, "docs")
    assert plan.settings["markdown"] == {"containers": {"kite": "tip"}}
    assert plan.notes == []


def test_plugins_and_kinds_are_read_from_settings() -> None:
    assert plugins_in('import a from "markdown-it-sub";\nimport "@mdit/plugin-katex"; import "markdown-it-kite";') == {
        "tilde",
        "math",
    }
    config = {"presets": [["classic", {"docs": {"admonitions": {"keywords": ["kite", "note", "success", "1x"]}}}]]}
    assert kinds_of_admonitions(config) == {"containers": {"kite": "info"}}
    assert kinds_of_admonitions({"a": []}) == {}


# Variables of git


@each(
    "text, answers, found, note",
    [
        ("No git.", {}, {}, None),
        ("x.git.commit", {}, {}, None),
        (
            "{{ git.tag }}",
            {"log": "1\0002\0003\0004\0005\0006\0007\0008", "describe --tags": "v1", "describe --tags --abbrev=0": ""},
            {
                "git.commit": "1", "git.short_commit": "2", "git.author": "3", "git.author_email": "4", "git.committer": "5",
                "git.committer_email": "6", "git.date": "7", "git.message": "8", "git.tag": "v1",
            },
            "Variables of git in pages",
        ),
        ("{{ git.tag }}", {"log": None}, {}, "Variables of git in pages, of a folder that is in no repository"),
        ("{{ git.tag }}", {"log": OSError()}, {}, "Variables of git in pages, of a folder that is in no repository"),
    ],
)  # fmt: skip
def test_variables_of_git_are_what_git_says(
    tmp_path: Path, text: str, answers: dict[str, str | Exception | None], found: dict[str, str], note: str | None
) -> None:
    asked: list[str] = []

    def run(command: list[str], **given: object) -> object:
        assert command[:1] == ["git"]
        assert {"log.showSignature=false", "core.fsmonitor=false", "protocol.allow=never"} <= set(command)
        assert (given["capture_output"], given["text"], given["check"]) == (True, True, False)
        said = " ".join(command[command.index(str(tmp_path)) + 1 :])
        asked.append(said)
        answer = answers["log" if said.startswith("log -1 ") else said]
        if isinstance(answer, Exception):
            raise answer
        return SimpleNamespace(returncode=128 if answer is None else 0, stdout=f"{answer}\n")

    plan = Plan("mkdocs", write(tmp_path, {"docs/a.md": text}), {})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("subprocess.run", run)
        assert git_variables(plan, Tree(tmp_path, {"docs": "docs"}, "docs")) == found
    assert [one.what for one in plan.notes] == ([note] if note else [])
    assert bool(asked) == (note is not None)
