"""The record of one exchange: a line of an import file, or of the demo data.

`Exchange` is the form that is documented and decides what is accepted. `Record` has the same as plain values, and is
what gets stored: `read_record` makes it from a line without the model where the line is plainly right.
"""

from gateway_api.recording.exchange import Answer, Exchange, RaisedAlert, Usage
from gateway_api.recording.formats import other_format
from gateway_api.recording.record import AlertRecord, Record, read_record, record_of
from gateway_api.recording.words import clean_text, equal_markers, thread_keys

__all__ = [
    "AlertRecord",
    "Answer",
    "Exchange",
    "RaisedAlert",
    "Record",
    "Usage",
    "clean_text",
    "equal_markers",
    "other_format",
    "read_record",
    "record_of",
    "thread_keys",
]
