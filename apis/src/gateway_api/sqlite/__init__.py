"""What SQLite needs beside its own locks and its own log, so that a job does not keep others waiting."""

from gateway_api.sqlite.checkpoints import KEPT_LOG_BYTES, LONGEST_LOG, Checkpoints
from gateway_api.sqlite.files import HOW_TO_NAME, prepare_file, take_from_others
from gateway_api.sqlite.turnstile import Turnstile

__all__ = [
    "HOW_TO_NAME",
    "KEPT_LOG_BYTES",
    "LONGEST_LOG",
    "Checkpoints",
    "Turnstile",
    "prepare_file",
    "take_from_others",
]
