"""From `[theme]` to a style sheet, and what is found about colors that cannot be read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pygments.styles import get_all_styles

from octavo.colors import READABLE, contrast, nearest_readable
from octavo.config import Config, parse_config
from octavo.errors import ConfigError
from octavo.look import Look, make_look
from octavo.look.presets import PRESETS
from octavo.look.tokens import COLORS
from tests.support.each import each
from tests.support.paths import ENGINE

_PAIR = re.compile(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", re.IGNORECASE)
_GROUNDS = ("paper", "paper-raised", "paper-hover")
THEME_STRONGER = {
    name: (light, dark)
    for name, light, dark in _PAIR.findall(
        (ENGINE / "theme" / "src" / "styles" / "tokens.css").read_text().partition("@media (prefers-contrast: more)")[2]
    )
}
"""Colors that the theme's own sheet has for readers who prefer more contrast."""
_TEXTS = ("ink", "ink-soft", "ink-faint", "heading", "accent", "rubric", "tip", "danger", "code-comment", "code-string")


def look_of(theme: str) -> Look:
    text = f'title = "Site"\n[theme]\n{theme}\n'
    return make_look(parse_config(text), text, Path())


def sheet_of(theme: str) -> str:
    return "".join(content.decode() for content in look_of(theme).files.values())


def colors_of(sheet: str, selector: str = ":root") -> dict[str, tuple[str, str]]:
    """Read the colors that a rule sets: token → (light, dark)."""
    rule = re.search(rf"^{re.escape(selector)} \{{(.*)\}}$", sheet, re.MULTILINE)
    return {name: (light, dark) for name, light, dark in _PAIR.findall(rule[1])} if rule else {}


def problems_of(theme: str) -> list[str]:
    return [f"{one.span.line}: {one.message} {one.suggestion}" for one in look_of(theme).problems]


def all_colors(sheet: str) -> dict[str, tuple[str, str]]:
    return {name: (pair.light, pair.dark) for name, pair in COLORS.items()} | colors_of(sheet)


def assert_readable(colors: dict[str, tuple[str, str]]) -> None:
    for mode in (0, 1):
        for text in _TEXTS:
            for ground in _GROUNDS:
                found = contrast(colors[text][mode], colors[ground][mode])
                assert found >= READABLE, (text, colors[text][mode], ground, colors[ground][mode])
        assert contrast(colors["on-accent"][mode], colors["accent-fill"][mode]) >= READABLE


def test_site_that_sets_nothing_has_no_style_sheet() -> None:
    assert make_look(Config(title="Site"), "", Path()) == Look()
    assert look_of('fonts = "system"') == Look()
    assert look_of('fonts = "bundled"') == Look()


def test_contrast_is_that_of_the_guidelines() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.478, abs=0.001)
    assert contrast("#ff0000", "#ffffff") == pytest.approx(3.998, abs=0.001)


@each("color", ["#ff8800", "#2a49c4", "#00ff00", "#ffff00", "#777777", "#000000", "#ffffff"])
@each("ground", ["#ffffff", "#000000", "#fdf6e3", "#282a36"])
def test_nearest_readable_color_passes_and_stays_where_it_passes_already(color: str, ground: str) -> None:
    nearest = nearest_readable(color, [ground])
    assert contrast(nearest, ground) >= READABLE
    assert (nearest == color) == (contrast(color, ground) >= READABLE)


def test_accent_gives_the_whole_scale_of_both_modes() -> None:
    colors = colors_of(sheet_of('accent = "#0a6b44"'))
    assert colors["accent"][0] == colors["accent-fill"][0] == "#0a6b44"
    assert {"accent-strong", "accent-soft", "rubric", "selection"} <= colors.keys()
    assert_readable(all_colors(sheet_of('accent = "#0a6b44"')))


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("color", ["#1d4ed8", "#9d174d", "#f59e0b", "#22c55e", "#111111", "#eeeeee"])
def test_accent_of_one_mode_gives_a_readable_one_of_the_other(mode: str, color: str) -> None:
    colors = all_colors(sheet_of(f'accent = {{ {mode} = "{color}" }}'))
    other = 1 if mode == "light" else 0
    assert min(contrast(colors["accent"][other], colors[ground][other]) for ground in _GROUNDS) >= READABLE


def test_accent_that_cannot_be_read_is_found_with_the_nearest_that_can() -> None:
    [problem] = problems_of('radius = "none"\naccent = "#ff8800"')
    assert problem == (
        '4: theme.accent is "#ff8800", with a contrast of 2.0:1 to its ground #efece5; text needs 4.5:1. '
        'The nearest color that passes is "#a65600".'
    )
    assert problems_of('accent = "#a65600"') == []


