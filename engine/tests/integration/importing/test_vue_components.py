"""Components of Vue are taken over: written as components of React, tried on their pages, alive where they react."""

from __future__ import annotations

from pathlib import Path

from octavo.importing import import_site
from octavo.publish import build_site

from .sites import text_of, write

CONFIG = 'export default { title: "Kite", themeConfig: { shop: { name: "Silk & Co" } } };\n'
CHOICE = """<script setup lang="ts">
import { computed, ref, onMounted } from "vue";
import { useData } from "vitepress";
import VPLink from "vitepress/dist/client/theme-default/components/VPLink.vue";
import { Icon } from "@iconify/vue";
import Price from "./Price.vue";

interface Choice { name: string; href?: string; tags?: string[] }
const props = withDefaults(defineProps<{ choices: Choice[]; baseText?: string }>(), { baseText: "Kites:" });
const { theme } = useData();
const open = ref(false);
const count = computed(() => props.choices.length);
const state = ref({ seen: 0 });
function toggle(by: number) { open.value = !open.value; state.value.seen += by; }
onMounted(() => { open.value = true; });
</script>

<template>
  <!-- left out -->
  <div class="box" :class="[{ wide: count > 1, closed: !open }, `of-${count}`]" :style="{ '--columns': Math.min(count, 3) }">
    <p v-if="count === 0">None.</p>
    <p v-else-if="count > 5">Many.</p>
    <p v-else>{{ baseText }} {{ count }} at {{ theme.shop.name }}</p>
    <ul>
      <li v-for="({ name, href, tags }, index) in choices" :key="name">
        <VPLink :href><Icon v-if="href" icon="x:y" />{{ index + 1 }}. {{ name.toUpperCase() }}</VPLink>
        <template v-if="tags"><b v-for="tag of tags">{{ tag }}</b></template>
      </li>
    </ul>
    <button v-show="true" @click="toggle(2)">{{ open ? "Close" : `Open ${count + 1}` }}, seen {{ state.seen }}</button>
    <input v-model="state.seen" disabled>
    <Price :amount="3"><template #unit>guilders</template>each</Price>
    <slot>Nothing inside.</slot>
  </div>
</template>

<style scoped>.box { color: red; }</style>
"""
PRICE = """<template><span>{{ label }} <i v-for="n in amount">{{ n }}</i> <slot name="unit" /> <slot /></span></template>
<script>
export default {
  name: "Price",
  props: { amount: { type: Number, default: 1 }, sign: { default: "€" } },
  data() { return { word: "from" }; },
  computed: { label() { return `${this.word} ${this.sign}${this.amount}`; } },
  methods: { again() { this.word = "again"; } },
};
</script>
"""
PLAYER = '<script setup>\nimport "media-kit/player";\n</script>\n<template><media-player src="x" /></template>\n'


def test_components_of_vue_are_taken_over(tmp_path: Path) -> None:
    site_dir = write(
        tmp_path / "site",
        {
            ".vitepress/config.mts": CONFIG,
            ".vitepress/theme/index.ts": "import Choice from './components/Choice.vue';\nimport Player from './components/Player.vue';\n",
            ".vitepress/theme/components/Choice.vue": CHOICE,
            ".vitepress/theme/components/Price.vue": PRICE,
            ".vitepress/theme/components/Player.vue": PLAYER,
            "index.md": """# Kite

<Choice base-text="All:" :choices="[
  { name: 'Dragon', href: './dragon', tags: ['red', 'long'] },
  { name: 'Box' },
]">

It **flies**.

</Choice>

<Player>

A film.

</Player>
""",
        },
    )
    done = import_site(site_dir)
    assert [(one.what.partition(" ")[0], "media-kit/player" in one.remedy) for one in done.report.items] == [
        ('"<Player>"', True)
    ]
    build_site(site_dir, tmp_path / "out", has_search=False)
    html = (tmp_path / "out/index.html").read_text(encoding="utf-8")
    shown = text_of(html[html.index("<article") : html.index("</article>")])
    assert "All: 2 at Silk &amp; Co" in shown
    assert "1 . DRAGON red long" in shown
    assert "2 . BOX" in shown
    assert "Open 3 , seen 0" in shown
    assert "from €3 1 2 3 guilders each" in shown
    assert "It flies ." in shown
    assert "Nothing inside." not in shown
    assert 'class="box wide closed of-2"' in html
    assert "--columns:2" in html
    assert 'data-client="visible"' in html
    assert "A film." in shown


