"""Names that providers had until a few seconds ago, for all servers of a database."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add a table."""
    op.create_table(
        "former_names",
        sa.Column("name_key", sa.String(length=64), nullable=False),
        sa.Column("provider_id", sa.BigInteger(), nullable=False),
        sa.Column("renamed_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["provider_id"], ["providers.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("name_key"),
    )
