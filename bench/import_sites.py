"""Import public sites of other engines, build them, and measure what is lost.

Fetches each site as plain files at a fixed commit, by git over HTTPS, into a folder of its own; nothing of them is kept
in this repository, and no test runs this.

    python -m bench.import_sites WORK [NAME…]

WORK holds the checkouts; one that is there already is used as it is. Prints one line a site: published or not, pages
built of those that the site has, words of the sources that are in no page and under no finding, pages that show raw
syntax without a finding, seconds of the import and of the build.

Three shares of pages are printed, each a part of the one before: `clean` (nothing is lost or shown raw without a finding), `whole`
(and there is no finding about a construct either), `strict` (and no mark of any source language is seen in the text). Only
the last says that a page is as its author left it; a mistake of the author counts against it as well.
"""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from bench.import_words import shown_words, words_in

HOST = "https://github.com"


class Site(NamedTuple):
    """A public repository."""

    repository: str
    commit: str
    folder: str = "."
    """The folder that is imported."""


SITES = {
    "prettier": Site("prettier/prettier", "4f84a934201322ca87750e2b9b25baf296da6560"),
    "lingui": Site("lingui/js-lingui", "39cff09baa6007b2d49745e5a642da178f923322"),
    "redux-toolkit": Site("reduxjs/redux-toolkit", "74200d87c27ca2b1c0915b2fbb4c44dd7494c2aa"),
    "capacitor": Site("ionic-team/capacitor-docs", "b5f9b9aed2f30b99baf5c8d856a929edb71a5b03"),
    "stylelint": Site("stylelint/stylelint.io", "bf17d2cb82a25b6c94488e861911acfa93d7bc48"),
    "jest": Site("jestjs/jest", "52db46e50404c993d3f10dd1481e861cc04ae22e"),
    "trpc": Site("trpc/trpc", "340811ba5320637fbaf48fccf3dbfdd258bd34db"),
    "httpx": Site("encode/httpx", "ae1b9f66238f75ced3ced5e4485408435de10768"),
    "starlette": Site("encode/starlette", "cb8f84f5284dc301ca7a31eb732b9e140769dd48"),
    "mkdocs": Site("mkdocs/mkdocs", "2862536793b3c67d9d83c33e0dd6d50a791928f8"),
    "typer": Site("fastapi/typer", "9a7b2e83f6b62c750d6026b0de9ebf2026a8b8fa"),
    "textual": Site("Textualize/textual", "1d99508b928a771b51e1a527319c6b87dcff9e05"),
    "pinia": Site("vuejs/pinia", "254eec764ecccd120ab9dbc31352d76ffd6ecfa3"),
    "vitest": Site("vitest-dev/vitest", "c3ba16b35847d27fb9f01f38cdcb047c77e121f8"),
    "starlight": Site("withastro/starlight", "3999be7cc18b41095d61e3b63d68ff3e6c6c050b"),
    "biome": Site("biomejs/website", "830c2a8d641c6c34ca551ff703dab758694c75e1"),
    "mdbook": Site("rust-lang/mdBook", "641d06abe7d10d981ed61dd2711a30e4119666cd"),
    "rust-by-example": Site("rust-lang/rust-by-example", "898f0ac1479223d332309e0fce88d44b39927d28"),
    "docsy-example": Site("google/docsy-example", "0280eba1fb7bf53acec17e15797f005d13428ade"),
    "myst-parser": Site("executablebooks/MyST-Parser", "4ec4cf86c2ba01e0d425f801f8374effc65b71fb"),
    "redux": Site("reduxjs/redux", "3084fc33bb23ab4cab4796172eafe342da4e73d9"),
    "casbin": Site("casbin/casbin-website-v2", "0ce8e9b26f13e5014caad222db0f2a334164c9b3"),
    "typescript-eslint": Site("typescript-eslint/typescript-eslint", "56c9ed90d0aee0b5a71cfc39fc76b715b82e3ea8"),
    "mkdocs-material": Site("squidfunk/mkdocs-material", "5b36f2ac499a45905e246bc66bbee2858ef6556f"),
    "sqlmodel": Site("fastapi/sqlmodel", "a6469ef61bb903cbf7fd8749c70d8ceb8046c368"),
    "docker-mailserver": Site("docker-mailserver/docker-mailserver", "c9b015ddc869b277c16dd20ef4a70e595c72d022"),
    "tauri": Site("tauri-apps/tauri-docs", "e1c39c6ef06b936f70e977d53c60fcf329ec3702"),
    "vitepress": Site("vuejs/vitepress", "ed2bfb266ef788e86d1a73fe3cd7708a4cd5e260"),
    "slidev": Site("slidevjs/slidev", "dbc307b416d002d7d02ddb9742b9254427c5c299"),
    "rust-book": Site("rust-lang/book", "917544888a55e4da7109bdba8c88c893c0da70f4"),
    "grpc": Site("grpc/grpc.io", "028a1d2a6d59daea0e496b3e68789bb60fa69f4a"),
    "etcd": Site("etcd-io/website", "824597935df6e95992ef61c07e3222f4f796ca6c"),
    "hugo-book": Site("alex-shpak/hugo-book", "162c806e991b63d8a8bbfcd1c8d41ad650ebd07e"),
    "hextra": Site("imfing/hextra", "a3dc81e0195923aa8d138ea5493b38f43a56dfe3"),
    "sphinx-book-theme": Site("executablebooks/sphinx-book-theme", "055af058303995447ee3ada036e9c88d701f51e5"),
    "z2jh": Site("jupyterhub/zero-to-jupyterhub-k8s", "48ea50e34daddde55d76e30df6ecd47e4abd4d8e"),
    "wails": Site("wailsapp/wails", "f38ae268344700a3f48dd1e95b716f2059f7269e", "docs"),
    "rustc-dev-guide": Site("rust-lang/rustc-dev-guide", "2cbf04342b4611800be07d4942db42be824cd899"),
    "vueuse": Site("vueuse/vueuse", "1354e69588f601f721ce2b5e4328d7c3214a0c7e"),
    "zensical": Site("zensical/docs", "2e15611d695bd3bdc2d18509ffc5926c0b8c4dda"),
    "flux": Site("fluxcd/website", "6da0f383c3348b92f94ae5a90c4d2b59ec0144e8"),
    "pip-tools": Site("jazzband/pip-tools", "c58d5d945c0f20e9713e10f5fea2491a5c984f39"),
    "thanos": Site("thanos-io/thanos", "e103a81bd5943697394afcb4fb592b6ffa806c30", "docs"),
    "knative": Site("knative/docs", "de125bfad88b6f8f5ff037866a5436d64051898f"),
    "astro-docs": Site("withastro/docs", "741c1b89ba13cf9b4ac4087ef09dc269e113fa77"),
    "nerdctl": Site("containerd/nerdctl", "8da504083f1543446a003f5870dec1bc12a75b85", "docs"),
    "lexical": Site("facebook/lexical", "5d5102235132888d15789bf76cf214ede2a98d62", "packages/lexical-website"),
    "typeorm": Site("typeorm/typeorm", "281bfba42a5813b106bcf5ba79bc7f7251bd1e73", "docs"),
    "excalidraw": Site("excalidraw/excalidraw", "4872083c044491b6d5c96ae134a75464f96d6831", "dev-docs"),
    "uv": Site("astral-sh/uv", "26a9dd4b2125bc271b47855e1fa0c49af3365db5"),
    "argo-cd": Site("argoproj/argo-cd", "37ee0097cf851bc2dd7665fc081bbce61a7e836e"),
    "goreleaser": Site("goreleaser/goreleaser", "cd616d2c080b205bfe0833396e6f2d208253095e", "www"),
    "sst": Site("sst/sst", "08fa0a622a873d2ccd7ff70e4a36b7b72994b2c2", "www"),
    "expressive-code": Site("expressive-code/expressive-code", "a77ac26e8d1a70cec580e8e64ff172fc13b9f665", "docs"),
    "tutorialkit": Site("stackblitz/tutorialkit", "80cb118647a45cc0dcef1f8018ebc0eef845c8eb", "docs"),
    "mise": Site("jdx/mise", "70e94a1f89fa27f3bbc2b933c6891a124f5ef04c", "docs"),
    "rolldown": Site("rolldown/rolldown", "12b5cd0d3b9931fe64e40ea2ff5fa68b4daded44", "docs"),
    "elysia": Site("elysiajs/documentation", "5bd87ebbbab565d7ef24e8e600aeac44ab7bd085"),
    "cargo": Site("rust-lang/cargo", "af373f761aa4e42b093c2e453078fd73c8ce54dd", "doc"),
    "reference": Site("rust-lang/reference", "3b38834b39f732c64686f7c64aa29dcf3cd83ba5"),
    "kubeflow": Site("kubeflow/website", "476e4c1080e00cc08bb76b3a52b28014a8aa9477"),
    "falco": Site("falcosecurity/falco-website", "c47da4cbdcc014c44ddbefc26b4aab97431bb1b4"),
    "jupyterhub": Site("jupyterhub/jupyterhub", "2841153db6c1c25d8b50955e2f4b39f78f3d0119", "docs"),
    "jupyterlab": Site("jupyterlab/jupyterlab", "6ef5a17ad831be80c3e63911b77fa9f8acfcbf50", "docs"),
    "2i2c": Site("2i2c-org/infrastructure", "9ad7cd0fc3502161a038b0e99302556098018199", "docs"),
    "nextra": Site("shuding/nextra", "a54da393f4b7cb413bf7f874c1b3847e23bc874d", "docs"),
    "yoga": Site("dotansimha/graphql-yoga", "a03c6e7667621c68efd8a61792ab27f4f6cf5f2c", "website"),
    "swr": Site("vercel/swr-site", "d2557b11f30299569a729a81bed7ac86f9fc635b"),
    "mintlify": Site("mintlify/docs", "3bbce7aa1abf66b19671bc398b9752d608fd0826"),
    "just-the-docs": Site("just-the-docs/just-the-docs", "b28a6550bb5e913ad7c5180559f4a29c35f44087"),
    "brew": Site("Homebrew/brew", "aad366ffaf6a8c94c66d35e4b990d42ac4195305", "docs"),
    "jekyll": Site("jekyll/jekyll", "202df571314ba1d18e9fccd81d12aaad4a703c38", "docs"),
    "packaging.python.org": Site("pypa/packaging.python.org", "ab4994857826246587d993862fd4097e36568080"),
    "flask": Site("pallets/flask", "2ac89889f4cc330eabd50f295dcef02828522c69"),
    "requests": Site("psf/requests", "1f6589ec3a1ee910f9a65cc3ceac60b26677bc0e"),
    "attrs": Site("python-attrs/attrs", "c1dc5dcba16ed827aa6dcad896b41a3afedb4e32"),
    "pip": Site("pypa/pip", "6d309205789d368b2749d93fd6193d584811efd5"),
    "urllib3": Site("urllib3/urllib3", "6a8536b6e1b0cbe69ae801337c599951e527ae29"),
    "pydata-sphinx-theme": Site("pydata/pydata-sphinx-theme", "fe3f573a7cb63f70686c77e0d671dcd95144cc71"),
    "pytest": Site("pytest-dev/pytest", "df87db7b0462fb764ef73fa00561adf8ad047572"),
    "sphinx": Site("sphinx-doc/sphinx", "e44a40eb2f810558ccd9da1425421270ccb81351"),
    "cibuildwheel": Site("pypa/cibuildwheel", "8832cf6b75594121646ec4e32692cc0ea3899f83"),
    "external-dns": Site("kubernetes-sigs/external-dns", "2bf1bf8af2b70f23579f9147c1f7e9394f7f83d5"),
    "mkdocs-static-i18n": Site("ultrabug/mkdocs-static-i18n", "a82145850eedc3ff52e80cbead236d4eea16568f"),
    "narwhals": Site("narwhals-dev/narwhals", "7880b36c45051dd6dea3c1b878bdc2f913d8efec"),
    "async-book": Site("rust-lang/async-book", "5905b1b57ceaa847ddd359560d38e3981aec359c"),
    "lighthouse": Site("sigp/lighthouse", "2e0eb6d1b8705bbda2ba56eb195d9cc7c6575e95", "book"),
    "cairo-book": Site("cairo-book/cairo-book", "f535de7c7f096181ca5c773c4ae6f3573886c058"),
    "devguide": Site("python/devguide", "0d5fbc08982dcc4ef2057ea7919e986465b44182"),
    "pybind11": Site("pybind/pybind11", "22bf5b6ed4487e11d10a474d0b32081626bbb78a", "docs"),
    "nix.dev": Site("NixOS/nix.dev", "924b7607dc7a48210aefa9a3f01a1e4a0c262e72"),
    "celery": Site("celery/celery", "5dc781f0bd5f36186bfcc74e0a4f9f654452c69b", "docs"),
    "hugoDocs": Site("gohugoio/hugoDocs", "1c613349f4220ae84070df25979d720c43e5cfa6"),
    "tinygo": Site("tinygo-org/tinygo-site", "b10ae6d5dac645ea80ee8a166250bc3a33b3986a"),
    "dapr": Site("dapr/docs", "0748da594aae03529034fd4aa1d10d96199df0c1", "daprdocs"),
    "harbor": Site("goharbor/website", "9f010ab1c800e0353c3df96a0b23725294bd10ab"),
    "minikube": Site("kubernetes/minikube", "eb25dbc703701fa38c3f65c89a1896baa375e5ed", "site"),
    "pmd": Site("pmd/pmd", "cd096e90e4ed2e61f4109466d21a1eaab09721eb", "docs"),
    "swift.org": Site("swiftlang/swift-org-website", "cc9c66d57a4046eae3a826a5436336b2c2ddcdb7"),
    "rubygems": Site("rubygems/guides", "a5b54b55311833c3371f90be28def0bebc7a1c6c"),
    "crystal-book": Site("crystal-lang/crystal-book", "d8691369aaa964b730b7bad345bdcec104fcddec"),
    "crossplane": Site("crossplane/docs", "56a4808efd1640ac39aa851c8adf17bacb6283c3"),
    "ingress-nginx": Site("kubernetes/ingress-nginx", "dbb11b92ddb77bee9c35e462479129354c84f939"),
    "psycopg": Site("psycopg/psycopg", "c079c37c959a89a8684a3d3858cbaff7e5543e71"),
    "tekton": Site("tektoncd/website", "93d2ef3c6e7ed62b23ab0c972f10a6c2d7325f2c"),
    "ansible-lint": Site("ansible/ansible-lint", "262624cd0ab22a4221293216856c59671ce7aa5e"),
    "lerna": Site("lerna/lerna", "35d15a1567932be97759f512d8b8033dad72b411", "website"),
    "flathub": Site("flathub-infra/documentation", "d823c64a1a076884e6c6cef80ea3815778c572c5"),
    "testing-library": Site("testing-library/testing-library-docs", "1f5508a6e89b98f2a00d2c4b6ee25652de5d0391"),
    "rollup": Site("rollup/rollup", "89bda2cd8e9def2ea037e7dbffaf392ce9f1ddcb", "docs"),
    "hoppscotch": Site("hoppscotch/docs", "97f922080b91990744c57ebbfad9bbb6b85d515f"),
    "xyflow": Site("xyflow/web", "7157f6ec97e6cca4ede6617463a822faf6e44ec3", "sites/reactflow.dev"),
    "delta": Site("delta-io/delta", "bb1057f4367f555b01e299fd1690d85aafc0ac4c", "docs"),
    "documenso": Site("documenso/documenso", "75330166cc00b29c14399bc2e391e4b4d8080c00", "apps/docs"),
    "spicetify": Site("spicetify/docs", "d38162a3de28a8c0042e9a6b85432647d63d5394"),
    "electron": Site("electron/website", "a48e1042b7560648715b6761ec4a1dcbe0694d74"),
    "mermaid": Site("mermaid-js/mermaid", "df032c942c32f805a7f4cd1cf30a565e610bc4f1", "packages/mermaid/src/docs"),
    "module-federation": Site("module-federation/core", "08fdc4dfbf4d5498638f7fa7bc2c772fcae4d066", "apps/website-new"),
    "rsbuild": Site("web-infra-dev/rsbuild", "64c8af5b931a14e61aaa3fe8679bf8500de04066", "website"),
    "rslib": Site("web-infra-dev/rslib", "431665e6aade91ed589a9ebfe31d2f9d8dda6f67", "website"),
    "e2b": Site("e2b-dev/docs", "d940a4e846ffc91bc9676f6d4b7acc684544ebf7"),
    "pdfme": Site("pdfme/pdfme", "27d3ab1c22225cc6f715caeb1ec8f708e278b6b9", "website"),
    "openfeature": Site("open-feature/openfeature.dev", "a15ac12cd7997adf235bfd485ad5dc45d42cd701"),
    "opennext": Site("opennextjs/docs", "9adf5a2382139ba1e57d7787068e1f8ad4b78866"),
    "blocknote": Site("TypeCellOS/BlockNote", "4998d23dd22d1aa5792d2ce3ed81be1265eea51b", "docs"),
    "reka": Site("unovue/reka-ui", "b4f42238e388f3fd65198825bcc545905473f1ea", "docs"),
    "almalinux": Site("AlmaLinux/wiki", "555643fe91f4ace56c945b3b16fbca3e2b54b20a"),
    "studiocms": Site("withstudiocms/docs", "425961129e9500c399ee127c8ea4e47ccb40efd8"),
    "kyverno": Site("kyverno/website", "7c0814a5ca77662ea9aaa33c6ee7434865409c07"),
    "koishi": Site("koishijs/docs", "1762722143c3cb277cc2359cfbcf43945f29920e"),
    "rstest": Site("web-infra-dev/rstest", "8a2dd9d5e1b719155b6577c7e502ba96f9e11328", "website"),
    "orama": Site("oramasearch/docs", "5adefb435f5d207437e5b92a322c21c2dc9a8981"),
    "browserbase": Site("browserbase/docs", "732aedf4db462f8e1bcd4ee725fdaa8d917d6fcc"),
    "flow": Site("facebook/flow", "a77cd163bd5461c991c7cd2e59f634d86b783e80", "website"),
    "vue-test-utils": Site("vuejs/vue-test-utils", "9627a809a177ef9798ca66a669891c73fc740d8d", "docs"),
    "victory": Site("FormidableLabs/victory", "4aafb3d4839110c261a07f8dd10e52ce57716c33", "website"),
    "bruno": Site("usebruno/bruno-docs", "2a26d2e1eb2a67b3d738133a4a6f33b81fee0fac"),
    "alova": Site("alovajs/alovajs.github.io", "cb550169a036a7e8138238cfa790e1a169cac74d"),
    "mailcow": Site("mailcow/mailcow-dockerized-docs", "380f81eefa0928c157b6a9676ccf6e59530fe160"),
    "pyo3": Site("PyO3/pyo3", "34f08c32dec2a3170fbe2e177910352489678816"),
    "pdm": Site("pdm-project/pdm", "a7e9d0015b4d5ca5d1b0c558582f9bf41b2fdf54"),
    "buildpacks": Site("buildpacks/docs", "ecb61a89319fe306657a4f350f3be6542520bad7"),
    "notary": Site("notaryproject/notaryproject.dev", "0158b76c0eda55c4d4653a3c43c33cbc57ca837b"),
    "borg": Site("borgbackup/borg", "fc74d5f643d17d5341e303cd5ed4ddeb425660f0"),
    "pyinfra": Site("pyinfra-dev/pyinfra", "ed67e7482808d1fc40291307e62faf558db9c8a3"),
    "setuptools": Site("pypa/setuptools", "7d531288b7c8708d4cc186213da93eaf5d11833d"),
    "openfaas": Site("openfaas/docs", "eac50c7cbd5e6fb63f253c865007dfab42a42956"),
    "kind": Site("kubernetes-sigs/kind", "fed268827e21ca48a74c38215c316dd343364ef5"),
    "bindgen": Site("rust-lang/rust-bindgen", "2048231f45c87cd65d7891f55090aac81cc0d66b"),
    "debug-toolbar": Site("jazzband/django-debug-toolbar", "a21604a23c5dd649b94cfee09a2596744e1c1f04"),
    "twine": Site("pypa/twine", "f536ac5d0c77a24a997854328e64644f576b4992"),
    "zellij": Site("zellij-org/zellij-org.github.io", "049a2b3639363137007d0d8b6cb0671a60ca5892"),
    "kysely": Site("kysely-org/kysely", "478ec67b2de2568f5590a015d3e120644e81bd87", "site"),
    "immer": Site("immerjs/immer", "061c2425e1c9dff89e4e4189d42af1b7839dfe0a", "website"),
    "bsky": Site("bluesky-social/bsky-docs", "390c1e97084f59df2180b4850d539012baa8b0fa"),
    "kubeedge": Site("kubeedge/website", "fd5ba0c55308a06182cdfc8b65047dff7fd36085"),
    "ratatui": Site("ratatui/ratatui-website", "0d0b90c48cb8cbb64f1b4719e436d0ebe08fb77f"),
    "inox": Site("Fryuni/inox-tools", "77141acbb133121092c68b9ea1980daa51101337", "docs"),
    "fsd": Site("feature-sliced/documentation", "5e4c6f10c9a4abb50303e3013631839fdb1e3744"),
    "dokploy": Site("Dokploy/website", "b6c0ab8ae111dc5e330b7c188df06cac489ee3a4", "apps/docs"),
    "codehike": Site("code-hike/codehike", "90b89705d7cb36ce4c0da034dc84dd35e414f1ef", "apps/web"),
    "traceloop": Site("traceloop/docs", "196cabcdf9ffff27d973c95a07d58a73b021bc39"),
    "agentops": Site("AgentOps-AI/agentops", "a855a92dfaa7fd4423f9a68b1ba0295a3a72da80", "docs"),
    "rspress": Site("web-infra-dev/rspress", "c4e94041c71057e8dbd4e1f22b08dcab1684186b", "website"),
    "feathers": Site("feathersjs/feathers", "09519fb1c454ea718747a09797bc6dfd3b6a79a3", "docs"),
    "histoire": Site("histoire-dev/histoire", "607e09e87a278ede3c5ce2f733c21c5f8e1545f9", "docs"),
    "lucide": Site("lucide-icons/lucide", "33a44aa8b0b43d9b0ed14eb08860a1b5550a1573", "docs"),
    "pgop": Site("zalando/postgres-operator", "a7aaad0a0b9517bb46077f2925eb80ae8ebe1a0c"),
    "k0s": Site("k0sproject/k0s", "dff90cee9a6e8e22c6d0f3efef0f9a77fc223be4"),
    "macros": Site("fralau/mkdocs-macros-plugin", "f4f5bb01e28f50e4f0ba697362b1973ae6d4b25d", "webdoc"),
    "hedgedoc": Site("hedgedoc/hedgedoc", "d706c2b2adc9c066125d08936b9f416ba911ef4e", "docs"),
    "salsa": Site("salsa-rs/salsa", "546bc5d3ae8d348d6e068a6c455d35a213c790f9"),
    "fuzz": Site("rust-fuzz/book", "42d56ba477652c020673db6535294066b01f52ae"),
    "linkace": Site("Kovah/LinkAce-Docs", "80ad7f2bbf497b8ab01be29f4895d4ae57958cde"),
    "datasette": Site("simonw/datasette", "481df7ff6d78a8ccf919984d27f27201b081bd53"),
    "llm": Site("simonw/llm", "f3f4f29c6e5e623c3776cbf6455dda2345638214"),
    "wagtail": Site("wagtail/wagtail", "c2ae43b9265d085c95142cd1a1f8563ad2eb4de9", "docs"),
    "rouge": Site("rouge-ruby/rouge", "c2d22eb2c5320076ae06c022ab4287057f0cb40b"),
    "nuximage": Site("nuxt/image", "bcdd8ed74390707c5de104f958421d5c74935310", "docs"),
    "nuxi18n": Site("nuxt-modules/i18n", "3ab46e9a9c7f78c23db2a87a671fd659f5949c61", "docs"),
    "tabi": Site("welpo/tabi", "abfd890f05957543bab49dc51f0293f986b45fb1"),
    "eleventy": Site("11ty/11ty-website", "d85ca0a424fb3d1de4e8a4ace14e4ebb4a5f6883"),
    "obsidian": Site("obsidianmd/obsidian-help", "fa179e91e86eaff5859226cc045c81000d64e3cd", "en"),
    "sveltekit": Site("sveltejs/kit", "aa810a04146b98b77592f7b384347140d29ff599", "documentation"),
    "honkit": Site("honkit/honkit", "8ff3f5ea20d4bdc1914f945cf75beb931d079d55", "docs"),
    "hydra": Site("facebookresearch/hydra", "2c03d1b925fe239e0b67b923699d4027685f198f", "website"),
    "verdaccio": Site("verdaccio/website", "41d37f1c41505d23a5665fe4060f43694ae59c9b", "website"),
    "tsdown": Site("rolldown/tsdown", "81d10e56e9e14362e53877ea7273e70997ba7796", "docs"),
    "keep": Site("keephq/keep", "af93f550b6498089d5e93b6dd426fc2a49498464", "docs"),
    "projdisc": Site("projectdiscovery/docs", "02ce056d7a014a974e6a11b16ebe4a444cd82123"),
    "linksval": Site("HiDeoo/starlight-links-validator", "4e8ab066b3ff6cf225d0771f633cb3e8082f54ed", "docs"),
    "pymdown": Site("facelessuser/pymdown-extensions", "6d0097b85a52468e7cd8eaceaa192ff3348c41e0"),
    "dmcg": Site("koxudaxi/datamodel-code-generator", "b1a0782d7de8cd000778c6bb05ffbeae89e387d2"),
    "martin": Site("maplibre/martin", "39ac533a33543a70590ed976f30ad47d5033abe1", "docs"),
    "numpyorg": Site("numpy/numpy.org", "94d45b53db11436078471190a77c037137ae1eda"),
    "briefcase": Site("beeware/briefcase", "0b5b31f189d3854e4935e573bf81ca5e16d1411e", "docs"),
    "nbconvert": Site("jupyter/nbconvert", "78ed30837a607deab7cf0a12dca072bf3f63417a", "docs"),
    "ark": Site("mlange-42/ark", "c503549298ba17ade53f151839bb9ae8d9bd7ea5", "docs"),
    "adidoks": Site("aaranxu/adidoks", "5c698271c460046034605b743a15196b12e32887"),
    "unstorage": Site("unjs/unstorage", "afbb66ec266e0cec613cb087b49f75bf4deaaa41", "docs"),
    "kepano": Site("kepano/kepano-obsidian", "473697347a0eaac790a6596229c741b3915f3b77"),
    "ogimage": Site("nuxt-modules/og-image", "dd04d3f25112c71b242f131f9bc4586cef780ba0", "docs"),
    "copier": Site("copier-org/copier", "3d96982c2d154f7ed698dc699810ec8df40b616a"),
    "mitmproxy": Site("mitmproxy/mitmproxy", "8fc25b3045934777b0796d8ec7958bbc257d7bb5", "docs"),
    "cockpit": Site("cockpit-project/cockpit-project.github.io", "96b0736124aeb65e9850ef07f9ec300eb8846550"),
    "scrapy": Site("scrapy/scrapy", "11079cb1c85b9e75a39a7269943c69d1a975d485"),
    "coredns": Site("coredns/coredns.io", "a1f732b5675dd794fd6538d112368c93359f6286"),
    "eslint": Site("eslint/eslint", "c27bc926e496985eb7911c09eb60914b2e4b5d0f", "docs"),
    "gateway-api": Site("kubernetes-sigs/gateway-api", "4564255ac2c35d582249b3cdf261bdf51c8bca32"),
    "spiffe": Site("spiffe/spiffe.io", "cc462ada1c54b06ec7d81c418263c1d0626c21be"),
    "powertools-ts": Site("aws-powertools/powertools-lambda-typescript", "1e5fe1b497003615377ceb8e03b4321ce6260815"),
    "fluent-bit": Site("fluent/fluent-bit-docs", "f92ae08080ee108c2d1a2969f9d7e3d3b4c35950"),
    "litestar": Site("litestar-org/litestar", "8bd57248db3fd69aeda9c1ad6250aee2dbabf2b2"),
    "18f-guides": Site("18F/guides", "debc24b34f23686194d9fe42e391859d569bd39a"),
    "pillow": Site("python-pillow/Pillow", "4e5f09f533dbd0d87d39951f48b62f4d1a421cba"),
    "opensource-guide": Site("github/opensource.guide", "ebc9678e39b55ff5e5c8801d1960904692188e90"),
    "zeromq": Site("zeromq/zeromq.org", "5890bf477a0bc52826aab76ecc4dbd55ab30bc51"),
    "poetry-site": Site("python-poetry/website", "39b7d0d465585673da5cd827fa5b2a74c3b04300"),
    "sass": Site("sass/sass-site", "7160c3ef2a456ef37e6a25a37bdb86beca6a5cf5"),
    "aws-lb": Site("kubernetes-sigs/aws-load-balancer-controller", "225f44568848eb25f13e304a5f1cc68c0cd9415d"),
    "tornado": Site("tornadoweb/tornado", "e530031405e2154654dedc4c84d5656b557ea310"),
    "nats": Site("nats-io/nats.docs", "98856081c8843d9fa238b3ea96e1f72d07f31113"),
    "scala-docs": Site("scala/docs.scala-lang", "7689a46f38261d036ef5ee5b87d9ff366af396b9"),
    "ory": Site("ory/docs", "378ce260155b907bc21f4dfd84a475adaa689c89"),
    "sequelize": Site("sequelize/website", "678e2ada0f480fe4736c450a0498f08a82a7fa96"),
    "openchoreo": Site("openchoreo/openchoreo.github.io", "47b88cd0968274198351f807e5bd9717a19b0d8e"),
    "mikro": Site("mikro-orm/mikro-orm", "a6b9730585e467720b90390a1de706e0f4b8726c", "docs"),
    "dyte": Site("dyte-io/docs", "0c38df298ad7a22be31183f7599a11b39945ede0"),
    "papermc": Site("PaperMC/docs", "9bca0c062d30157ac2bc279d19ea99e9d7178fed"),
    "slblog": Site("HiDeoo/starlight-blog", "9372411d1dbed83f8ce7d36a5e205c748ec5ca39", "docs"),
    "marten": Site("JasperFx/marten", "c921fa5dfdf7d540b5fe85d833831080c07c94d6", "docs"),
    "atlantis": Site("runatlantis/atlantis", "078d0a82081e8a2b1645268c5f5bfec578246fa9", "runatlantis.io"),
    "zizmor": Site("zizmorcore/zizmor", "11bbf7e6cffac7ccf4f803d40255e0cd54c60236"),
    "freqtrade": Site("freqtrade/freqtrade", "c9ae5e1e9ff25bb55dd61f5e5519f7c479291edb"),
    "nomicon": Site("rust-lang/nomicon", "cc6a6bae8c3bfa389974e533c54694662c1a9de6"),
    "keda": Site("kedacore/keda-docs", "a55c5d345e2cbd9923ab4936f1cabc2a17e9abac"),
    "jaeger": Site("jaegertracing/documentation", "d9251ffa7b4b1891ce81cb6cf395b81cbde8255e"),
    "trio": Site("python-trio/trio", "60d0c2f84854ec6ef74995663dcdce3296840485", "docs/source"),
    "mystnb": Site("executablebooks/MyST-NB", "1affb26e89ea61ea31218e53cc3f4eba04caf265", "docs"),
    "pipecat": Site("pipecat-ai/docs", "1393c9d76927eaef55dd3d872ae51e37ace8f92e"),
    "graph": Site("graphprotocol/docs", "e4626479e2be28dfb632e9e22b91d77698affacc", "website"),
    "kubevela": Site("kubevela/kubevela.io", "0f169199c0ef57921f708a2d542ffeaee6e92558"),
    "longhorn": Site("longhorn/website", "0f622500d3b8233f6f160932851f7189e3f8ba0e"),
    "kcp": Site("kcp-dev/kcp", "dac74f5955f1d4c703e87dd5cfecbc9a0a514643", "docs"),
    "d3": Site("d3/d3", "66bfe8c6672873293e1f83253e6fbb1508633826", "docs"),
    "sloapi": Site("HiDeoo/starlight-openapi", "ea0a772be3ae99aae73de13ae51e1363afab284c", "docs"),
    "embook": Site("rust-embedded/book", "0789b0f29e73ecb91213cac10ad0eec1b9333770"),
    "crewai": Site("crewAIInc/crewAI", "f4731f5025f861c78e3af0487cc80bf5e7c64782", "docs"),
    "furo": Site("pradyunsg/furo", "4e7a7e0308bfdfef84db3bb3759278c431ebd97f", "docs"),
    "astro-embed": Site("delucis/astro-embed", "55dfdc1ac3ce7340dd046969a50be38eec9c7f10", "docs"),
    "hacs": Site("hacs/documentation", "2ad025b4b603fba3098feefb998b729cd1aa5248"),
    "hatch": Site("pypa/hatch", "ed8e30bebf98f2fe4d70c18a32a50a8160c391cb"),
    "unocss": Site("unocss/unocss", "a441ef4d8b14a20c0b3551383ae1b1e96940c0d2", "docs"),
    "faker": Site("faker-js/faker", "e3858f221bb3b6e1278933c0b8e0d98da6854e52", "docs"),
    "wasm-bindgen": Site("rustwasm/wasm-bindgen", "c35cc9369d5e0dc418986f7811a0dd702fb33ef9", "guide"),
    "cluster-api": Site("kubernetes-sigs/cluster-api", "ae7ff047db499ac3858ade268ba38db8c9f128bb", "docs/book"),
    "redwoodsdk": Site("redwoodjs/sdk", "617286b12a034cf5bdc3adea640013674ccc191a", "docs"),
    "gitbutler": Site("gitbutlerapp/gitbutler-docs", "1bd5fce0d4ab2ab4f6d70a1b300ca260bfe82df4"),
    "opencost": Site("opencost/opencost-website", "6bdcb9e70f4d598ce5d8787599e1d55f8f2195ca"),
    "lightweight-charts": Site("tradingview/lightweight-charts", "871d2dd42d989f41aeecbfb05f19b14e0d825fce", "website"),
    "arktype": Site("arktypeio/arktype", "03b1f015d9b7c5af5dac2caed1aeedefaf705ab3", "ark/docs"),
    "mattermost": Site(
        "mattermost/mattermost-developer-documentation", "a259f36912d099868bd20ebc76d74687831c7ecc", "site"
    ),
    "kueue": Site("kubernetes-sigs/kueue", "ff69552e79ad21652c36caa97038382e55625cf7", "site"),
    "webdriverio": Site("webdriverio/webdriverio", "514d1ea03df245adc0a2c193f74476738210f041", "website"),
    "great-expectations": Site(
        "great-expectations/great_expectations", "ce78204d6d659caf676ccdcaec0a3184bb95445f", "docs/docusaurus"
    ),
    "tolgee": Site("tolgee/documentation", "e8ba4ead15d3a3b0149cf59721b544997884c164"),
    "starlight-versions": Site("HiDeoo/starlight-versions", "30766141971f36aa278b9f81f2fef9102a7cba7a", "docs"),
    "spacebar": Site("spacebarchat/docs", "075b1f452fc3a5db913319fe150983e17094d775"),
    "zebra": Site("ZcashFoundation/zebra", "1c9b2450349b53232e2787bef62dd0e21b10e041", "book"),
    "ente": Site("ente-io/ente", "a621d733154a834f23754e7e874de769be532d9d", "docs"),
    "fleet": Site("rancher/fleet-docs", "5b7da0f8b5d19a28d90eeaec98a94c7b763eaea3"),
    "detox": Site("wix/Detox", "48ba4b52a78dd984f10ba2b3d263cb1f7f536f82", "website"),
    "stately": Site("statelyai/docs", "993051e048e1e7d2cae16032eafa44bd515f4293"),
    "vector": Site("vectordotdev/vector", "c3445d42d2799eb9afe102b71cba7ae96a80942b", "website"),
}

