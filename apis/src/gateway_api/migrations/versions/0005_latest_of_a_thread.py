"""An index that leads to the latest request with given messages, however often they were sent."""

from __future__ import annotations

from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make an index anew with one column more; no row is changed."""
    op.drop_index("prompts_thread", table_name="prompts")
    op.create_index("prompts_thread", "prompts", ["workspace_id", "thread_key", "id"], unique=False)
