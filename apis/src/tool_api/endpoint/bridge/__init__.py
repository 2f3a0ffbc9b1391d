"""Many clients in front of one stdio server: `state` decides, `bridge` connects it to streams."""

from tool_api.endpoint.bridge.bridge import EXCHANGE, Bridge, BridgeSession, ClientInput, ClientOutput, Exchange

__all__ = ["EXCHANGE", "Bridge", "BridgeSession", "ClientInput", "ClientOutput", "Exchange"]
