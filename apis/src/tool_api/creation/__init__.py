"""From a create request to what is run: defaults of the registry, checks of every field, permission profiles."""

from tool_api.creation.defaults import apply_defaults
from tool_api.creation.mounts import MountPolicy
from tool_api.creation.permissions import PROFILE_FIELD, Permissions, enforceable
from tool_api.creation.validation import ignored_fields, validate

__all__ = ["PROFILE_FIELD", "MountPolicy", "Permissions", "apply_defaults", "enforceable", "ignored_fields", "validate"]
