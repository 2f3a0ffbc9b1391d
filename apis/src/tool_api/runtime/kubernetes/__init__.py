"""Servers in a Kubernetes cluster: a StatefulSet of one pod for each, with Secret, Service and NetworkPolicy."""

from tool_api.runtime.kubernetes.cluster import ClusterSettings
from tool_api.runtime.kubernetes.link import KubernetesLink
from tool_api.runtime.kubernetes.runtime import KubernetesRuntime, connect_cluster

__all__ = ["ClusterSettings", "KubernetesLink", "KubernetesRuntime", "connect_cluster"]
