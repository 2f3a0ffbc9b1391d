"""VitePress and VuePress: what their pages have beside Markdown."""

from __future__ import annotations

from octavo.content.translate.vue.templates import translate_vue
from octavo.content.translate.vue.vuepress import translate_vuepress

__all__ = ["translate_vue", "translate_vuepress"]
