"""Templates of Vue and Astro, written as JSX. Nothing is run."""

from __future__ import annotations

import pytest

from octavo.importing.components.astro import as_react as astro_as_react
from octavo.importing.components.unusable import UnusableError
from octavo.importing.components.vue import as_react as vue_as_react
from tests.support.each import each

SCRIPT = """<script setup>
import Own from './Own.vue'
import MyPart from './My.vue'
const many = [1]
const a = 1
const t = ref(1)
</script>
"""


def drawn(text: str) -> str:
    """Give what a module returns."""
    return text.partition("\nreturn (<>")[2].rpartition("</>);")[0]


def of_vue(template: str) -> str:
    return drawn(vue_as_react(f"{SCRIPT}<template>{template}</template>").text)


@each(
    "template, jsx",
    [
        ('<p v-if="a">x</p>', "{($u(a)) ? (<><p>x</p></>) : null}"),
        ('<p v-if="a">x</p> <p v-else-if="b">y</p>', "{($u(a)) ? (<><p>x</p></>) : ($p.b) ? (<><p>y</p></>) : null}"),
        ('<p v-if="a">x</p>\n<!-- c --><p v-else>z</p>', "{($u(a)) ? (<><p>x</p></>) : (<><p>z</p></>)}"),
        ('<p v-if="a">x</p><p v-if="b">y</p>', "{($u(a)) ? (<><p>x</p></>) : null}{($p.b) ? (<><p>y</p></>) : null}"),
        ('<p v-if="a">x</p>, z', "{($u(a)) ? (<><p>x</p></>) : null}, z"),
        (
            '<li v-for="(one, i) in many" :key="i">{{ one }} {{ i }}</li>',
            '{each($u(many)).map(([one, i], $k) => <Fragment key={$k}><li>{shown( one )}{" "}{shown( i )}</li></Fragment>)}',
        ),
        ('<a :href="to" class="k" :class="{ on: a }" />', '<a href={$p.to} className={classOf("k", { on: $u(a) })} />'),
        ('<p style="top: 0" :style="s" />', '<p style={styleOf("top: 0", $p.s)} />'),
        ('<p v-show="a" />', '<p style={styleOf(($u(a)) ? null : { display: "none" })} />'),
        (
            '<b @click.prevent="go" />',
            "<b onClick={($event) => { $event?.preventDefault?.(); $p.go($event); }} />",
        ),
        ('<b v-on:click="go" v-bind:title="a" />', "<b onClick={($event) => { $p.go($event); }} title={$u(a)} />"),
        ('<input v-model="t" value="1">', "<input value={t.value ?? ''} onChange={($event) => { t.value = $event.target.value; }} />"),
        (
            '<input type="checkbox" v-model="c" checked>',
            '<input type={"checkbox"} checked={!!$p.c} onChange={($event) => { $p.c = $event.target.checked; }} />',
        ),
        (
            '<input type="radio" value="r" v-model="d">',
            '<input type={"radio"} value={"r"} checked={$p.d === "r"} onChange={() => { $p.d = "r"; }} />',
        ),
        ('<Own v-model="t" some-name="1" flag />', '<Own modelValue={t.value} someName={"1"} flag={""} />'),
        ('<p hidden title="" data-a="&lt;" />', '<p hidden title={""} data-a={"<"} />'),
        ('<img alt="" src="a.png"><a download />', '<img alt={""} src={"a.png"} /><a download />'),
        ("<slot>d</slot>", "<>{$given.children ?? (<>d</>)}</>"),
        ('<slot name="foot-er"/>', "<>{$given.$slot_foot_er}</>"),
        ('<slot name="default" />', "<>{$given.children}</>"),
        ("<Own><template #head>h</template><template v-slot:default>d</template></Own>", "<Own $slot_head={<><>h</></>}><>d</></Own>"),
        ('<p v-html="h">x</p>', "<p dangerouslySetInnerHTML={{ __html: shown($p.h) }} />"),
        ('<p v-text="t"/>', "<p children={shown(t.value)} />"),
        ('<b v-bind="all" v-once ref="r" key="k"/>', "<b {...$p.all} />"),
        ('<RouterLink to="/x">l</RouterLink>', '<a href={"/x"}>l</a>'),
        ('<component :is="k">c</component>', "<$Dynamic is={$p.k}>c</$Dynamic>"),
        ("<my-part/><other-part/>", "<MyPart /><other-part />"),
        ("a < b {{ 1 }}<!-- gone -->c", 'a < b{" "}{shown( 1 )}c'),
    ],
)  # fmt: skip
def test_template_of_vue_is_jsx(template: str, jsx: str) -> None:
    assert of_vue(template) == jsx


def test_components_that_lie_beside_one_of_vue_are_imported() -> None:
    text = vue_as_react(f"{SCRIPT}<template><Own /><Beside /><Other.Part /></template><style>p {{}}</style>")
    assert 'import Beside from "./Beside.vue";' in text.text
    assert 'import Own from "./Own.vue"' not in text.text
    assert text.has_style
    assert not vue_as_react(f"{SCRIPT}<template><p /></template>").has_style


