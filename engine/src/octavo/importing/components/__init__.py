"""Components of the old site that only place their properties and their content are taken over as Markdown, others in React as they are."""

from __future__ import annotations

from octavo.importing.components.data_loaders import pages_of
from octavo.importing.components.modules import module_of
from octavo.importing.components.paths import Paths
from octavo.importing.components.programs import CODE, Program, copy_program, is_copy, with_digest
from octavo.importing.components.sources import ComponentSources
from octavo.importing.components.statements import component_in, definition_of, statements_of
from octavo.importing.components.templates import TooComplexError, read_component
from octavo.importing.components.trial import try_programs
from octavo.importing.components.unusable import UnusableError

__all__ = [
    "CODE",
    "ComponentSources",
    "Paths",
    "Program",
    "TooComplexError",
    "UnusableError",
    "component_in",
    "copy_program",
    "definition_of",
    "is_copy",
    "module_of",
    "pages_of",
    "read_component",
    "statements_of",
    "try_programs",
    "with_digest",
]