def test_what_a_component_of_vue_computes_from_its_text_keeps_it_a_stub(tmp_path: Path) -> None:
    label = '<script setup>\nimport { useSlots } from "vue";\nconst text = `${useSlots().default()[0].children}!`;\n</script>\n<template><b>{{ text }}</b></template>\n'
    site_dir = write(
        tmp_path,
        {
            ".vitepress/config.mts": CONFIG,
            "components/Label.vue": label,
            "components/Later.vue": "<script setup>\nconst a = await fetch('/x');\n</script>\n<template>{{ a }}</template>\n",
            "index.md": "# Kite\n\n<Label>Kept</Label> and <Later>kept too</Later>\n",
        },
    )
    items = import_site(site_dir).report.items
    assert ["reads the text" in one.remedy or "waits for" in one.remedy for one in items] == [True, True]


def test_a_template_that_is_cut_off_keeps_its_component_a_stub(tmp_path: Path) -> None:
    cut = "<template><b>Wind</b </template>\n"
    site_dir = write(
        tmp_path,
        {".vitepress/config.mts": CONFIG, "components/Cut.vue": cut, "index.md": "# Kite\n\n<Cut>Kept</Cut>\n"},
    )
    assert ["</b> has no end" in one.remedy for one in import_site(site_dir).report.items] == [True]


def test_components_of_the_old_theme_that_a_page_imports_itself_are_drawn(tmp_path: Path) -> None:
    site_dir = write(
        tmp_path / "site",
        {
            ".vitepress/config.mts": CONFIG,
            "team.md": """---
layout: page
---
<script setup>
import { VPTeamPage, VPTeamPageTitle, VPTeamMembers as Members } from 'vitepress/theme'

const crew = [
  { name: 'Ada', title: 'Reel & line', links: [{ icon: 'github', link: 'https://github.com/ada' }] },
]
</script>

<VPTeamPage>
  <VPTeamPageTitle>
    <template #title>Our crew</template>
    <template #lead>Who holds the lines.</template>
  </VPTeamPageTitle>
  <Members size="small" :members="crew" />
</VPTeamPage>
""",
        },
    )
    done = import_site(site_dir)
    assert done.report.items == []
    build_site(site_dir, tmp_path / "out", has_search=False)
    html = (tmp_path / "out/team.html").read_text(encoding="utf-8")
    shown = text_of(html[html.index("<article") : html.index("</article>")])
    assert "Our crew" in shown
    assert "Who holds the lines." in shown
    assert "Ada Reel &amp; line github.com" in shown


def test_state_that_components_of_vue_share_and_values_of_a_page_are_drawn(tmp_path: Path) -> None:
    site_dir = write(
        tmp_path / "site",
        {
            ".vitepress/config.mts": CONFIG,
            ".vitepress/theme/store.ts": (
                "import { createGlobalState, useStorage } from '@vueuse/core';\n"
                "export const useLine = createGlobalState(() => useStorage('line', 'silk'));\n"
            ),
            "components/LineBlock.vue": (
                "<script setup lang=\"ts\">\nimport { useLine } from '../.vitepress/theme/store';\n"
                "defineProps({ line: String, list: Array });\nconst active = useLine();\n</script>\n"
                "<template><component :is=\"line ? 'div' : 'span'\" :class=\"{ off: line !== active }\">{{ active }} {{ list.length }}<slot /></component></template>\n"
            ),
            "index.md": (
                "<script setup>\nimport { ref } from 'vue'\nconst list = ref<string[]>(['a', 'b'])\n</script>\n\n# Kite\n\n"
                '<LineBlock line="hemp" :list="list">\n\nA **strong** line.\n\n</LineBlock>\n'
            ),
        },
    )
    assert import_site(site_dir).report.items == []
    problems = build_site(site_dir, tmp_path / "out", has_search=False)
    html = (tmp_path / "out/index.html").read_text(encoding="utf-8")
    shown = text_of(html[html.index("<article") : html.index("</article>")])
    assert "silk 2 A strong line." in shown
    assert "expression" not in str(problems)


