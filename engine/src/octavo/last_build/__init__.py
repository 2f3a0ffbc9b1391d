"""What the last build has left, and whether a build would make the same again.

`find_same` tells it by the times, sizes and inodes of files alone, without reading the site: what a build is made of lies
in the site's folder, in files outside of it that the settings name, in Git's, in the environment and in the engine's own files.
"""

from __future__ import annotations

from octavo.last_build.file_states import (
    KEPT_NAMES,
    NO_STATES,
    SEARCH_FOLDER,
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

__all__ = [
    "KEPT_NAMES",
    "NO_STATES",
    "SEARCH_FOLDER",
    "Asked",
    "CannotTellError",
    "Comparison",
    "FileLooks",
    "FolderStates",
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
