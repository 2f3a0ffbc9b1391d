"""Whether another process still runs."""

from __future__ import annotations

import ctypes
import os
import sys

_QUERY_LIMITED_INFORMATION = 0x1000
_STILL_ACTIVE = 259
_ACCESS_DENIED = 5


def is_running(pid: str) -> bool:
    """Return whether another process of this machine runs; False for what is not a process id, and for this process."""
    if not pid.isdigit() or int(pid) == os.getpid():
        return False
    return _is_running_on_windows(int(pid)) if sys.platform == "win32" else _is_running_on_posix(int(pid))


def _is_running_on_posix(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def _is_running_on_windows(pid: int) -> bool:
    """Ask for the exit code. `os.kill` would end the process there, whatever the signal."""
    kernel = ctypes.WinDLL("kernel32", use_last_error=True)  # type: ignore[attr-defined,unused-ignore]
    handle = kernel.OpenProcess(_QUERY_LIMITED_INFORMATION, False, pid)
    if not handle:
        return bool(ctypes.get_last_error() == _ACCESS_DENIED)  # type: ignore[attr-defined,unused-ignore]
    try:
        code = ctypes.c_ulong()
        return bool(kernel.GetExitCodeProcess(handle, ctypes.byref(code))) and code.value == _STILL_ACTIVE
    finally:
        kernel.CloseHandle(handle)
