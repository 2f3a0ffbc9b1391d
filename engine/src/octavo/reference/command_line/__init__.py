"""Command-line references: descriptions of commands in, pages out."""

from __future__ import annotations

from octavo.reference.command_line.click_app import read_application
from octavo.reference.command_line.help import collect_help, parse_help
from octavo.reference.command_line.model import NAME, OPTION_NAME, Argument, Command, CommandTree, Option
from octavo.reference.command_line.page import CommandPage, compile_command, make_command_page
from octavo.reference.command_line.read import check_commands, read_commands
from octavo.reference.command_line.write import write_commands

__all__ = [
    "NAME",
    "OPTION_NAME",
    "Argument",
    "Command",
    "CommandPage",
    "CommandTree",
    "Option",
    "check_commands",
    "collect_help",
    "compile_command",
    "make_command_page",
    "parse_help",
    "read_application",
    "read_commands",
    "write_commands",
]
