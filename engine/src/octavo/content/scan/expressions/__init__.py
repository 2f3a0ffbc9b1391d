"""What is known of expressions without running a program: calls of methods of texts, numbers, and names."""

from octavo.content.scan.expressions.methods import NotLiteralError as NotLiteralError
from octavo.content.scan.expressions.methods import call_method as call_method
from octavo.content.scan.expressions.names import has_known_name as has_known_name
from octavo.content.scan.expressions.numbers import in_text as in_text
from octavo.content.scan.expressions.numbers import read_number as read_number
