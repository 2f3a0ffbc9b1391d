"""Many clients in front of one stdio server: `state` decides, `bridge` connects it to streams."""

from tool_api.endpoint.bridge.bridge import EXCHANGE, Bridge, BridgeSession, Exchange
from tool_api.endpoint.bridge.state import Negotiated

__all__ = ["EXCHANGE", "Bridge", "BridgeSession", "Exchange", "Negotiated"]