@each(
    "text, reason",
    [
        ("<template><p>a</b></p></template>", "its elements are crossed"),
        ("<template><p></template>", "<p> is never closed"),
        ('<template><p v-for="x">a</p></template>', "its v-for cannot be read"),
        ("<template><p v-pre>a</p></template>", "it uses v-pre"),
        ("<template><style>x</style></template>", "it uses <style>"),
        ('<template><p :[x]="1">a</p></template>', "the name of an attribute is computed"),
        ('<template><p><template #a="{ x }">a</template></p></template>', "it hands values to a slot"),
        ('<template><p a="x></p></template>', "an attribute of <p> cannot be read"),
        ("<p>x</p>", "it has no template"),
        ('<template lang="pug">p x</template>', "its template is written in another language"),
        ("<script setup>const x = await f()</script><template><p/></template>", "it waits for something"),
    ],
)
def test_component_of_vue_that_cannot_be_written_says_why(text: str, reason: str) -> None:
    with pytest.raises(UnusableError, match=reason.replace("[", r"\[")):
        vue_as_react(text)


@each(
    "template, jsx",
    [
        ('<p class="k" class:list={["a", { b: a }]}>t</p>', '<p className={clsx("k", ["a", { b: a }])}>t</p>'),
        ("<p class:list={a} />", "<p className={clsx(a)} />"),
        ("<p {a} {...Astro.props} on:click={f} client:load />", "<p a={a} {...Astro.props} />"),
        ('<p set:html={a} /><p set:html="<b>" />', '<p dangerouslySetInnerHTML={{ __html: a }} /><p dangerouslySetInnerHTML={{ __html: "<b>" }} />'),
        ('<p set:text="t"/>', '<p children="t" />'),
        ("<Fragment set:html={a}/>", "<span dangerouslySetInnerHTML={{ __html: a }} />"),
        ("<Fragment key={a}>x</Fragment><>y</>", "<Fragment key={a}>x</Fragment><>y</>"),
        ("<slot /><slot>d</slot>", "<>{$given.children}</><>{$given.children ?? (<>d</>)}</>"),
        ('<slot name="x" />', "<>{null}</>"),
        ("{a && <p>x</p>}", "{a && <p>x</p>}"),
        ("{list.map((one) => <li>{one}</li><b/>)}", "{list.map((one) => <><li>{one}</li><b /></>)}"),
        ("{a < b}{/* c */ a}{`x${<b>c</b>}`}", "{a < b}{/* c */ a}{`x${<b>c</b>}`}"),
        ("<!doctype html><!-- c --><br><img src=a.png alt=`t${a}`>", '<br /><img src="a.png" alt={`t${a}`} />'),
        ("<label for=x tabindex=1 />", '<label htmlFor="x" tabIndex="1" />'),
        ("a > b }\n c", '{"a"} > b'.replace('{"a"} > b', 'a {">"} b {"}"} c')),
        (
            '<lite-youtube videoid="abc" playlabel="T" />',
            '<iframe src={`https://www.youtube-nocookie.com/embed/${"abc"}`} title="T" style={{ aspectRatio: "16 / 9", border: 0, width: "100%" }} loading="lazy" allowFullScreen />',
        ),
        ("<p style={{ color: a }} />", "<p style={{ color: a }} />"),
        ('<p style="color: &quot;a&quot;" />', '<p style={$styleOf("color: \\"a\\"")} />'),
        ("<p style={`color: ${a}`} />", "<p style={$styleOf(`color: ${a}`)} />"),
        ("<p style={a} />", "<p style={$styleOf(a)} />"),
        ("<Own style={a} />", "<Own style={a} />"),
        ("<p style />", "<p />"),
    ],
)  # fmt: skip
def test_template_of_astro_is_jsx(template: str, jsx: str) -> None:
    assert drawn(astro_as_react(template).text) == jsx


def test_what_is_left_out_of_a_component_of_astro_is_told() -> None:
    found = astro_as_react("<style>p {}</style><script>x()</script><p>{Astro.url}</p>")
    assert (found.has_style, found.has_script, found.asks_page) == (True, True, True)
    found = astro_as_react('<script type="application/ld+json">{}</script><p>y</p>')
    assert (found.has_style, found.has_script, found.asks_page) == (False, False, False)


@each(
    "text, reason",
    [
        ("<p>a</b>", "its elements are crossed"),
        ("<p>", "<p> is never closed"),
        ("{a", "are never closed"),
        ("{`a", "a text in backticks is never closed"),
        ('<p onclick="x()">y</p>', "it runs a script in the browser"),
        ("<p hidden>y</p><script>x()</script>", "it runs a script in the browser"),
        ('<p style="display: none">y</p><script>x()</script>', "it runs a script in the browser"),
        ("<lite-youtube />", "it runs a script in the browser"),
        ("{await fetch(a)}", "it waits for something"),
    ],
)
def test_component_of_astro_that_cannot_be_written_says_why(text: str, reason: str) -> None:
    with pytest.raises(UnusableError, match=reason):
        astro_as_react(text)
