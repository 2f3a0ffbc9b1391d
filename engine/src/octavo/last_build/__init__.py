"""What the last build has left, and whether a build would make the same again.

`find_same` tells it by the times, sizes and inodes of files alone, without reading the site: what a build is made of lies
in the site's folder, in files outside of it that the settings name, in Git's, in the environment and in the engine's own files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from octavo.last_build.file_states import (
    KEPT_NAMES,
    NO_STATES,
    SEARCH_FOLDER,
    FileState,
    FolderStates,
    knows_no_case,
    load_states,
    note_states,
    remove_files,
    restore_folder,
    save_states,
    states_name,
    verified_state,
)
from octavo.last_build.inputs import CannotTellError, FileLooks
from octavo.last_build.mounts import is_one_mount
from octavo.last_build.named import watched_outside
from octavo.last_build.record import Asked, Comparison, Result, find_same, forget_result, keep_result, look_at_inputs
from octavo.lazy import export_lazily

if TYPE_CHECKING:
    from octavo.last_build.linking import LinkedFolder
else:
    # To see that nothing has changed, a build does without further processes.
    __getattr__ = export_lazily(__name__, {"linking": ("LinkedFolder",)})

__all__ = [
    "KEPT_NAMES",
    "NO_STATES",
    "SEARCH_FOLDER",
    "Asked",
    "CannotTellError",
    "Comparison",
    "FileLooks",
    "FileState",
    "FolderStates",
    "LinkedFolder",
    "Result",
    "find_same",
    "forget_result",
    "is_one_mount",
    "keep_result",
    "knows_no_case",
    "load_states",
    "look_at_inputs",
    "note_states",
    "remove_files",
    "restore_folder",
    "save_states",
    "states_name",
    "verified_state",
    "watched_outside",
]
