"""Files that publish a site on a host: workflows, server configurations, images (`octavo deploy`)."""

from octavo.hosting.files import Plan, find_repository, needed_extras, plan_files, write_files
from octavo.hosting.targets import TARGETS, Target

__all__ = ["TARGETS", "Plan", "Target", "find_repository", "needed_extras", "plan_files", "write_files"]
