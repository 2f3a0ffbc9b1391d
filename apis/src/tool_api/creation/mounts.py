"""Which folders of this machine a server may be given."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from tool_api.errors import FieldError
from tool_api.store import ServerSpec


@dataclass(frozen=True, slots=True)
class MountPolicy:
    """Limits mounts to some folders, or not at all."""

    folders: tuple[Path, ...] = ()
    """Folders that may be mounted, with all that is in them; real paths."""

    is_limited: bool = False

    def apply(self, spec: ServerSpec) -> ServerSpec:
        """Check the mounts of a server, and replace symbolic links by what was checked.

        Raises:
            FieldError: A folder may not be mounted.
        """
        if not self.is_limited:
            return spec
        mounts = tuple(replace(mount, source=str(self._checked(mount.source))) for mount in spec.mounts)
        return replace(spec, mounts=mounts)

    def _checked(self, source: str) -> Path:
        found = Path(source).resolve()
        if not any(found == folder or folder in found.parents for folder in self.folders):
            raise FieldError("volumes", f"{source} may not be mounted; {self._reason}")
        return found

    @property
    def _reason(self) -> str:
        if self.folders:
            return f"this API was started for mounts inside {', '.join(map(str, self.folders))}"
        return (
            "this API runs as root and asks its callers for nothing: start it with --mount-root FOLDER, or with "
            "--token-file or --socket"
        )


def policy_for(*, is_root: bool, has_guard: bool, executes: bool, folders: Iterable[Path]) -> MountPolicy:
    """Choose the policy of an API.

    Args:
        is_root: It runs as root, so a mount could open any file of this machine to its callers.
        has_guard: Its callers need a token, or the rights of a socket's group.
        executes: Servers run for real; simulated ones mount nothing.
        folders: Folders named at the start; where there are any, no other folder may be mounted.
    """
    named = tuple(folder.resolve() for folder in folders)
    return MountPolicy(named, is_limited=bool(named) or (is_root and executes and not has_guard))
