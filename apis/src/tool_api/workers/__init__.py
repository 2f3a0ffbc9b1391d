"""Processes that hold the ports of servers, so that one server's load does not slow others and ports outlive the API."""

from tool_api.workers.claim import claim
from tool_api.workers.pool import Workers
from tool_api.workers.spawner import Spawner, is_available
from tool_api.workers.start import Start

__all__ = ["Spawner", "Start", "Workers", "claim", "is_available"]