@pytest.mark.parametrize("written", ["orange", "rgb(255, 165, 0)", "oklch(0.7927 0.171 70.67)"])
def test_accent_in_another_form_of_css_is_found_at_its_line(written: str) -> None:
    [problem] = problems_of(f'radius = "none"\naccent = "{written}"')
    assert problem.startswith('4: theme.accent is "#ff')


def test_accent_of_dark_mode_is_held_to_the_dark_grounds() -> None:
    [problem] = problems_of('accent = { light = "#1d348f", dark = "#1d3490" }')
    assert problem.startswith('3: theme.accent.dark is "#1d3490", with a contrast of ')


@pytest.mark.parametrize("neutral", ["paper", "gray", "slate", "sage", "sand", "mauve", "accent"])
def test_every_neutral_tone_can_be_read(neutral: str) -> None:
    assert_readable(all_colors(sheet_of(f'neutral = "{neutral}"')))


@pytest.mark.parametrize(
    ("light", "dark"), [("#ffffff", "#000000"), ("#c8c8c8", "#4a4a4a"), ("#ffe8d0", "#001a33"), ("#d0ffd0", "#330011")]
)
def test_every_ground_can_be_read_on(light: str, dark: str) -> None:
    colors = all_colors(sheet_of(f'ground = {{ light = "{light}", dark = "{dark}" }}'))
    assert colors["paper"] == (light, dark)
    assert_readable(colors)
    assert all(colors["paper-raised"][mode] != colors["paper"][mode] for mode in (0, 1))


@pytest.mark.parametrize("bar", ["accent", "dark"])
@pytest.mark.parametrize("accent", ["#1d4ed8", "#f59e0b", "#eeeeee"])
def test_text_of_the_top_bar_can_be_read(bar: str, accent: str) -> None:
    colors = colors_of(sheet_of(f'bar = "{bar}"\naccent = "{accent}"'), ".top-bar")
    for mode in (0, 1):
        for text in ("heading", "ink-soft", "ink-faint"):
            for ground in ("paper", "paper-hover"):
                assert contrast(colors[text][mode], colors[ground][mode]) >= READABLE - (ground == "paper-hover")


def test_menus_of_a_colored_bar_have_the_colors_of_the_page() -> None:
    sheet = sheet_of('bar = "dark"')
    menu = colors_of(sheet, ".top-bar .dropdown-menu")
    assert menu == {name: (COLORS[name].light, COLORS[name].dark) for name in colors_of(sheet, ".top-bar")}


@pytest.mark.parametrize(
    ("theme", "shows_dark_logo"),
    [
        ('bar = "dark"', True),
        ('bar = "accent"\naccent = "#1d4ed8"', True),
        ('bar = "accent"\naccent = "#f59e0b"', False),
        ('bar = "plain"', False),
    ],
)
def test_logo_for_dark_grounds_is_on_a_bar_that_is_dark_in_light_mode(theme: str, shows_dark_logo: bool) -> None:
    assert (".logo.themed-light.themed-light { display: none; }" in sheet_of(theme)) is shows_dark_logo


@pytest.mark.parametrize("neutral", ["gray", "slate", "mauve"])
def test_notes_have_the_neutral_tone_of_the_site(neutral: str) -> None:
    colors = all_colors(sheet_of(f'neutral = "{neutral}"\nground = {{ light = "#ffffff", dark = "#000000" }}'))
    for mode in (0, 1):
        assert contrast(colors["note"][mode], colors["note-soft"][mode]) >= READABLE
        assert colors["note-soft"][mode] not in (colors["paper"][mode], COLORS["note-soft"][mode])
    if neutral == "gray":
        assert all(len(set(re.findall("..", color[1:]))) == 1 for color in colors["note-soft"])


def test_radius_density_and_widths_are_tokens() -> None:
    sheet = sheet_of('radius = "none"\ndensity = "compact"\nwidths = { text = "50rem", sidebar = "250px" }')
    for declaration in (
        "--radius-2: 0px;",
        "--space-4: 0.8rem;",
        "--measure: 50rem;",
        "--sidebar: 250px;",
        "--bar: 52px;",
    ):
        assert declaration in sheet
    assert "@layer content {\n.prose {" in sheet