_PLACES = re.compile(r"(?:used|imported|included|shown) (?:at|by|in) (\S+?\.mdx?)\b")
"""Pages that a finding in another file names."""
_TAG = re.compile(r"<(\w+)[\s/>]")
_PARTIAL = re.compile(r"""^import\s+(\w+)\s+from\s+["'][^"'\n]+\.mdx?["']""", re.MULTILINE)
_STUB = re.compile(r'"<(\w+)>" is a stub')
_OF_SITES = frozenset(
    [
        "broken-anchor",
        "broken-asset",
        "broken-link",
        "duplicate-anchor",
        "duplicate-id",
        "duplicate-route",
        "empty-heading",
        "empty-link",
        "external-link",
        "front-matter-key",
        "heading-order",
        "highlight-range",
        "image-content",
        "large-file",
        "link-space",
        "long-address",
        "malformed-address",
        "missing-alt",
        "second-title",
        "sidebar",
        "sidebar-membership",
        "similar-address",
        "style-sheet",
        "table-cells",
        "themed-image",
        "translation-suffix",
        "unknown-admonition",
        "unknown-language",
        "unknown-scheme",
        "unportable-address",
        "unset-url",
        "unused-content",
        "unused-file",
        "unused-footnote",
        "unused-redirect",
    ]
)
"""Kinds of findings about mistakes of the site, which lose no construct of its engine."""
_LINES_TOLD = frozenset(["table-cells", "unused-footnote"])
"""Kinds of findings about mistakes of the site that say of a line that its words are left out."""
_CODE = re.compile(r"<(pre|code|script|style)\b.*?</\1>|(?<=<figcaption>)[^<>]*(?=</figcaption><pre\b)", re.DOTALL)
"""Code, and the name of its file."""
_IN_CODE = re.compile(
    r"^(?P<indent>[ \t>]*)(?P<fence>`{3,}|~{3,})[^\n]*\n.*?^(?P=indent)(?P=fence)[`~]*[ \t]*$|`[^`\n]+`",
    re.DOTALL | re.MULTILINE,
)
"""Code of a source: what it names is no component that the page uses."""
_RAW = re.compile(
    r"(?:^|\n)[ \t]*(?:!!! \w|\?\?\? \w|=== \"|/// \w|:::\s*\w|import \w[^\n]* from ['\"])|\{\{[<%#]|\{%[^\n]*%\}|--8<--|(?<![\w.<])</?[A-Z][a-z][A-Za-z]*[ />]"
    # What is left of reStructuredText: directives and targets, roles, text between bars, paragraphs that end in two colons, links.
    r"|(?:^|\n)[ \t]*\.\. (?:[a-z][\w:.+-]*::|_[^\n:]+:)|(?<!\w):[a-z][\w:.+-]*:`|(?<![\w|])\|[A-Za-z][\w .-]*\|_{0,2}(?![\w|])|\w::[ \t]*(?:\n|$)|`[^`\n<>]+<[^<>\n]+>`_|`[^`\n]+`_(?!\w)"
)

