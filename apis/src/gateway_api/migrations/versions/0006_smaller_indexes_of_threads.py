"""Indexes of threads without completions, which belong to none, and without exchanges that name their own thread."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

_CHATS = sa.text("kind = 'chat'")
_CONTINUED = sa.text("thread_id IS NOT NULL")


def upgrade() -> None:
    """Make two indexes anew with fewer rows; no row of a table is changed."""
    op.drop_index("prompts_thread", table_name="prompts")
    op.create_index(
        "prompts_thread",
        "prompts",
        ["workspace_id", "thread_key", "id"],
        unique=False,
        sqlite_where=_CHATS,
        postgresql_where=_CHATS,
    )
    op.drop_index("prompts_of_thread", table_name="prompts")
    op.create_index(
        "prompts_of_thread",
        "prompts",
        ["thread_id"],
        unique=False,
        sqlite_where=_CONTINUED,
        postgresql_where=_CONTINUED,
    )
