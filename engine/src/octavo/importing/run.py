"""Import a site: recognize, plan, write, check."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from octavo.config import CONFIG_NAME, parse_config
from octavo.content import STOCK_COMPONENTS, is_unrun
from octavo.diagnostics import Diagnostic
from octavo.documents import Compiler, Library, find_stubs, gather_sources, stub_text
from octavo.errors import UsageError
from octavo.extending import SiteExtensions
from octavo.hosting import find_repository
from octavo.importing.components import CODE, ComponentSources, Program, is_copy
from octavo.importing.convert import convert_pages, copy_site
from octavo.importing.look.search_page import add_search_page, search_page_of
from octavo.importing.model import EngineName, Note, Plan, Recognized
from octavo.importing.react_pages import FOLDER as PAGES
from octavo.importing.react_pages import take_over_pages
from octavo.importing.recognize import other_sites, recognize, site_above, unknown_engine
from octavo.importing.report import REPORT_NAME, Report, make_report, write_markdown
from octavo.importing.settings.labels import carry_language, write_plain_labels
from octavo.importing.settings.redirects import carry_rules_of_hosts
from octavo.importing.settings.repair import leave_out_refused
from octavo.importing.settings.toml_text import write_toml
from octavo.importing.stubs import FOLDER as STUBS
from octavo.importing.stubs import Stub, find_source, take_over, take_over_programs, with_parts
from octavo.importing.tree import unread_folders, unread_pages
from octavo.importing.verify import Difference, compare_built
from octavo.importing.watched import unread
from octavo.runtime import open_cache, paused_collector, work_folder
from octavo.site import assemble_site, find_sources

_HEAD = """Written by `octavo import` from a {engine} site. The site's files stay as they are and are read where they lie.
Findings that would stop a build are warnings here; make them errors again under [diagnostics], by kind or all at once."""


_MODULES = {"fumadocs": "nextra", "hexo": "jekyll", "obsidian": "plain"}
"""Engine → module that plans it, where that has another name."""


class Imported(msgspec.Struct, frozen=True):
    """An import that is planned, or done."""

    plan: Plan
    report: Report
    text: str
    """Of `octavo.toml`."""


def make_plan(folder: Path, engine: EngineName | None = None) -> tuple[Recognized, Plan]:
    """Recognize the engine of a folder and plan its import.

    Raises:
        UsageError: no engine can be made out, or its configuration can't be read.
    """
    found = recognize(folder, engine)
    module = import_module(f"octavo.importing.engines.{_MODULES.get(found.engine, found.engine)}")
    plan: Plan = module.plan(found, folder.resolve())
    carry_language(plan)
    write_plain_labels(plan)
    static = plan.settings.get("static", "static")
    carry_rules_of_hosts(
        plan,
        [
            *(plan.site_dir / one for one in ([static] if isinstance(static, str) else static)),
            found.home / "public",
            plan.site_dir / plan.settings.get("docs", "."),
            found.home,
            plan.site_dir,
        ],
    )
    for other in other_sites(folder, found):
        where = other.home.relative_to(folder.resolve()).as_posix()
        plan.note(f"Another site, of {other.engine}", f"Import it by itself: octavo import {where}", files=[where])
    if found.engine == "plain" and engine is None and (above := site_above(folder)) is not None:
        up = os.path.relpath(above.home, folder.resolve())
        plan.note(
            f"The folder is part of a site of {above.engine}, whose settings, navigation and addresses are left out",
            f"Import the whole of it: octavo import {(folder / up).as_posix()}",
            files=[Path(up, above.config.relative_to(above.home)).as_posix()] if above.config else [],
        )
    if found.engine == "plain" and (unknown := unknown_engine(folder.resolve())) is not None:
        plan.note(
            f"The site is one of {unknown[0]}, which is not known: its pages are read as plain Markdown, its settings are not read",
            "Write title, navigation, addresses and redirects into octavo.toml, and look for syntax of its own in the pages.",
            files=[unknown[1].relative_to(folder.resolve()).as_posix()],
        )
    keys = [key for settings in plan.watched for key in unread(settings, plan.engine)]
    if keys:
        remedy = "Look for those that readers would miss; octavo.toml may have a setting of another name."
        plan.note(f"Settings of the old site that have no effect: {', '.join(keys)}", remedy, count=len(keys))
    return found, plan


def import_site(
    folder: Path, *, engine: EngineName | None = None, to: Path | None = None, force: bool = False
) -> Imported:
    """Write an `octavo.toml` beside a site of another engine, and report what is not carried over.

    Args:
        folder: The project, or the folder of its site.
        engine: Its engine, where its files do not tell.
        to: Folder for a copy of the site, whose pages are rewritten in our syntax; None leaves it where it is.
        force: Write over an `octavo.toml` that is there.

    Raises:
        UsageError: there is one, or the site can't be read.
    """
    found, plan = make_plan(folder, engine)
    origin = plan.site_dir
    if to is None and (origin / CONFIG_NAME).exists() and not force:
        raise UsageError(f"{origin / CONFIG_NAME} exists; remove it, or replace it with --force.")
    add_search_page(plan, PAGES)
    # Before the copy: the programs of the old engine are not copied.
    stubs = plan_stubs(plan, found.home)
    project = find_repository(folder.resolve())
    if to is not None:
        copy_site(plan, to, project)
    target = plan.site_dir / CONFIG_NAME
    problems = (
        convert_pages(plan, origin, project, [*_unwritten(plan), *(stub.name for stub in stubs)])
        if to is not None
        else []
    )
    text = settings_text(plan)
    _remove_old_stubs(plan)
    for name, content in plan.files.items():
        path = plan.site_dir / name
        other = path.with_suffix({".mdx": ".tsx", ".tsx": ".mdx"}.get(path.suffix, ".none"))
        if not _is_own(path) and not _is_own(other):
            other.unlink(missing_ok=True)  # what an earlier import wrote for the same component
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
    for name, source in plan.copies.items():
        path = plan.site_dir / name
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, path)
    target.write_text(text, encoding="utf-8")
    work_dir = work_folder(plan.site_dir, writes_site=True)
    report = _check(plan, found, text, work_dir, stubs, origin, problems)
    (plan.site_dir / REPORT_NAME).write_text(write_markdown(report), encoding="utf-8")
    return Imported(plan, report, text)


def compare_with_built(site_dir: Path, built: Path) -> list[Difference]:
    """Build an imported site and compare its pages with those that the old engine has built."""
    from octavo.publish import build_site

    with TemporaryDirectory() as work:
        out = Path(work) / "site"
        build_site(site_dir, out, has_search=False, publishes_always=True)
        return compare_built(out, built)


def examine_site(folder: Path, *, engine: EngineName | None = None) -> Imported:
    """Say what an import would do and lose; nothing is written."""
    found, plan = make_plan(folder, engine)
    add_search_page(plan, PAGES)
    stubs = plan_stubs(plan, found.home)
    text = settings_text(plan)
    with TemporaryDirectory() as work:
        return Imported(plan, _check(plan, found, text, Path(work), stubs, plan.site_dir), text)


def plan_stubs(plan: Plan, home: Path) -> list[Stub]:
    """Plan the components that pages use: those without a computation are taken over, the others get a stub each.

    Returns:
        The components that are programs of the old engine.
    """
    folder = plan.settings.get("components", STUBS)
    config = parse_config(settings_text(plan))
    sources = find_sources(plan.site_dir, config)
    # A second import finds the stubs of the first, and the components that were written in their place.
    config = msgspec.structs.replace(config, components=folder)
    compiler = Compiler.of(plan.site_dir, config, {})
    options = compiler.options
    pages = [source.path for source in sources if source.data is None]
    places = ComponentSources(plan.site_dir, home, folder)
    stubs = with_parts(pages, places, plan.site_dir, options)
    plan.notes += [
        Note(
            f'Pages that import "<{stub.name}>" from {path} and show that of {find_source(stub, places) or stub.origin}',
            "A name has one component: give this one another name, in its file, its import and its tags, and import again.",
            len(pages),
            pages[:5],
        )
        for stub in stubs
        for path, pages in stub.others.items()
    ]
    if not stubs and not options.components and not plan.react_pages:
        if (plan.site_dir / "components").is_dir() and "components" not in plan.settings:
            # What lies there is of the old engine, and no page of ours can name it: ours have a folder of their own.
            plan.settings["components"] = folder
            plan.files[f"{folder}/.gitkeep"] = ""
        return []
    plan.settings["components"] = folder
    plan.settings["exclude"] = list(dict.fromkeys([*plan.settings.get("exclude", []), f"{folder}/**"]))
    left = []
    for stub in stubs:
        path = f"{folder}/{stub.name}.mdx"
        written = None if _is_own(plan.site_dir / path) else take_over(stub, places, options)
        if written is not None:
            plan.files[path] = written
        elif _is_own(plan.site_dir / folder / f"{stub.name}.tsx"):
            plan.programs.append(stub.name)
        else:
            left.append(stub)
    programs = take_over_programs(left, places, plan, config, compiler, folder)
    for program in programs:
        plan.files |= program.files
        plan.programs.append(program.name)
    if plan.react_pages:
        programs += take_over_pages(plan, config, compiler, folder, _own_pages(plan))
    # Of a copy of the site, whose modules import them from the same place.
    plan.copies |= {path: plan.site_dir / path for program in programs for path in program.pictures}
    _note_left_out(plan, programs)
    # Where one of the site's own can't be taken over, ours of the same name shows more than a stub would.
    left = [
        stub for stub in left if stub.name not in plan.programs and (stub.origin or stub.name not in STOCK_COMPONENTS)
    ]
    plan.files |= {f"{folder}/{stub.name}.mdx": stub_text(stub.origin) for stub in left}
    return left


def _note_left_out(plan: Plan, programs: Sequence[Program]) -> None:
    """Note what was left out of components that were taken over."""
    for what, remedy, found in (
        (
            "Style sheets of components that were left out, in whole or in part",
            "Only CSS without addresses of other files, in files of its own, is taken over: write the rest into the sheets of the new components.",
            [sheet for program in programs for sheet in program.sheets],
        ),
        (
            "Icons of components that were left out",
            "No icon of Lucide has their names: name another one in the new components, or put an SVG file beside them.",
            [line for program in programs for line in program.icons],
        ),
        (
            "Components whose elements no longer move",
            "framer-motion is not taken over: elements are shown as they are after their movement. Write movements in CSS.",
            [path for program in programs for path in program.moving],
        ),
        (
            "Scripts of components that were left out",
            "They are shown as they are before the script has run. Write what is missing as components in React.",
            [path for program in programs for path in program.scripts],
        ),
        (
            "Components that ask for their page or its language",
            "They are drawn as on a home page in the default language: write the others as components of their own.",
            [path for program in programs for path in program.located],
        ),
        (
            "Data that programs gathered for components",
            "They are those of today: import again when they change, or write them by hand.",
            [path for program in programs for path in program.loaders],
        ),
        (
            "Components of packages of which only the content is shown",
            "Packages of npm are not taken over. Write what is missing into the new components.",
            [line for program in programs for line in program.packages],
        ),
    ):
        if files := list(dict.fromkeys(found)):
            plan.note(what, remedy, count=len(files), files=files)


def _own_pages(plan: Plan) -> set[str]:
    """List the pages that an author has written, or changed, where an import writes those in React."""
    folder = plan.site_dir / PAGES
    found = sorted(folder.rglob("*.mdx")) if folder.is_dir() else []
    return {plan.path(path) for path in found if not is_copy(path)}


def _remove_old_stubs(plan: Plan) -> None:
    """Remove the stubs that an earlier import has written, and that none is needed in the place of any more."""
    folder = plan.site_dir / plan.settings.get("components", STUBS)
    for name in find_stubs(folder):
        path = folder / f"{name}.mdx"
        if plan.path(path) not in plan.files and not _is_own(path):
            path.unlink()


def _is_own(path: Path) -> bool:
    """Whether a file is there that an author has written; what an earlier import wrote, and nobody touched, is not."""
    if not path.exists():
        return False
    if path.suffix in CODE or PAGES in path.parts:
        return not is_copy(path)
    origin = find_stubs(path.parent).get(path.stem) if path.suffix == ".mdx" else None
    return origin is None or path.read_text(encoding="utf-8", errors="replace") != stub_text(origin)


def settings_text(plan: Plan) -> str:
    """Write the settings of a plan; what would be refused is left out and noted."""
    leave_out_refused(plan)
    static = plan.settings.get("static", "static")
    if static != "static" and not any((plan.site_dir / name).is_dir() for name in (static, "static")):
        del plan.settings["static"]  # engines do without the folder; here, one that is named and missing is a mistake
    text = write_toml(plan.settings, _HEAD.format(engine=plan.engine))
    parse_config(text)
    return text


def _unwritten(plan: Plan) -> list[str]:
    """Name the components that are planned and not there yet, and those in React, which only a build compiles."""
    planned = [Path(name).stem for name in plan.files if name.endswith(".mdx") and not (plan.site_dir / name).exists()]
    return plan.programs + planned


def _check(
    plan: Plan,
    found: Recognized,
    text: str,
    work_dir: Path,
    stubs: list[Stub],
    origin: Path,
    problems: Sequence[Diagnostic] = (),
) -> Report:
    """Compile the documents and assemble the site; what is found, is reported. A build finds the documents compiled."""
    config = parse_config(text)
    site_dir = plan.site_dir
    with paused_collector():
        extensions = SiteExtensions(site_dir, config, open_cache(work_dir)) if config.extensions else None
        sources = gather_sources(site_dir, config, work_dir, extensions)
        library = Library(open_cache(work_dir))
        # Nothing is written where a site is only examined: components that are not there yet stand for themselves.
        names = [*_unwritten(plan), *(one.name for one in stubs)]
        compiler = Compiler.of(site_dir, config, sources.descriptions, extensions).with_stubs(names)
        library.update(sources.all, compiler, may_fork=True)
        summaries = library.summaries
        present = [source for source in sources.all if source.path in summaries]
        site = assemble_site(config, present, summaries, site_dir=site_dir, history={})
    pages = [page for page in site.pages if page.source is None or page.source.path != search_page_of(plan, PAGES)]
    if not pages:
        remedy = "They may be fetched or written by a script before a build, or kept in a submodule: get them, and import again."
        plan.note(f"There is no Markdown file in {site_dir / config.docs}", remedy)
    unread = unread_folders(origin, found.home, config, {source.path for source in sources.all})
    if unread:
        plan.note(
            "Markdown files in folders that are not read",
            "Name a folder under [mounts] if its files are pages.",
            count=sum(unread.values()),
            files=[f"{folder}: {count}" for folder, count in unread.items()],
        )
    for what, paths in unread_pages(site_dir, config, plan.engine).items():
        if not any(paths[0] in note.files for note in plan.notes):
            remedy = (
                'They are read where [markdown] names the extension "notebooks".'
                if what == "notebooks of Jupyter"
                else "Only Markdown is read: convert them, or publish what the old engine has made of them as static files."
                if what != "reStructuredText"
                else 'Install what reads them, and import again: pip install "octavo[rst]".'
                if find_spec("docutils") is None
                else 'They are read where [markdown] names the extension "rst"; name the folders of other files under exclude.'
            )
            plan.note(f"Pages in {what}", remedy, count=len(paths), files=paths[:5])
    _note_unrun(plan, [source.path for source in present if source.path.endswith(".ipynb")])
    findings: list[Diagnostic] = [
        *problems,
        *sources.problems,
        *sources.blog_problems,
        *library.problems,
        *site.diagnostics,
    ]
    findings = [one for one in findings if one.code != "stub-component"]
    return make_report(plan, found.reason, len(pages), dict.fromkeys(findings), stubs)


def _note_unrun(plan: Plan, notebooks: Sequence[str]) -> None:
    """Note the notebooks that the old engine ran when it made pages of them: what they show is in no file."""
    texts = {path: (plan.site_dir / path).read_text(encoding="utf-8", errors="replace") for path in notebooks}
    if unrun := [path for path, text in texts.items() if is_unrun(text)]:
        plan.note(
            "Notebooks without outputs, whose pages show the code alone",
            "Run and save them: jupyter nbconvert --to notebook --execute --inplace FILE.",
            count=len(unrun),
            files=unrun[:5],
        )
