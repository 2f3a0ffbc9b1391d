"""What operators do with a database: export, backup, retention, vacuum; servers may run meanwhile."""

from gateway_api.maintenance.backup import back_up
from gateway_api.maintenance.export import export_all
from gateway_api.maintenance.loading import Loaded, has_keys, is_export, load_export
from gateway_api.maintenance.passphrase import read_passphrase
from gateway_api.maintenance.retention import Pruned, prune
from gateway_api.maintenance.vacuum import Sizes, vacuum

__all__ = [
    "Loaded",
    "Pruned",
    "Sizes",
    "back_up",
    "export_all",
    "has_keys",
    "is_export",
    "load_export",
    "prune",
    "read_passphrase",
    "vacuum",
]
