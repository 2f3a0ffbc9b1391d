"""Configuration that is a program: run without the machine, with limits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from octavo.importing.scripts import ScriptError, Scripts


def run(folder: Path, text: str, name: str = "config.mjs") -> object:
    (folder / name).write_text(text, encoding="utf-8")
    return Scripts(folder).load(folder / name)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("export default { a: 1 }", {"a": 1}),
        ("module.exports = () => Promise.resolve({ a: [1, () => 2] })", {"a": [1, None]}),
        ("const x = await Promise.resolve(3); module.exports = { x };", {"x": 3}),
        ("import { y } from './other.ts'; export default { y };", {"y": 5}),
        ("import fs from 'node:fs'; export default { t: fs.readFileSync('./note.txt', 'utf8') };", {"t": "hello"}),
        (
            "import path from 'path'; export default { p: path.resolve(__dirname, 'a/../b') .split('/').pop() };",
            {"p": "b"},
        ),
        (
            "import make from 'pack'; const [one, two] = make(); export default { list: ['a', ...make(), one({})], two };",
            {"list": ["a", {"$package": "pack.default()[0]()"}], "two": {"$package": "pack.default()[1]"}},
        ),
        ("import big from 'some-package'; export default { n: big.deep.call(1).more ?? 1, ok: true };", {"ok": True}),
        (
            "import { createRequire } from 'module'; const require = createRequire(import.meta.url); export default {};",
            {},
        ),
        (
            "import { withPwa } from '@kite/pwa'; import { wrap } from 'other'; export default withPwa(wrap()({ a: 1, c: [2] }, { b: 3 }));",
            {"$package": "@kite/pwa.withPwa()", "a": 1, "b": 3, "c": [2]},
        ),
        (
            "import { withPwa } from '@kite/pwa'; export default withPwa(async () => ({ a: 1 }));",
            {"$package": "@kite/pwa.withPwa()"},
        ),
        ("export default { env: process.env.SECRET ?? null };", {"env": None}),
        ("import { loadEnv } from 'vite'; const { KEY } = loadEnv('', '.'); if (!KEY) throw 1; export default {};", {}),
        (
            """import fs from 'fs'; const all = fs.readdirSync(__dirname + '/kites', { withFileTypes: true });
            export default { a: fs.readdirSync('./kites'), b: fs.readdirSync('gone'), d: fs.readdirSync('kites/', { recursive: true }),
            c: all.filter((one) => one.isDirectory()).map((one) => one.name), e: fs.statSync('kites').isDirectory(),
            f: fs.existsSync('../x') };""",
            {
                "a": ["big", "wind.md"],
                "b": [],
                "c": ["big"],
                "d": ["big", "big/red.md", "wind.md"],
                "e": True,
                "f": False,
            },
        ),
    ],
)
def test_what_a_script_exports_is_read(tmp_path: Path, text: str, value: dict[str, object]) -> None:
    (tmp_path / "other.ts").write_text("export const y: number = 5;", encoding="utf-8")
    (tmp_path / "note.txt").write_text("hello", encoding="utf-8")
    (tmp_path / "kites/big").mkdir(parents=True)
    (tmp_path / "kites/wind.md").touch()
    (tmp_path / "kites/big/red.md").touch()
    found = run(tmp_path, text)
    assert isinstance(found, dict)
    assert {key: one for key, one in found.items() if key != "n"} == value


def test_modules_that_a_pattern_names_are_taken_in_as_vite_does(tmp_path: Path) -> None:
    for name, text in {
        "src/nav/en.ts": "export default { guides: 'Guides' as string }; export const size = 1;",
        "src/nav/de.ts": "export default { guides: 'Anleitungen' };",
        "src/nav/de.test.ts": "throw new Error('never');",
        "src/nav/more/deep.ts": "export default 1;",
        "src/note.txt": "hello",
        "node_modules/a/x.ts": "export default 2;",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "config").mkdir()
    text = """
    const nav = import.meta.glob<{ default: any }>(['../src/nav/*.ts', '!**/*.test.ts', '!../src/nav/*.test.ts'], { eager: true });
    const later = import.meta.glob('/src/nav/{en,fr}.ts');
    const [load] = Object.values(later);
    export default {
      nav: Object.fromEntries(Object.entries(nav).map(([path, module]) => [path, module.default.guides])),
      later: Object.keys(later), loaded: (await load()).size,
      deep: Object.keys(import.meta.glob('../**/deep.ts')), none: Object.keys(import.meta.glob('../../*.ts')),
      sizes: import.meta.glob('../src/nav/en.ts', { eager: true, import: 'size' }),
      raw: import.meta.glob('../src/*.txt', { eager: true, query: '?raw', import: 'default' }),
      packages: Object.keys(import.meta.glob('../**/x.ts')),
    };"""
    (tmp_path / "config/config.mts").write_text(text, encoding="utf-8")
    assert Scripts(tmp_path).load(tmp_path / "config/config.mts") == {
        "nav": {"../src/nav/de.ts": "Anleitungen", "../src/nav/en.ts": "Guides"},
        "later": ["/src/nav/en.ts"],
        "loaded": 1,
        "deep": ["../src/nav/more/deep.ts"],
        "none": [],
        "sizes": {"../src/nav/en.ts": 1},
        "raw": {"../src/note.txt": "hello"},
        "packages": [],
    }


@pytest.mark.parametrize(
    ("program", "found"),
    [
        (
            "import { globSync } from 'tinyglobby'; globSync('texts/*', { onlyDirectories: true })",
            ["texts/de/", "texts/pl/"],
        ),
        (
            "import * as all from 'tinyglobby'; all.globSync(import.meta.dirname + '/texts/*/index.md')",
            ["texts/de/index.md"],
        ),
        ("import fg from 'fast-glob'; fg.sync(['**/*.md', '!**/note.md'], { cwd: 'texts' })", ["de/index.md"]),
        ("import fg from 'fast-glob'; await fg('texts/*', { onlyDirectories: true })", ["texts/de", "texts/pl"]),
        ("import { globbySync } from 'globby'; globbySync('**/{index,gone}.md')", ["texts/de/index.md"]),
        ("import { globSync } from 'glob'; globSync('texts/**/*.md', { ignore: 'texts/de/**' })", ["texts/pl/note.md"]),
        ("import { globSync } from 'node:fs'; globSync('texts/p*/*.md')", ["texts/pl/note.md"]),
        ("import fg from 'fast-glob'; fg.sync('../**/*.md')", []),
    ],
)
def test_packages_that_list_files_by_patterns_are_answered(tmp_path: Path, program: str, found: list[str]) -> None:
    for name in ("texts/de/index.md", "texts/pl/note.md", "node_modules/kite/index.md"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).touch()
    imported, _, asked = program.partition("; ")
    assert run(tmp_path, f"{imported}; const found = {asked}; export default {{ found }};") == {"found": found}


@pytest.mark.parametrize(
    ("call", "found"),
    [
        ("relative(import.meta.dirname + '/a', import.meta.dirname + '/a/b/c/')", "b/c"),
        ("relative(import.meta.dirname + '/a/b', 'a/c')", "../c"),
        ("relative('a', 'a')", ""),
    ],
)
def test_paths_lead_from_folder_to_folder(tmp_path: Path, call: str, found: str) -> None:
    assert run(tmp_path, f"import * as path from 'path'; export default {{ p: path.{call} }};") == {"p": found}


def test_name_of_a_language_that_nobody_knows_is_its_code(tmp_path: Path) -> None:
    program = "const names = new Intl.DisplayNames('e_e', { type: 'language' }); export default { a: names.of('e_e'), b: names.of('de') };"
    assert run(tmp_path, program) == {"a": "e_e", "b": "German"}


def test_files_outside_of_the_folder_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    site = tmp_path / "site"
    site.mkdir()
    (site / "link.txt").symlink_to(tmp_path / "secret.txt")
    for path in ("../secret.txt", str(tmp_path / "secret.txt"), "./link.txt"):
        with pytest.raises(ScriptError, match="cannot be read"):
            run(site, f"import fs from 'fs'; export default {{ t: fs.readFileSync({path!r}) }};")


def test_script_that_fails_says_why(tmp_path: Path) -> None:
    with pytest.raises(ScriptError, match="no luck"):
        run(tmp_path, "throw new Error('no luck');")


def test_promise_that_never_comes_ends(tmp_path: Path) -> None:
    with pytest.raises(ScriptError, match="never comes"):
        run(tmp_path, "module.exports = () => new Promise(() => {});")


def test_limit_of_a_script_is_processor_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("octavo.importing.scripts._TIMEOUT_S", 1.0)
    with pytest.raises(ScriptError, match=r"runs for more than 1 s"):
        run(tmp_path, "for (;;) {}")


def test_files_of_the_project_around_the_folder_can_be_read_where_they_are_not_hidden(tmp_path: Path) -> None:
    (tmp_path / "Cargo.toml").write_text('version = "2"', encoding="utf-8")
    (tmp_path / ".env").write_text("KEY=1", encoding="utf-8")
    site = tmp_path / "docs"
    site.mkdir()
    (site / "near.txt").write_text("near", encoding="utf-8")
    config = site / "config.mjs"
    config.write_text(
        "import { readFileSync, existsSync } from 'node:fs'; import { URL, fileURLToPath } from 'node:url';\n"
        "import { resolve } from 'node:path'; const read = (path) => readFileSync(path, 'utf8');\n"
        "const stars = await (await fetch('https://kite.example/stars')).json();\n"
        "export default { a: read(fileURLToPath(new URL('../Cargo.toml', import.meta.url))), b: read('near.txt'), c: read(resolve('near.txt')),\n"
        "  d: existsSync('../.env'), e: existsSync('../../x'), f: process.cwd(), g: `${stars.count}` };",
        encoding="utf-8",
    )
    assert Scripts(site, tmp_path).load(config) == {
        "a": 'version = "2"',
        "b": "near",
        "c": "near",
        "d": False,
        "e": False,
        "f": str(site.resolve()),
        "g": "",
    }


def test_script_that_goes_through_folders_runs_a_few_times(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each file that a script asks for made it run again: a sidebar from the titles of 800 pages took two minutes."""
    for number in range(40):
        page = tmp_path / f"docs/part-{number % 8}/deep/page-{number}.md"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(f"# Kite {number}\n", encoding="utf-8")
    (tmp_path / "docs/part-0/.hidden").mkdir()
    (tmp_path / "docs/part-0/.hidden/own.md").write_text("# Own\n", encoding="utf-8")
    config = tmp_path / "config.mjs"
    config.write_text(
        "import fs from 'node:fs'; import path from 'node:path';\n"
        "const walk = (folder) => fs.readdirSync(folder, { withFileTypes: true }).filter((one) => !one.name.startsWith('.'))\n"
        "  .flatMap((one) => one.isDirectory() ? walk(path.join(folder, one.name)) : [fs.readFileSync(path.join(folder, one.name), 'utf8')]);\n"
        "export default { titles: walk('docs') };",
        encoding="utf-8",
    )
    scripts = Scripts(tmp_path)
    runs: list[str] = []
    run_once = Scripts._run

    def counted(self: Scripts, name: str, arguments: list[Any]) -> dict[str, Any]:
        runs.append(name)
        return run_once(self, name, arguments)

    monkeypatch.setattr(Scripts, "_run", counted)
    assert len(scripts.load(config)["titles"]) == 40
    assert len(runs) < 12
    assert not [name for name in scripts._files if ".hidden/" in name]


def test_what_is_read_before_a_script_asks_for_it_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("octavo.importing.scripts._MOST_AHEAD", 10)
    for number in range(4):
        (tmp_path / f"docs/{number}.md").parent.mkdir(exist_ok=True)
        (tmp_path / f"docs/{number}.md").write_text(f"Kite {number}", encoding="utf-8")
    code = "const fs = require('fs'); module.exports = fs.readdirSync('docs').map((one) => fs.readFileSync('docs/' + one, 'utf8'));"
    assert run(tmp_path, code) == [f"Kite {number}" for number in range(4)]