_ELEMENTS = (
    "a|abbr|article|audio|b|blockquote|br|button|center|cite|code|col|dd|del|details|div|dl|dt|em|figcaption|figure|font|footer|h[1-6]|header|hr|i|iframe|img"
    "|input|kbd|li|link|main|mark|nav|ol|p|picture|pre|s|script|section|small|source|span|strong|style|sub|summary|sup|svg|table|tbody|td|template|th|thead"
    "|tr|u|ul|video"
)
_SHOWN = re.compile(
    r"\{\{.{0,60}|\{%.{0,60}|\{:.{0,60}|\{[#.][A-Za-z][\w-]*[^\n{}]{0,40}\}|\{![^\n]{0,40}|\[[^\]\n]+\]\([^)\n]*\)|(?<![\w\])])\[[^\]\n]+\]\[[^\]\n]*\]"
    r"|\[\^[^\]\s]+\]|\*\*\w[^\n*]*\*\*|--8<--.{0,40}|<!--.{0,40}|\[TOC\]|\[!\w+\]|::: ?\w.{0,40}|(?<![\w/:]):[a-z][a-z_]+[a-z0-9_-]*:(?![\w:])"
    rf"|(?<![\w.<])</?(?:{_ELEMENTS}|[A-Z][a-z][A-Za-z]+)(?:\s[^<>\n]*)?/?>|&(?:[a-z]+|#\d+);"
    r"|(?:^|\n)[ \t]*(?:!!!|\?\?\?|~~~|```|///|=== \"|#{1,6} ).{0,60}"
)
"""Marks of any of the source languages; wider than `_RAW`, and so with some that a text may have by right."""


