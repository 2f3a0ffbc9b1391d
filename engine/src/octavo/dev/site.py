"""`DevSite`: follows saved files. What depends on a change is made again; what may depend on it is compared."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from octavo.checks import SourceLines, complete_findings
from octavo.config import CONFIG_NAME, Config, load_config
from octavo.contract import DevMessage, PagePayload
from octavo.dev.messages import Channel
from octavo.dev.playground import Finding, PlaygroundResult
from octavo.diagnostics import Diagnostic
from octavo.documents import Library
from octavo.errors import OctavoError, RenderError, UsageError
from octavo.last_build import CannotTellError, watched_outside
from octavo.live_search import SearchUpdates
from octavo.pipeline import SiteInputs, assemble, list_problems, read_inputs
from octavo.preview import Patch, WorkingSite
from octavo.rendering import Engines, PageRecord, Theme, load_theme
from octavo.revisions import places_of_refs
from octavo.runtime import digest, open_cache, settle_memory, work_folder
from octavo.site import CATEGORY_NAMES, PAGE_SUFFIXES, Page

_TABLE = "dev.msgpack"
_HOME = "index.html"
_PAINT_S = 0.15
"""Pause before background work, in which a browser shows the change."""
_FIRST_S = 0.6
"""The same, for the first page after the start."""
_MOST_AT_ONCE = 40
"""Pages left to render up to which search waits for them."""
_PATIENCE_S = 0.4
"""Longest wait for a component; then its page is shown without it, and again when it is done or is stopped."""
_MOST_SENT = 4
"""Changed pages up to which payloads are sent; with more, each browser requests the page that it shows."""

Later = Callable[[Iterator[None], float], None]
"""Runs background steps after some seconds, in the place of those given before."""
Tell = Callable[[Sequence[Diagnostic], str, float], None]
"""Called after each change with the findings, why there is no site (or ""), seconds until pages were notified."""


class DevSite:
    """A site in memory. Used by the task thread; `working_site` and `number` may be read by any thread."""

    def __init__(
        self,
        site_dir: Path,
        *,
        channel: Channel,
        tell: Tell,
        later: Later,
        search: SearchUpdates,
        run: Callable[[Callable[[], None]], object],
        given: Mapping[str, str] | None = None,
    ) -> None:
        """Initialize; nothing is read yet.

        Args:
            site_dir: The folder that holds `octavo.toml`.
            channel: Sends messages to open pages.
            tell: Reports to the author.
            later: Runs background steps.
            search: Updates the search index.
            run: Lets the task thread do something; called by other threads.
            given: Settings that replace those of `octavo.toml`; see `load_config`.
        """
        self.working_site: WorkingSite | None = None
        self.number = 0
        self.other_folders: list[Path] = []
        """Folders outside the site's on which it depends; replaced, never changed."""
        self.other_files: list[Path] = []
        """Single files outside the site's folder that its settings name; replaced, never changed."""
        self._site_dir = site_dir
        self._work_dir = work_folder(site_dir)
        self._cache = open_cache(self._work_dir)
        self._given = given
        self._library = Library(self._cache)
        self._channel = channel
        self._tell = tell
        self._later = later
        self._search = search
        self._run = run
        self._session = uuid.uuid4().hex[:12]
        self._engines: Engines | None = None
        self._inputs: SiteInputs | None = None
        self._problems: list[Diagnostic] = []
        self._between: list[Diagnostic] = []
        """Findings between pages when all of them had been rendered last."""
        self._failure = ""
        self._told_failure = ""
        self._lasted_s = 0.0
        self._records: Mapping[str, PageRecord] = {}
        self._is_littered = True
        """An earlier state of the site has been replaced, which only the garbage collector can free."""

    def open(self) -> None:
        """Read the site for the first time. Must be called before any thread is started, because workers may be forked."""
        started = time.perf_counter()
        self._records = self._cache.load_table(_TABLE, dict[str, PageRecord], {})
        try:
            theme = load_theme()
            self._engines = Engines(theme)
            self._engines.start_ahead()
            self._load(theme)
            self._assemble(None, may_fork=True)
        except OctavoError as error:
            self._failure = str(error)
        self._announce(started, frozenset())

    def render_home(self) -> None:
        """Render the first page that is likely to be requested."""
        working_site = self.working_site
        if working_site is not None and working_site.has(_HOME):
            working_site.file(_HOME)

    def follow(self, paths: Collection[str]) -> None:
        """Take over changed files, given as paths relative to the site's folder."""
        started = time.perf_counter()
        if self._inputs is not None and self._inputs.components is not None:
            self._inputs.components.forget_stops()
        are_of_components = self._are_of_components(paths)
        try:
            patch = self._follow_components(paths) if are_of_components else self._patch(paths)
            if patch is None and not are_of_components:
                self._follow_whole(paths)
        except OctavoError as error:
            self._failure = str(error)
            patch = None
        if patch is None:
            self._announce(started, paths)
        elif patch.pages:
            self._announce_pages(patch, started, paths)
        elif are_of_components:
            self._finish(started, paths)  # no page shows them, but there may be something wrong with them

    def try_text(self, path: str, text: str) -> PlaygroundResult | None:
        """See `Playground`."""
        working_site, inputs = self.working_site, self._inputs
        page = working_site.page_at(path) if working_site is not None else None
        if working_site is None or inputs is None or page is None or page.source is None:
            return None
        document = inputs.compiler.compile_typed(page.source.path, text)
        article, found = working_site.article_of(page, document)
        levels = working_site.site_files.site.config.diagnostics.by_code()
        listed = [
            Finding(level, one.code, one.message, one.span.line, one.span.column)
            for one in sorted(found, key=lambda one: one.span)
            if (level := levels.get(one.code, one.level)) != "ignore"
        ]
        return PlaygroundResult(article, listed)

    def _settle_components(self) -> None:
        """Render pages again whose components are done, or were stopped."""
        started = time.perf_counter()
        components = self._inputs.components if self._inputs is not None else None
        if components is None or not components.settle() or self.working_site is None:
            return
        if routes := self.working_site.forget_passing():
            self._announce_pages(Patch([], routes), started, frozenset())

    def restart_engines(self) -> bool:
        """Restart the render processes that have died; returns whether any had."""
        if self._engines is None or not self._engines.revive() or self._inputs is None:
            return False
        self._assemble(frozenset())
        return True

    def close(self) -> None:
        """Save what the next start can use."""
        self._library.save()
        if self.working_site is not None:
            self._cache.save_table(_TABLE, self.working_site.stale | self.working_site.records)
            self._search.save(self._cache)
        if self._engines is not None:
            self._engines.close()
        if self._inputs is not None and self._inputs.extensions is not None:
            self._inputs.extensions.close()
        if self._inputs is not None and self._inputs.components is not None:
            self._inputs.components.close()

    # Following

    def _patch(self, paths: Collection[str]) -> Patch | None:
        """Take over texts on which nothing else depends; None, and nothing was done, where something may."""
        if self.working_site is None or self._failure or not all(self._is_text(path) for path in paths):
            return None
        if self._inputs is not None and self._inputs.with_blogs_of_now(paths) is not self._inputs:
            return None
        summaries = self._library.recompile(paths)
        return self.working_site.patch(summaries) if summaries is not None else None

    def _is_text(self, path: str) -> bool:
        return self._library.knows(path) and not self._is_named(path) and (self._site_dir / path).is_file()

    def _are_of_components(self, paths: Collection[str]) -> bool:
        """Return whether files can change no more than what components draw."""
        components = self._inputs.components if self._inputs is not None else None
        if components is None or self.working_site is None or self._failure:
            return False
        return all(
            components.knows(path) and not self._library.knows(path) and not self._is_named(path) for path in paths
        )

    def _follow_components(self, paths: Collection[str]) -> Patch | None:
        """Take over changed components; None, and the site was assembled anew, where more than the pages that show them is."""
        before, working_site = self._inputs, self.working_site
        if before is None or before.components is None or working_site is None:
            return None
        inputs = before.with_components_of_now(self._work_dir, _PATIENCE_S)
        self._take_over(inputs)
        changed = inputs.components.changed(before.components) if inputs.components is not None else None
        if inputs.components is None or changed is None:
            self._assemble(paths)
            return None
        return working_site.patch_components(inputs.components, changed)

    def _follow_whole(self, paths: Collection[str]) -> None:
        inputs = self._inputs
        if self._follow_look(paths):
            return
        if inputs is None or self._failure or not all(self._is_page(path) for path in paths):
            self._load(load_theme())
            self._assemble(None)
            return
        found = inputs.with_files_of_now()
        if inputs.sources.made and found.sources.written != inputs.sources.written:
            self._load(inputs.theme)  # a file may replace a page made from data
        else:
            self._inputs = found.with_blogs_of_now(paths)
        self._assemble(paths)

    def _follow_look(self, paths: Collection[str]) -> bool:
        """Take over other colors, widths and the like; False, and nothing was done, where more of the settings may differ."""
        before, working_site = self._inputs, self.working_site
        if before is None or working_site is None or self._failure or set(paths) != {CONFIG_NAME}:
            return False
        site = working_site.site_files.site
        found = [*list_problems(before, self._library, site), *working_site.unplaced]
        if any(problem.span.path == CONFIG_NAME and problem not in before.look.problems for problem in found):
            return False  # its line may be another one now
        inputs = before.with_look_of(self._read_config(), self._work_dir)
        if inputs is None:
            return False
        self._inputs = inputs
        working_site.use_look(inputs)
        self._is_littered = True
        return True

    def _is_page(self, path: str) -> bool:
        """Return whether a file can change no more than pages and their order."""
        name = path.rpartition("/")[2]
        if path.startswith("../"):
            return False
        is_one = name in CATEGORY_NAMES or (name.endswith(PAGE_SUFFIXES) and not name.startswith("_"))
        return is_one and not self._is_named(path) and not (self._site_dir / path).is_dir()

    def _is_named(self, path: str) -> bool:
        """Return whether the settings name a file, so that more than pages may depend on it."""
        if self._inputs is None or path in self._inputs.settings_text:
            return True
        return self._inputs.extensions is not None and self._inputs.extensions.declares(path)

    def _load(self, theme: Theme) -> None:
        """Read the settings and the files that they name."""
        self._watch_outside()
        config = self._read_config()
        if self._engines is None or self._inputs is None or self._inputs.theme != theme:
            self._change_theme(theme)
        before = self._inputs
        # At the start nobody waits yet, and threads may not be there when workers are forked.
        patience = _PATIENCE_S if before is not None else None
        self._take_over(
            read_inputs(
                self._site_dir, config, self._work_dir, theme, is_preview=True, patience=patience, before=before
            )
        )
        self._watch_outside()

    def _read_config(self) -> Config:
        # Its service worker would answer for a page that is being written.
        return msgspec.structs.replace(load_config(self._site_dir, self._given), offline=False)

    def _take_over(self, inputs: SiteInputs) -> None:
        """Use other inputs, and end what the earlier ones do not share with them."""
        before, self._inputs = self._inputs, inputs
        if inputs.components is not None:
            inputs.components.be_patient(_PATIENCE_S, lambda: self._run(self._settle_components))
        if before is not None and before.extensions not in (None, inputs.extensions):
            before.extensions.close()
        if before is not None and before.components not in (None, inputs.components):
            before.components.close()

    def _watch_outside(self) -> None:
        """Name what is to be watched outside the site's folder; before it is read as well, since it may be broken."""
        own = self._inputs.extensions.folders if self._inputs and self._inputs.extensions else []
        with suppress(CannotTellError, OSError):  # the settings are broken: what they named before may still matter
            files, named = watched_outside(self._site_dir.resolve(), self._site_dir / CONFIG_NAME)
            folders, packed = self._places_of_versions()
            self.other_files, self.other_folders = [*files, *packed], sorted({*own, *named, *folders})

    def _places_of_versions(self) -> tuple[list[Path], list[Path]]:
        """Name the folders and files in which git keeps the tags or branches from which versions are made."""
        given = self._inputs.config.versions_from if self._inputs is not None else None
        with suppress(UsageError):
            if given is not None:
                return places_of_refs(self._site_dir.resolve(), given.source)
        return [], []

    def _change_theme(self, theme: Theme) -> None:
        if self._inputs is None and self._engines is not None:
            return  # the engines have just been started with this theme
        if self._engines is not None:
            self._engines.close()
        self._engines = Engines(theme)

    def _assemble(self, changed: Collection[str] | None, *, may_fork: bool = False) -> None:
        inputs, engines = self._inputs, self._engines
        if inputs is None or engines is None:
            return
        self._library.update(inputs.sources.all, inputs.compiler, changed, may_fork=may_fork)
        site_files, _ = assemble(inputs, self._library)
        before = self.working_site
        records = before.stale | before.records if before is not None else self._records
        self.working_site = WorkingSite(
            f"{self._session}-{self.number + 1}", site_files, self._site_dir, engines, self._library, records
        )
        self._records = {}
        self._failure = ""
        self._is_littered = True

    # Messages

    def _announce(self, started: float, paths: Collection[str]) -> None:
        """Notify all pages that any page may have changed."""
        self.number += 1
        self._channel.greet_with(self._message(problems=self._problems))
        self._channel.send(self._message(is_whole=True, problems=None))
        self._finish(started, paths)

    def _announce_pages(self, patch: Patch, started: float, paths: Collection[str]) -> None:
        working_site = self.working_site
        if working_site is None:
            return
        self.number += 1
        sent, rest = (patch.pages, []) if len(patch.pages) <= _MOST_SENT else ([], patch.pages)
        pages: list[PagePayload] = []
        touched = patch.touched + [page.route for page in rest]
        has_needs = False
        for page in sent:
            drawn = self._data(working_site, page)
            if drawn is None:
                touched.append(page.route)
            else:
                pages.append(drawn[0])
                has_needs |= drawn[1]
        urls = [working_site.site_files.resolver.url(route) for route in touched]
        self._channel.greet_with(self._message(problems=self._problems))
        self._channel.send(self._message(pages=pages, touched=urls, has_needs=has_needs))
        self._finish(started, paths)

    @staticmethod
    def _data(working_site: WorkingSite, page: Page) -> tuple[PagePayload, bool] | None:
        try:
            return working_site.data(page)
        except RenderError:
            return None  # reported when the whole page is rendered

    def _finish(self, started: float, paths: Collection[str]) -> None:
        self._lasted_s = time.perf_counter() - started
        self._later(self._do_rest(frozenset(paths)), _PAINT_S if self.number > 1 else _FIRST_S)

    def _message(
        self,
        *,
        problems: list[Diagnostic] | None = None,
        pages: Sequence[PagePayload] = (),
        touched: Sequence[str] = (),
        is_whole: bool = False,
        has_needs: bool = False,
    ) -> DevMessage:
        policy = (
            digest(self.working_site.policy, *self.working_site.site_files.look.head)
            if self.working_site is not None
            else ""
        )
        return DevMessage(
            session=self._session,
            number=self.number,
            policy=policy,
            problems=problems,
            failure=self._failure,
            pages=list(pages),
            touched=list(touched),
            is_whole=is_whole,
            has_needs=has_needs,
            styles=self.working_site.site_files.look.styles if self.working_site is not None else [],
        )

    # Background work

    def _do_rest(self, paths: Collection[str]) -> Iterator[None]:
        """Render the remaining pages, look for problems, and update search."""
        yield
        working_site = self.working_site
        if working_site is None or self._failure:
            self._report(self._problems, is_last=True)
            return
        yield from self._library.settle()
        is_much = len(working_site.jobs) - len(working_site.records) > _MOST_AT_ONCE
        if is_much:
            self._report(self._known_problems(working_site, paths), is_last=False)
            yield
            # Before a thousand pages are rendered, which takes three times as long as compiling and indexing them.
            yield from self._library.complete_all()
            yield from self._update_search(working_site)
        yield from working_site.render_rest()
        yield from self._library.complete_all()
        if working_site.failures and self.restart_engines():
            self._later(self._do_rest(paths), 0)
            return
        self._report(self._all_problems(working_site), is_last=True)
        yield
        yield from self._update_search(working_site)
        if self._inputs is not None and self._inputs.components is not None:
            self._inputs.components.prepare_spare()
        if self._is_littered:
            self._is_littered = False
            yield
            settle_memory()

    def _update_search(self, working_site: WorkingSite) -> Iterator[None]:
        yield from self._search.update(working_site.site_files.site, working_site.site_files.resolver, self._library)

    def _all_problems(self, working_site: WorkingSite) -> list[Diagnostic]:
        lines = SourceLines(self._site_dir, working_site.site_files.site.pages)
        self._between = list(working_site.findings(lines))
        return self._complete([*self._own_problems(working_site), *self._between], working_site, lines)

    def _known_problems(self, working_site: WorkingSite, paths: Collection[str]) -> list[Diagnostic]:
        """Collect the findings that are known before all pages are rendered: those of documents, and earlier ones."""
        left = [problem for problem in self._between if problem.span.path not in paths]
        lines = SourceLines(self._site_dir, working_site.site_files.site.pages)
        return self._complete([*self._own_problems(working_site), *left], working_site, lines)

    def _own_problems(self, working_site: WorkingSite) -> Iterator[Diagnostic]:
        if self._inputs is not None:
            yield from list_problems(self._inputs, self._library, working_site.site_files.site)

    @staticmethod
    def _complete(problems: list[Diagnostic], working_site: WorkingSite, lines: SourceLines) -> list[Diagnostic]:
        return complete_findings(problems, working_site.site_files.site.config, lines)

    def _report(self, problems: list[Diagnostic], *, is_last: bool) -> None:
        """Report the findings if they have changed."""
        if problems != self._problems or self._failure != self._told_failure:
            self._problems, self._told_failure = problems, self._failure
            message = self._message(problems=problems)
            self._channel.greet_with(message)
            self._channel.send(message)
        if is_last:
            self._tell(problems, self._failure, self._lasted_s)
