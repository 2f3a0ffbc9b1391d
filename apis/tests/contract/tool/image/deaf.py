"""A program of somebody's own that neither reads its standard input nor ends when it is asked to."""

import signal


def run() -> None:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    while True:
        signal.pause()
