"""Making a `Link` from what a runtime says of it, perhaps in another process."""

from __future__ import annotations

from tool_api.runtime.base import Link, LinkSpec
from tool_api.runtime.simulated import SimulatedLink


def make_link(spec: LinkSpec, max_message_bytes: int) -> Link:
    """Make the link that a runtime described.

    Args:
        spec: From `Runtime.link`.
        max_message_bytes: Largest message of a stdio server.
    """
    if spec["kind"] == "docker":
        # Imported where it is used: the SDK is not needed where servers are simulated.
        from tool_api.runtime.docker_link import DockerLink

        return DockerLink(spec["url"], max_message_bytes)
    if spec["kind"] == "kubernetes":
        from tool_api.runtime.kubernetes import ClusterSettings, KubernetesLink

        return KubernetesLink(ClusterSettings(spec["context"], spec["namespace"]), max_message_bytes)
    return SimulatedLink(spec["tools"])