def test_fonts_by_role() -> None:
    look = look_of(
        'fonts.headings = "slab"\nfonts.text = "inter"\n'
        'fonts.code = { family = "Own Mono", files = ["/fonts/own.woff2"], fallback = "system-mono" }'
    )
    sheet = "".join(content.decode() for content in look.files.values())
    assert "--font-headings: Rockwell, " in sheet
    assert '--font-code: "Own Mono", Consolas, ' in sheet
    assert (
        '@font-face { font-family: "Own Mono"; src: url("../../fonts/own.woff2") format("woff2"); '
        "font-weight: 100 900; font-style: normal; font-display: swap; }"
    ) in sheet
    assert [(one.shipped, one.address, one.for_code) for one in look.preloads or []] == [
        ("sans", "", False),
        ("", "fonts/own.woff2", True),
    ]


@each("style", sorted(get_all_styles()))
def test_every_style_of_pygments_can_be_read_if_contrast_is_raised(style: str) -> None:
    sheet = sheet_of(f'code = {{ light = "{style}", dark = "{style}", raises_contrast = true }}')
    ground = colors_of(sheet, "figure.code")
    for light, dark in re.findall(r" \{ color: light-dark\((#[0-9a-fA-F]{6}), (#[0-9a-fA-F]{6})\)", sheet):
        for name in ("paper-raised", "code-line", "code-added", "code-removed"):
            assert contrast(light, ground[name][0]) >= READABLE, name
            assert contrast(dark, ground[name][1]) >= READABLE, name


def test_weak_colors_of_a_style_are_found_once_each() -> None:
    problems = problems_of('code = { light = "xcode", dark = "monokai" }')
    assert problems[0] == (
        '3: theme.code.light (Name.Attribute): the style "xcode" has "#836C28", with a contrast of 3.8:1 to its ground '
        '#efdcdc; text needs 4.5:1. The nearest color that passes is "#77601a"; raises_contrast = true in [theme.code] '
        "takes it."
    )
    assert len(problems) == len(set(problems)) > 1
    assert problems_of('code = { light = "xcode", dark = "monokai", raises_contrast = true }') == []


def test_mode_without_a_code_theme_keeps_the_colors_of_the_theme() -> None:
    sheet = sheet_of('code = { dark = "monokai", raises_contrast = true }')
    assert "color: light-dark(var(--code-keyword), #" in sheet
    assert colors_of(sheet, "figure.code")["paper-raised"] == ("#f6f4ef", "#272822")


@pytest.mark.parametrize("preset", PRESETS)
def test_preset_has_no_problems_and_can_be_read(preset: str) -> None:
    assert problems_of(f'preset = "{preset}"') == []
    assert_readable(all_colors(sheet_of(f'preset = "{preset}"')))


def test_presets_differ_in_color_fonts_and_shape() -> None:
    sheets = [sheet_of(f'preset = "{preset}"') for preset in PRESETS]
    for pattern in (r"--accent: [^;]*", r"--paper: [^;]*", r"--font-text: [^;]*", r"--font-headings: [^;]*"):
        assert len({re.findall(pattern, sheet)[0] for sheet in sheets}) >= len(PRESETS) - 1, pattern


def test_setting_beside_a_preset_takes_its_place_and_leaves_the_rest() -> None:
    sheet = sheet_of('preset = "journal"\naccent = "#005f5f"\nfonts.code = "jetbrains-mono"')
    assert colors_of(sheet)["accent"][0] == "#005f5f"
    assert '--font-code: "Octavo Mono"' in sheet
    assert '--font-text: "Iowan Old Style"' in sheet


MISTAKES = {
    'accent = "rot"': 'theme.accent is "rot"; expected a color such as "#2a49c4", "teal" or "oklch(0.55 0.2 265)".',
    'ground = { dark = "#fff" }': 'theme.ground.dark is "#fff"; expected a dark color, on which light text can be read.',
    'code = { light = "monokay" }': 'theme.code.light is "monokay", which is not a style of Pygments. Did you mean "monokai"?',
    'widths = { text = "wide" }': 'theme.widths.text is "wide"; expected a length of CSS, such as "42rem".',
    "heading_weight = 50": "theme.heading_weight is 50; expected 100 to 900.",
    'radius = "big"': 'theme.radius is "big"; expected "none", "small", "medium" or "large".',
    'fonts.text = { family = "X; }", files = [] }': 'theme.fonts.text.family is "X; }"; expected the name of a font.',
    'fonts.text = { family = "X", files = ["/x.exe"] }': (
        'theme.fonts.text.files: "/x.exe" is not a font file; expected an address under the static folder, such as '
        '"/fonts/body.woff2" (woff2, woff, ttf or otf).'
    ),
}


