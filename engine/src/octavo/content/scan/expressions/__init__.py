"""What is known of expressions without running a program: calls of methods of texts, and names."""

from octavo.content.scan.expressions.methods import NotLiteralError as NotLiteralError
from octavo.content.scan.expressions.methods import call_method as call_method
from octavo.content.scan.expressions.names import has_known_name as has_known_name
