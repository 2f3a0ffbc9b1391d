"""The older of the protocol's two HTTP transports: an event stream at /sse, messages at /messages/."""

from tool_api.endpoint.sse.streams import EventStreams
from tool_api.endpoint.sse.unanswered import UnansweredCalls

__all__ = ["EventStreams", "UnansweredCalls"]
