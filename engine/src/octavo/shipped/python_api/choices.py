"""What the settings say to the extension, and what a use of the directive chooses. Names are those of mkdocstrings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec
import yaml

from octavo.unfit import plain_mistake

IGNORED = frozenset(
    [
        "annotations_path",
        "allow_inspection",
        "backlinks",
        "docstring_options",
        "docstring_section_style",
        "extensions",
        "extra",
        "find_stubs_package",
        "force_inspection",
        "group_by_category",
        "heading",
        "line_length",
        "load_external_modules",
        "merge_init_into_class",
        "modernize_annotations",
        "overloads_only",
        "parameter_headings",
        "preload_modules",
        "relative_crossrefs",
        "scoped_crossrefs",
        "separate_signature",
        "show_attribute_values",
        "show_category_heading",
        "show_docstring_attributes",
        "show_docstring_classes",
        "show_docstring_description",
        "show_docstring_examples",
        "show_docstring_functions",
        "show_docstring_modules",
        "show_docstring_other_parameters",
        "show_docstring_parameters",
        "show_docstring_raises",
        "show_docstring_receives",
        "show_docstring_returns",
        "show_docstring_warns",
        "show_docstring_yields",
        "show_inheritance_diagram",
        "show_labels",
        "show_object_full_path",
        "show_overloads",
        "show_root_full_path",
        "show_root_members_full_path",
        "show_root_toc_entry",
        "show_signature",
        "show_signature_annotations",
        "show_signature_type_parameters",
        "show_symbol_type_heading",
        "show_symbol_type_toc",
        "signature_crossrefs",
        "skip_local_inventory",
        "stringify_annotations_in_signature",
        "summary",
        "toc_label",
        "type_parameter_headings",
        "unwrap_annotated",
    ]
)
"""Options of mkdocstrings about how things look, which have no effect here."""


class Choices(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is shown of an object."""

    members: list[str] | bool | None = None
    """Names of members, in this order; `false` for none."""
    filters: list[str] | Literal["public"] | None = None
    """Patterns of names, left out where they begin with `!`; what is public by default."""
    inherited_members: list[str] | bool = False
    private_members: list[str] | bool = False
    """Members whose names begin with an underscore: all, or those named."""
    special_members: list[str] | bool = False
    """Methods such as `__call__`, also without a docstring: all, or those named. Those with a docstring are always shown."""
    annotated_members: bool = False
    """Attributes that a class only annotates and no docstring describes, such as the fields of a dataclass."""
    exclude_members: list[str] = []
    """Names of members that are left out, at all levels."""
    reexported: bool = False
    """Names of `__all__` are shown with the module that offers them, also where another module defines them."""
    inherit_docstrings: bool = False
    """A member without a docstring has that of the member which it overrides."""
    members_order: Literal["source", "alphabetical"] = "source"
    show_root_heading: bool | None = None
    """A heading for the object itself; for all but modules by default."""
    heading_level: int = 2
    show_source: bool = False
    """The source code, folded up."""
    show_bases: bool = True
    show_submodules: bool = False
    show_if_no_docstring: bool = True
    docstring_style: Literal["auto", "google", "numpy", "sphinx"] = "auto"


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table `[extension_options.python_api]`."""

    packages: list[str] = []
    """Packages and modules, such as `acme` or `acme.client`."""
    paths: list[str] = msgspec.field(default_factory=lambda: ["../src", "..", "src", "."])
    """Folders from the site's folder in which they are looked for, in order."""
    docs: str = "api"
    """Folder of the pages, in the folder of the documents; empty for no pages, where pages use the directive."""
    markup: Literal["markdown", "rst"] | None = None
    """How docstrings are written; `rst` needs `octavo[rst]` and the extension `myst` or `rst` of `[markdown]`.

    Markdown by default, with a finding for packages that look otherwise."""
    exclude: list[str] | None = None
    """Modules that have no pages, with those below them; without it, those called `tests` and `conftest`."""
    repository: str = ""
    """Address of the folder that the packages are in, such as `https://github.com/acme/acme/blob/main/src`."""
    options: Choices = Choices()

    @property
    def patterns(self) -> list[str]:
        """Patterns of the files that are read."""
        names = [name.replace(".", "/") for name in self.packages]
        return [
            f"{folder}/{name}{end}"
            for folder in self.paths
            for name in names
            for end in (".py", ".pyi", "/**/*.py", "/**/*.pyi")
        ]


def read_settings(given: Mapping[str, Any]) -> Settings:
    """Read the settings.

    Raises:
        ValueError: they do not fit.
    """
    try:
        return msgspec.convert(dict(given), Settings)
    except msgspec.ValidationError as error:
        raise ValueError(f"[extension_options.python_api]: {plain_mistake(error)}") from error


def read_choices(around: Choices, text: str, attributes: Mapping[str, str]) -> tuple[Choices, list[str]]:
    """Read what a use of the directive chooses.

    Args:
        around: What the settings choose.
        text: Its content: YAML, with `options:` around the choices or without.
        attributes: Its attributes; lists are written with commas.

    Returns:
        (choices, what is wrong).
    """
    problems: list[str] = []
    given = _from_yaml(text, problems)
    listed = {"members", "filters", "inherited_members", "private_members", "special_members", "exclude_members"}
    switches = {"true": True, "false": False}
    for name, value in attributes.items():
        given[name] = switches.get(value, [part.strip() for part in value.split(",")]) if name in listed else value
    choices = around
    for name, value in given.items():
        if name in IGNORED:
            continue
        if name not in Choices.__struct_fields__:
            problems.append(f'"{name}" is not an option of a Python reference.')
            continue
        try:
            changed = msgspec.convert({name: value}, Choices, strict=False)
        except msgspec.ValidationError as error:
            problems.append(f"The option {plain_mistake(error)}.")
            continue
        choices = msgspec.structs.replace(choices, **{name: getattr(changed, name)})
    return choices, problems


def _from_yaml(text: str, problems: list[str]) -> dict[str, Any]:
    try:
        loaded = yaml.safe_load(text) if text.strip() else {}
    except yaml.YAMLError as error:
        problems.append(f"The options are not valid YAML: {getattr(error, 'problem', None) or 'they cannot be read'}.")
        return {}
    if not isinstance(loaded, dict):
        problems.append("The options of a Python reference are lines of the form `name: value`.")
        return {}
    inner = loaded.get("options", loaded)
    own = {key: value for key, value in loaded.items() if key not in ("options", "handler")}
    given = {**inner, **own} if isinstance(inner, dict) and inner is not loaded else own
    return {str(key): value for key, value in given.items()}