def test_paths_of_typescript_above_the_site_values_of_modules_and_registered_components_are_known(
    tmp_path: Path,
) -> None:
    write(
        tmp_path,
        {
            "package.json": "{}",
            "tsconfig.json": '{"compilerOptions": {"paths": {"@theme/*": ["./docs/.vitepress/theme/*"]}}}',
            "docs/.vitepress/config.mts": CONFIG,
            "docs/.vitepress/theme/Crew.vue": (
                "<script setup lang=\"ts\">\nimport { unit } from '@theme/data/unit';\nimport Frame from '@theme/Frame.vue';\n"
                "defineProps<{ crew: { name: string }[] }>();\n</script>\n"
                '<template><Frame><VDropdown><Icon icon="x:y" /><b v-for="one in crew">{{ one.name }} {{ unit }}</b></VDropdown><Mark /></Frame></template>\n'
            ),
            "docs/.vitepress/theme/Frame.vue": "<template><section><slot /></section></template>\n",
            "docs/.vitepress/marks/Mark.vue": "<template><i>marked</i></template>\n",
            "docs/.vitepress/theme/data/unit.ts": "export const unit = 'knots';\n",
            "docs/.vitepress/theme/data/people.ts": (
                "export const people: { [key in Names]: Person } = {\n  ADA: { name: 'Ada' },\n  BO: { name: 'Bo' },\n};\n"
            ),
            "docs/index.md": (
                "<script setup lang=\"ts\">\nimport Crew from '@theme/Crew.vue';\nimport { people } from '@theme/data/people';\n"
                'const { ADA, BO: second } = people;\n</script>\n\n# Kite\n\n<Crew :crew="[ADA, second]" />\n'
            ),
        },
    )
    site_dir = tmp_path / "docs"
    assert import_site(site_dir).report.items == []
    built = build_site(site_dir, tmp_path / "out", has_search=False)
    html = (tmp_path / "out/index.html").read_text(encoding="utf-8")
    shown = text_of(html[html.index("<article") : html.index("</article>")])
    assert "Ada knots Bo knots marked" in shown
    assert [one.code for one in built.diagnostics if one.code in ("expression", "import")] == []


def test_component_with_options_and_a_setup_is_taken_over(tmp_path: Path) -> None:
    heading = (
        "<script setup lang=\"ts\">\nimport { kinds } from './kinds';\ndefineProps<{ title: string; kind: string }>();\n</script>\n"
        '<script lang="ts">\nexport default {\n  data() { return { anchor: this.title.toLowerCase() }; },\n};\n</script>\n'
        '<template><h2 :id="anchor">{{ title }} ({{ kinds[kind].title }})</h2></template>\n'
    )
    site_dir = write(
        tmp_path / "site",
        {
            ".vitepress/config.mts": CONFIG,
            "components/Heading.vue": heading,
            "components/kinds.ts": "export const kinds = { box: { title: 'Boxes' } };\n",
            "index.md": '# Kite\n\n<Heading title="Silk" kind="box" />\n',
        },
    )
    assert import_site(site_dir).report.items == []
    build_site(site_dir, tmp_path / "out", has_search=False)
    html = (tmp_path / "out/index.html").read_text(encoding="utf-8")
    assert "Silk ( Boxes )" in text_of(html[html.index("<article") : html.index("</article>")])
    assert 'id="silk"' in html


_OWN = """import DefaultTheme from "vitepress/theme";
import Icon from "../parts/Icon.vue";
import Card from "../parts/Card.vue";
import Badge from "../parts/Badge.vue";

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) { app.component("Icon", Icon).component("Card", Card); },
};
"""


def test_components_of_all_pages_are_those_of_the_site_where_ours_have_their_names(tmp_path: Path) -> None:
    """A component that cannot be taken over leaves ours in its place, and one of the engine keeps its meaning."""
    files = {
        ".vitepress/config.mjs": CONFIG,
        ".vitepress/theme/index.ts": _OWN,
        ".vitepress/parts/Icon.vue": '<script setup>defineProps(["name"])</script>\n<template><i>{{ name }} of the site</i></template>\n',
        ".vitepress/parts/Card.vue": '<script setup>import { a } from "unheard-package"; a();</script>\n<template><p>{{ a }}</p></template>\n',
        ".vitepress/parts/Badge.vue": "<template><i>Own badge</i></template>\n",
        "index.md": '# Kite\n\nFly <Icon name="Vue" /> high. <Badge text="new" />\n\n<Card title="Silk">\n\nIt **shines**.\n\n</Card>\n',
    }
    site = write(tmp_path / "site", files)
    import_site(site)
    built = build_site(site, tmp_path / "out", has_search=False)
    html = (tmp_path / "out/index.html").read_text(encoding="utf-8")
    text = text_of(html[html.index("<main") : html.rindex("</main>")])
    assert "Vue of the site" in text
    assert "Own badge" not in text
    assert "new" in text
    assert "Silk" in text
    assert "It shines" in text
    assert [one.code for one in built.diagnostics if one.code not in ("unset-url", "stub-component")] == []
