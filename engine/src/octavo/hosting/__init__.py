"""Files that publish a site on a host: workflows, server configurations, images (`octavo deploy`)."""

from octavo.hosting.files import DeployPlan, find_repository, needed_extras, plan_files, write_files
from octavo.hosting.targets import TARGETS, HostTarget

__all__ = ["TARGETS", "DeployPlan", "HostTarget", "find_repository", "needed_extras", "plan_files", "write_files"]
