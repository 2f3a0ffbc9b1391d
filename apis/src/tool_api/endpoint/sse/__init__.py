"""The older of the protocol's two HTTP transports: an event stream at /sse, messages at /messages/."""

from tool_api.endpoint.sse.streams import EventStreams

__all__ = ["EventStreams"]