def fetch(site: Site, target: Path) -> Path:
    """Bring a repository at its commit."""
    if not target.exists():
        part = target.with_name(f"{target.name}.part")
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        for command in (
            ["init", "-q"],
            ["fetch", "-q", "--depth", "1", f"{HOST}/{site.repository}.git", site.commit],
            ["checkout", "-q", "FETCH_HEAD"],
        ):
            subprocess.run(["git", "-C", str(part), *command], check=True)
        part.rename(target)
    return target / site.folder


def measure(folder: Path) -> dict[str, object]:
    """Import and build a site, and compare what its pages say with its sources."""
    octavo = [sys.executable, "-m", "octavo"]
    started = time.perf_counter()
    done = subprocess.run(
        [*octavo, "import", str(folder), "--force", "--json"], capture_output=True, text=True, check=False
    )
    imported = time.perf_counter() - started
    if done.returncode:
        return {"published": False, "error": done.stderr.strip()[-300:]}
    report = json.loads(done.stdout)
    site = Path(report["site"])
    # Beside the site: a plain folder is its own source, and would publish what was built before.
    # Nor above it: the documents of a site may lie in folders above its configuration.
    out = Path(tempfile.gettempdir()) / "octavo-bench" / f"{folder.parent.name}-{folder.name}"
    shutil.rmtree(out, ignore_errors=True)
    started = time.perf_counter()
    done = subprocess.run(
        [*octavo, "build", str(site), "--out", str(out), "--no-search", "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    built = time.perf_counter() - started
    if done.returncode:
        return {"published": False, "error": (done.stderr or done.stdout).strip()[-300:]}
    return {
        "published": True,
        "engine": report["engine"],
        **audit(site, out, json.loads(done.stdout)["findings"]),
        "import_s": round(imported, 1),
        "build_s": round(built, 1),
    }


def audit(site: Path, out: Path, findings: list[dict[str, Any]]) -> dict[str, object]:
    """Count pages, words that are in no page, and pages that show raw syntax.

    A page is clean if it is built, and no word is lost and no raw syntax shown without a finding about a construct; whole
    if it has no such finding either; and strict if its text shows no mark of a source language.
    """
    kinds: dict[str, set[str]] = {}
    told: dict[str, list[int]] = {}
    for finding in findings:
        if finding["code"] in _LINES_TOLD:
            told.setdefault(finding["span"]["path"], []).append(finding["span"]["line"])
        if finding["code"] not in _OF_SITES:
            for path in (finding["span"]["path"], *_PLACES.findall(finding["message"])):
                kinds.setdefault(path, set()).add(finding["code"])
    names = [match[1] for one in findings if (match := _STUB.match(one["message"]))]
    stubs = frozenset(names)
    pages = list(pages_of(site))
    is_liquid = (
        re.search('"(?:jekyll|eleventy|macros)"', (site / "octavo.toml").read_text(encoding="utf-8")) is not None
    )
    missing_pages, lost, silent, raw = [], 0, Counter[str](), []
    clean, whole = 0, 0
    words = 0
    unclean: dict[str, list[str]] = {}
    not_strict: dict[str, list[str]] = {}
    for path, route in pages:
        file = out / route.strip("/") if route.endswith(".html") else out / route.strip("/") / "index.html"
        if not file.is_file():
            missing_pages.append(path)
            not_strict[path] = ["(not built)"]
            continue
        text = file.read_text(encoding="utf-8")
        article = (
            re.search(r"<article\b.*</article>", text, re.DOTALL)
            or re.search(r"<main\b.*</main>", text, re.DOTALL)
            or [text]
        )[0]
        shown = shown_words(text)
        source = (site / path).read_text(encoding="utf-8", errors="replace")
        # A page may have a Markdown file of its own under the name of a stub.
        if stubs & frozenset(_TAG.findall(_IN_CODE.sub("", source))) - frozenset(_PARTIAL.findall(source)):
            kinds.setdefault(path, set()).add("stub-component")
        wanted = words_in(path, source, is_liquid=is_liquid)
        words += wanted.total()
        gone = {word: count for word, count in wanted.items() if word not in shown}
        lost += sum(gone.values())
        prose = _CODE.sub(" ", article)
        shown_text = html.unescape(re.sub(r"<(?!/?[A-Z])[^>]*>", "", prose))
        # Text between bars is a mark of reStructuredText only; elsewhere it may be types of a program.
        is_raw = any(path.endswith(".rst") or match[0][0] != "|" for match in _RAW.finditer(shown_text))
        marks = _SHOWN.findall(html.unescape(re.sub(r"<[^>]*>", "", prose)))
        if marks or gone or is_raw or path in kinds:
            not_strict[path] = [*sorted(kinds.get(path, ())), *(mark.strip() for mark in marks[:4]), *list(gone)[:8]]
        if path in told:
            lines = source.split("\n")
            said = words_in(path, "\n".join(lines[line - 1] for line in told[path]))
            gone = {word: count for word, count in gone.items() if word not in said}
        if path not in kinds:
            silent.update(gone)
            if is_raw:
                raw.append(path)
            if gone or is_raw:
                unclean[path] = [*(["(raw)"] if is_raw else []), *gone]
            clean += not gone and not is_raw
            whole += not gone and not is_raw
        else:
            clean += 1
    return {
        "pages": len(pages),
        "built": len(pages) - len(missing_pages),
        "clean": f"{100 * clean / max(len(pages), 1):.1f}",
        "whole": f"{100 * whole / max(len(pages), 1):.1f}",
        "strict": f"{100 * (1 - len(not_strict) / max(len(pages), 1)):.1f}",
        "missing": missing_pages[:5],
        "words": words,
        "lost": lost,
        "lost_in_silence": silent.total(),
        "lost_words": [word for word, _ in silent.most_common(12)],
        "raw_in_silence": len(raw),
        "raw": raw[:5],
        "unclean": dict(list(unclean.items())[:20]),
        "not_strict": not_strict,
        "kinds": dict(Counter(kind for found in kinds.values() for kind in found).most_common()),
        "pages_with_findings": len(kinds),
    }


def pages_of(site: Path) -> Iterator[tuple[str, str]]:
    """List the pages of an imported site: (source, route)."""
    from octavo.config import load_config
    from octavo.documents import Compiler, Library, gather_sources
    from octavo.runtime import Cache, say_nothing
    from octavo.site import assemble_site

    config = load_config(site)
    sources = gather_sources(site, config, site / ".octavo-bench-cache")
    library = Library(site, Cache(site / ".octavo-bench-cache/documents"))
    library.build(
        sources.all, Compiler.of(site, config, sources.descriptions), report=say_nothing, prepare=lambda _: None
    )
    for page in assemble_site(config, sources.all, library.summaries, site_dir=site, history={}).pages:
        if page.source is not None and page.source.data is None:
            yield page.source.path, page.route


def main() -> None:
    """Measure the sites that are named, or all."""
    work = Path(sys.argv[1])
    for name in sys.argv[2:] or SITES:
        found = measure(fetch(SITES[name], work / name))
        (work / f"{name}.json").write_text(json.dumps(found, ensure_ascii=False, indent=1), encoding="utf-8")
        found.pop("not_strict", None)
        print(json.dumps({"site": name, **found}, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()