@pytest.mark.parametrize("theme", MISTAKES)
def test_mistake_is_explained_with_its_line(theme: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_config(f'title = "Site"\n\n[theme]\n{theme}')
    assert str(caught.value) == f"octavo.toml:4: {MISTAKES[theme]}"


def _mode_sheet(sheet: str) -> str:
    """Give the rules for readers who prefer more contrast, each on a line of its own."""
    parts = re.findall(r"@media \(prefers-contrast: more\) \{(.*?\})\s*\}$", sheet, re.MULTILINE | re.DOTALL)
    return "\n".join(line.strip() for part in parts for line in part.splitlines())


def _stronger(theme: str) -> dict[str, tuple[str, str]]:
    sheet = sheet_of(theme)
    colors = all_colors(sheet)
    # What the theme's own sheet has for these readers, where the site sets nothing else.
    colors |= {name: pair for name, pair in THEME_STRONGER.items() if name not in colors_of(sheet)}
    return colors | colors_of(_mode_sheet(sheet))


@each(
    "theme",
    [
        *(f'preset = "{preset}"' for preset in PRESETS),
        *(f'accent = "{accent}"' for accent in ("#ff8800", "#1d4ed8", "#eeeeee", "#111111", "#808080")),
        *(f'neutral = "{neutral}"' for neutral in ("gray", "slate", "mauve")),
        'ground = { light = "#c8c8c8", dark = "#4a4a4a" }',
        'ground = { light = "#d0ffd0", dark = "#330011" }',
    ],
)
def test_readers_who_prefer_more_contrast_have_it(theme: str) -> None:
    colors = _stronger(theme)
    for mode in (0, 1):
        for text in ("ink", "ink-soft", "ink-faint", "heading", "accent", "rubric", "tip", "danger", "accent-strong"):
            for ground in ("paper", "paper-raised"):
                assert contrast(colors[text][mode], colors[ground][mode]) >= 7, (text, colors[text], colors[ground])
        for text in ("code-ink", "code-keyword", "code-string", "code-number", "code-name", "code-type"):
            for ground in ("paper-raised", "code-line", "code-added", "code-removed"):
                assert contrast(colors[text][mode], colors[ground][mode]) >= 7, (text, colors[text], colors[ground])
        assert contrast(colors["on-accent"][mode], colors["accent-fill"][mode]) >= 7
        assert contrast(colors["note"][mode], colors["note-soft"][mode]) >= 7


@each("style", sorted(get_all_styles()))
def test_readers_who_prefer_more_contrast_have_it_in_code_of_every_style(style: str) -> None:
    sheet = sheet_of(f'code = {{ light = "{style}", dark = "{style}" }}')
    stronger = _mode_sheet(sheet)
    tokens = colors_of(sheet, "figure.code") | colors_of(stronger, "figure.code")
    rules = re.compile(
        r"^figure\.code :is\((.*?)\) \{ color: light-dark\((#[0-9a-fA-F]{6}), (#[0-9a-fA-F]{6})\)", re.MULTILINE
    )
    colors = {"ink": tokens["code-ink"], "comment": tokens["code-comment"]}
    for part in (sheet.partition("@media (prefers-contrast")[0], stronger):
        colors |= {name: (light, dark) for names, light, dark in rules.findall(part) for name in names.split(", ")}
    grounds = ("paper-raised", "code-line", "code-added", "code-removed")
    for name, pair in colors.items():
        for mode in (0, 1):
            best = max(min(contrast(one, tokens[ground][mode]) for ground in grounds) for one in ("#000000", "#ffffff"))
            least = min(contrast(pair[mode], tokens[ground][mode]) for ground in grounds)
            assert least >= min(7, best), (name, pair[mode])
    for mode in (0, 1):
        assert contrast(tokens["ink-faint"][mode], tokens["paper-raised"][mode]) >= 7


def test_mode_without_a_code_theme_has_more_contrast_too() -> None:
    """The tokens of a block are set on it, so that those of the page for these readers do not reach it."""
    tokens = colors_of(_mode_sheet(sheet_of('code = { dark = "monokai" }')), "figure.code")
    assert contrast(tokens["ink-faint"][0], COLORS["paper-raised"].light) >= 7
    assert contrast(tokens["code-comment"][0], COLORS["paper-raised"].light) >= 7
