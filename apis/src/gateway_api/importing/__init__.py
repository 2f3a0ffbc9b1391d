"""Import of files of records."""

from gateway_api.importing.examining import MOST_LINE_BYTES
from gateway_api.importing.lines import import_file, import_lines, read_lines
from gateway_api.importing.storing import Imported

__all__ = ["MOST_LINE_BYTES", "Imported", "import_file", "import_lines", "read_lines"]
