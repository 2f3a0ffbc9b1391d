"""What components take with them: files, patterns of files, pictures, style sheets, packages; and where they lie."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from octavo.importing.components.icons import icons_module
from octavo.importing.components.modules import module_of
from octavo.importing.components.packages import package_module
from octavo.importing.components.paths import Paths
from octavo.importing.components.programs import Program, copy_program, is_copy
from octavo.importing.components.sources import ComponentSources
from octavo.importing.components.taken_in import picture_module, plain_name, text_module, with_files
from octavo.importing.components.unusable import UnusableError
from tests.support.each import each


def write(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def copied(folder: Path, files: Mapping[str, str | bytes], name: str = "Box", path: str = "src/Box.tsx") -> Program:
    write(folder, files)
    return copy_program(name, path, folder, "components", {"@": "lib"}, "static", {"title": "Kilns"})


BOX = "export default function Box() { return <b>x</b>; }\n"


class TestCopies:
    def test_component_is_copied_with_what_it_imports(self, tmp_path: Path) -> None:
        files = {
            "src/Box.tsx": "import a from './a';\nimport b from '@/b';\nimport { c } from '@site/deep';\nimport d from './d.json';\nimport React from 'react';\n"
            + BOX,
            "src/a.js": "export default 1;\n",
            "lib/b.ts": "import './a';\nexport default 2;\n",
            "lib/a.js": "export {};\n",
            "deep/index.jsx": "export const c = 3;\n",
            "src/d.json": '{"import x from \\"./gone\\"": 1}',
        }
        made = copied(tmp_path, files)
        place = "components/taken-over/"
        assert set(made.files) == {
            "components/Box.tsx",
            *(f"{place}{one}" for one in (*files, "lib/a.js") if one.count("/") == 1),
        }
        box = made.files[f"{place}src/Box.tsx"]
        assert re.findall(r"from [\"'](.*?)[\"']", box) == [
            "./a.js",
            "../lib/b.ts",
            "../deep/index.jsx",
            "./d.json",
            "react",
        ]
        handed = made.files["components/Box.tsx"]
        assert handed.endswith('export { default as default } from "./taken-over/src/Box";\n')
        assert 'client = "visible"' not in handed

    def test_component_with_something_to_do_in_the_browser_is_loaded_there(self, tmp_path: Path) -> None:
        made = copied(tmp_path, {"src/Box.tsx": "export default () => <b onClick={f}>x</b>;\n"})
        assert 'export const client = "visible";\n' in made.files["components/Box.tsx"]

    @each(
        "name, text, handed",
        [
            ("Box", "export const Box = () => 1;\n", 'export { Box as default } from "./taken-over/src/Box";\n'),
            ("Box.Side", "export default {};\n", 'import Whole from "./taken-over/src/Box";\nexport default Whole.Side;\n'),
            ("Box.Side", "export const Box = 1;\n", 'import { Box as Whole } from "./taken-over/src/Box";\nexport default Whole.Side;\n'),
        ],
    )  # fmt: skip
    def test_members_of_objects_are_components_too(self, tmp_path: Path, name: str, text: str, handed: str) -> None:
        assert copied(tmp_path, {"src/Box.tsx": text}, name).files[f"components/{name}.tsx"].endswith(handed)

    @each(
        "text, reason",
        [
            ("import './gone.css';\n", '"src/gone.css" does not exist'),
            ("import x from './gone.svg';\n", 'it shows "./gone.svg", which does not exist'),
            ("import x from './gone.yaml';\n", 'it takes in "./gone.yaml", which does not exist'),
            ("import x from './a.wasm';\n", 'it imports "./a.wasm"'),
            ("import { get } from 'axios';\nget();\n", "it imports get from axios"),
        ],
    )
    def test_what_cannot_be_copied_is_named(self, tmp_path: Path, text: str, reason: str) -> None:
        with pytest.raises(UnusableError, match=re.escape(reason)):
            copied(tmp_path, {"src/Box.tsx": text + BOX, "src/a.wasm": b""})

    def test_style_sheets_of_modules_get_names_of_their_own(self, tmp_path: Path) -> None:
        sheet = "/* .no {} */ .a .b:hover, :global(.kept) .c { color: red } @media (min-width: 1.5em) { .a { top: 0 } }\n.d { background: url(./x.png); left: 0 }"
        made = copied(
            tmp_path,
            {"src/Box.tsx": "import s from './s.module.css';\nimport './p.css';\n" + BOX, "src/s.module.css": sheet, "src/p.css": ".p { top: 0 }"},
        )  # fmt: skip
        written = made.files["components/taken-over/src/s.module.css"]
        names = json.loads(made.files["components/taken-over/src/s.module.sheet.js"].partition("default ")[2][:-2])
        assert set(names) == {"a", "b", "c", "d"}
        assert f".{names['a']} .{names['b']}:hover, .kept .{names['c']} {{" in written.replace(
            ":global(.kept)", ".kept"
        )
        assert "url(" not in written
        assert f".{names['d']} {{  left: 0 }}" in written
        assert "min-width: 1.5em" in written
        assert made.sheets == ["src/s.module.css"]
        assert made.files["components/taken-over/src/p.css"] == ".p { top: 0 }"
        assert made.files["components/taken-over/src/p.sheet.js"] == 'import "./p.css";\nexport default {};\n'

    def test_copies_are_known_as_long_as_nobody_has_changed_them(self, tmp_path: Path) -> None:
        made = copied(tmp_path, {"src/Box.tsx": BOX})
        write(tmp_path, made.files)
        handed = tmp_path / "components/Box.tsx"
        assert is_copy(handed)
        assert is_copy(tmp_path / "components/taken-over/src/Box.tsx")
        handed.write_text(handed.read_text().replace("default as", "other as"))
        assert not is_copy(handed)
        handed.write_text("export {};\n")
        assert not is_copy(handed)

    def test_endless_imports_are_refused(self, tmp_path: Path) -> None:
        files = {f"src/a{number}.ts": f"import './a{number + 1}';\n" for number in range(70)}
        with pytest.raises(UnusableError, match="more than 60 files"):
            copied(tmp_path, {"src/Box.tsx": "import './a0';\n" + BOX, **files, "src/a70.ts": ""})


class TestTakenIn:
    @each(
        "name, plain",
        [
            ("./a.ts", ("./a.ts", False)),
            ("!!raw-loader!./a.ts", ("./a.ts", True)),
            ("!!url-loader!./a.svg?x", ("./a.svg", False)),
            ("-!babel-loader!raw-loader!./a", ("./a", True)),
            ("./a.svg?url", ("./a.svg", False)),
            ("./a.ts?raw&x=1", ("./a.ts", True)),
            ("https://example.org/a?raw", ("https://example.org/a?raw", False)),
        ],
    )
    def test_marks_of_bundlers_are_taken_off(self, name: str, plain: tuple[str, bool]) -> None:
        assert plain_name(name) == plain

    def test_texts_and_data_become_modules(self, tmp_path: Path) -> None:
        write(
            tmp_path,
            {
                "a.ts": 'say("é")',
                "a.toml": "day = 2026-01-02\n",
                "a.yml": "- 1\n",
                "bad.yml": "a: [",
                "long": "x" * 100_000,
            },
        )
        assert text_module(tmp_path / "a.ts", "a", is_text=True) == 'export default "say(\\"é\\")";\n'
        assert text_module(tmp_path / "a.toml", "a", is_text=False) == 'export default {"day":"2026-01-02"};\n'
        assert text_module(tmp_path / "a.yml", "a", is_text=False) == "export default [1];\n"
        for name, is_text, reason in (
            ("bad.yml", False, "cannot be read"),
            ("gone", True, "cannot be read"),
            ("long", True, "is larger than"),
        ):
            with pytest.raises(UnusableError, match=f'"{name}" {reason}'):
                text_module(tmp_path / name, name, is_text=is_text)

    @each(
        "importer, written",
        [
            ("import K from './k.svg'; <K />", 'export default (props) => <img src={ADDRESS} alt={props.title ?? ""}'),
            ("import K from './k.svg'; <img src={K} />", "export default ADDRESS;\n"),
            ("import K from './k.svg'; const all = { icon: K };", "export default (props)"),
            ("import K from './k.svg'; const a = `${K}`;", "export default ADDRESS;\n"),
            ("import k from './k.svg'; k?.src", "export default Object.assign(new String(address), { src: address });\n"),
            ("const k = require('./k.svg').default;", "export default (props)"),
            ("<img src={require('./k.svg').default} />", "export default ADDRESS;\n"),
            ("export { default as K } from './k.svg';", "export default (props)"),
        ],
    )  # fmt: skip
    def test_pictures_are_addresses_or_components(self, tmp_path: Path, importer: str, written: str) -> None:
        def module(path: str) -> str:
            made = picture_module(
                path, "./k.svg", importer, target="components/k.jsx", static="static", site_dir=tmp_path
            )
            return made.text

        write(tmp_path, {"src/k.svg": "<svg/>", "static/k.svg": "", "src/large.svg": "x" * 50_001})
        inline = '"data:image/svg+xml;base64,PHN2Zy8+"'
        assert written.replace("ADDRESS", inline) in module("src/k.svg")
        assert written.replace("ADDRESS", 'withBase("/k.svg")') in module("static/k.svg")
        assert written.replace("ADDRESS", "file") in module("src/large.svg")
        assert 'import file from "../src/large.svg";\n' in module("src/large.svg")

    def test_files_of_a_pattern_are_imported_one_by_one(self, tmp_path: Path) -> None:
        write(
            tmp_path,
            dict.fromkeys(
                (
                    "src/a/x.ts",
                    "src/a/y.ts",
                    "src/a/b/z.ts",
                    "src/a/.hidden.ts",
                    "src/a/q.js",
                    "lib/l.ts",
                    "package.json",
                ),
                "",
            ),
        )

        def names(text: str, uses: str = "") -> dict[str, str]:
            written = with_files(text, "src/Box.tsx", tmp_path, uses)
            imports = dict(re.findall(r'import \* as (\S+) from "(.*?)";', written))
            pairs = re.findall(r'"([^"]*)": (?:\(\) => )?(\$taken\d+[\w.]*)', written)
            return {
                key: imports[value.partition(".")[0]] + value.partition(".")[1] + value.partition(".")[2]
                for key, value in pairs
            }

        assert names("import.meta.glob('./a/*.ts')") == {"./a/x.ts": "./a/x.ts", "./a/y.ts": "./a/y.ts"}
        assert names(
            "import.meta.glob(['./a/**/*.{ts,js}', '!**/y.ts'], { eager: true, import: 'default' })"
        ).keys() == {"./a/b/z.ts", "./a/q.js", "./a/x.ts"}
        assert names("import.meta.glob('./a/?.ts', { import: 'one' })")["./a/x.ts"] == "./a/x.ts.one"
        assert names("import.meta.glob('/lib/*', { query: '?raw' })") == {"/lib/l.ts": "../lib/l.ts?raw"}
        assert names("import.meta.globEager('./a/x*', { as: 'raw' })") == {"./a/x.ts": "./a/x.ts?raw.default"}
        assert names("require.context('./a', false, /\\.ts$/)") == {"./x.ts": "./a/x.ts", "./y.ts": "./a/y.ts"}
        assert names("require.context('@site/src/a', true)").keys() == {"./b/z.ts", "./q.js", "./x.ts", "./y.ts"}
        # Of a computed name only files that pages name are taken in.
        assert names("require(`./a/${name}.ts`)", "<Box name='x' />") == {"./a/x.ts": "./a/x.ts"}
        assert names("require(`./a/${name}`)", "b/z") == {"./a/b/z.ts": "./a/b/z.ts"}
        assert with_files("import.meta.glob('./a/x.ts')", "src/Box.tsx", tmp_path).endswith(
            '({ "./a/x.ts": () => $taken0 })'
        )
        assert with_files("import.meta.globEager('./a/x.ts')", "src/Box.tsx", tmp_path).endswith(
            '({ "./a/x.ts": $taken0 })'
        )
        assert with_files("nothing", "src/Box.tsx", tmp_path) == "nothing"

    @each(
        "text, reason",
        [
            ("import.meta.glob('../../*.ts')", "lies outside of the site"),
            ("import.meta.glob('./*/*/*/*/*/*/*.ts')", "it takes in files by"),
            ("require.context('./', true, /.*a+/)", "it takes in files by"),
            ("require.context('./', true, /(/)", "by a pattern that cannot be read"),
            ("import.meta.glob('./many/*')", "means more than 40 files"),
            ("require.context('./many')", "means more than 40 files"),
        ],
    )
    def test_patterns_that_mean_too_much_are_refused(self, tmp_path: Path, text: str, reason: str) -> None:
        write(tmp_path, {f"src/many/{number}.ts": "" for number in range(41)})
        with pytest.raises(UnusableError, match=re.escape(reason)):
            with_files(text, "src/Box.tsx", tmp_path)


class TestPackages:
    @each(
        "package, text, lines, components",
        [
            ("ui", "import { Card, type T } from 'ui'; <Card />", ["export const Card = pass;"], ["Card"]),
            ("ui/card", "import Card from 'ui/card'; <Card><Card.Head /></Card>", ["export default Object.assign((given) => pass(given), { Head: pass });"], ["Card"]),
            ("ui", "import * as UI from 'ui'; <UI.Card />", ["export const Card = pass;"], ["UI.Card"]),
            ("ui", "import { cn } from 'ui'; cn('a')", ["export const cn = (...given)"], []),
            ("lodash", "import { debounce } from 'lodash'; debounce(f)", ['export { debounce } from "./helpers";'], []),
            ("lodash/debounce", "import debounce from 'lodash/debounce'; debounce(f)", ['export { debounce as default } from "./helpers";'], []),
            ("lodash", "import _ from 'lodash'; _.get(a)", ['export * from "./helpers";'], []),
            ("@mdx-js/react", "import { MDXProvider } from '@mdx-js/react';", ["export const MDXProvider"], []),
            ("next/font/google", "import { Inter } from 'next/font/google'; Inter()", ["export const Inter = font;", "export default font;"], []),
            ("ui", "export { Card, default as Box } from 'ui';", ["export const Card = pass;", "export default pass;"], ["Card", "ui"]),
        ],
    )  # fmt: skip
    def test_components_of_packages_show_what_they_are_given(
        self, package: str, text: str, lines: list[str], components: list[str]
    ) -> None:
        module, found = package_module(package, text)
        assert [line for line in lines if line not in module] == []
        assert found == components

    @each(
        "text",
        ["import { run } from 'ui'; run();", "import ui from 'ui'; ui.run();", "import { get } from 'ui'; get('a');"],
    )
    def test_programs_of_packages_cannot_be_replaced(self, text: str) -> None:
        with pytest.raises(UnusableError, match="from ui"):
            package_module("ui", text)

    @each("text", ["import type { T } from 'ui';", "import { type T } from 'ui';"])
    def test_types_of_packages_are_nothing(self, text: str) -> None:
        assert package_module("ui", text) == ("", [])

    def test_icons_are_those_of_the_same_meaning_or_nothing(self) -> None:
        module, missing = icons_module("react-icons/fa", "import { FaRocket, FaNoSuchThing } from 'react-icons/fa';")
        assert "export const FaRocket = ({ className }) => <span" in module
        assert "icon-rocket" in module
        assert "export const FaNoSuchThing = () => null;" in module
        assert missing == ["FaNoSuchThing"]
        module, missing = icons_module("lucide-react/rocket", "import R from 'lucide-react/rocket';")
        assert module.startswith("export default ({ className })")
        assert missing == []
        assert icons_module("~icons/x/none", "import N from '~icons/x/none';")[1] == ["~icons/x/none"]

    @each(
        "name, module, page, expected",
        [
            ("Image", "next/image", "import Image from 'next/image';", 'import Image from "next/image";\nexport default Image;\n'),
            ("Tabs.Tab", "nextra/components", "import { Tabs } from 'nextra/components';", 'import { Tabs } from "nextra/components";\nexport default Tabs.Tab;\n'),
            ("T", "nextra/components", "import { Card, Tabs as T } from 'nextra/components';", 'import { Tabs } from "nextra/components";\nexport default Tabs;\n'),
            ("N.Tabs", "nextra/components", "import * as N from 'nextra/components';", 'import * as N from "nextra/components";\nexport default N.Tabs;\n'),
            ("Other", "nextra/components", "import { Tabs } from 'nextra/components';", None),
            ("Own", "own", "import Own from 'own';", None),
            ("clsx", "clsx", "import clsx from 'clsx';", None),
        ],
    )  # fmt: skip
    def test_components_of_engines_are_handed_on(self, name: str, module: str, page: str, expected: str | None) -> None:
        assert module_of(name, module, page) == expected


class TestSources:
    @each(
        "name, module, page, found",
        [
            ("Box", "./Box", "src/page.mdx", "src/Box.tsx"),
            ("Box", "../src/Box.tsx", "docs/a.mdx", "src/Box.tsx"),
            ("Deep", "@site/src/deep", "docs/a.mdx", "src/deep/index.jsx"),
            ("Deep", "@/deep", "docs/a.mdx", "src/deep/index.jsx"),
            ("Gone", "./Gone", "src/page.mdx", None),
            ("Twice", "~/Twice", "docs/a.mdx", None),
            ("pkg", "pkg", "docs/a.mdx", None),
            # Without an import: one of all pages, or the only one of this name in a folder of components.
            ("Badge", "", "docs/a.mdx", "src/widgets/badge-view.vue"),
            ("HeaderYields", "", "docs/a.mdx", "snippets/_header-yields.mdx"),
            ("Box", "", "docs/a.mdx", None),
            ("Twice", "", "docs/a.mdx", None),
            # Modules that hand on what others export.
            ("Handed", "./hand", "src/page.mdx", "src/Box.tsx"),
            ("All", "./hand", "src/page.mdx", "src/all.ts"),
            ("Own", "./hand", "src/page.mdx", "src/own.ts"),
        ],
    )
    def test_file_of_a_component(self, tmp_path: Path, name: str, module: str, page: str, found: str | None) -> None:
        files = {
            "src/Box.tsx": BOX,
            "src/deep/index.jsx": BOX,
            "a/components/Twice.tsx": BOX,
            "b/components/Twice.tsx": BOX,
            "src/widgets/badge-view.vue": "",
            "snippets/_header-yields.mdx": "",
            "src/theme/MDXComponents.js": "import Badge from '../widgets/badge-view';\nexport default { Badge };\n",
            "src/hand.ts": "import Own from './own';\nexport { default as Handed } from './Box';\nexport * from './all';\nexport { Own };\n",
            "src/all.ts": "export const All = 1;\n",
            "src/own.ts": "export default 1;\n",
        }
        write(tmp_path, files)
        sources = ComponentSources(tmp_path, tmp_path, "components")
        assert sources.find(name, module, page) == found
        assert sources.own(["Badge", "Box"]) == frozenset({"Badge"})
        assert sources.registered("Badge") == ("../widgets/badge-view", "src/theme/MDXComponents.js")


def test_names_mean_what_the_settings_of_typescript_say(tmp_path: Path) -> None:
    own = '{ // a comment\n "compilerOptions": { "baseUrl": "./src", "paths": { "@/*": ["lib/*"], "exact": ["one.ts"], "@/deep/*": ["d/*"], "up/*": ["../../x/*"], }, } }'
    write(
        tmp_path,
        {
            "tsconfig.json": own,
            "src/lib/a.ts": "",
            "src/plain.ts": "",
            "inner/jsconfig.json": '{"compilerOptions": {"paths": {"~/*": ["./*"]}}}',
            "bad/tsconfig.json": "{",
        },
    )
    paths = Paths(tmp_path)
    found = {
        name: paths.find(name, "src/Box.tsx") for name in ("@/a", "exact", "@/deep/b", "up/y", "plain", "gone", "@x")
    }
    assert found == {
        "@/a": "src/lib/a",
        "exact": "src/one.ts",
        "@/deep/b": "src/d/b",
        "up/y": None,
        "plain": "src/plain",
        "gone": None,
        "@x": None,
    }
    assert (paths.find("~/a", "inner/Box.tsx"), paths.find("@/a", "inner/Box.tsx")) == ("inner/a", None)
    assert paths.find("@/a", "bad/deep/Box.tsx") == "src/lib/a"
    assert paths.folders("src") == {"@/deep": "src/d", "@": "src/lib"}
