"""Tokens without a known price, and files that are followed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add a column for tokens without a price, fill it for what is recorded, and add a table."""
    for table in ("prompts", "usage_totals"):
        op.add_column(table, sa.Column("unpriced_tokens", sa.BigInteger(), server_default="0", nullable=False))
        # Earlier releases recorded a cost of 0 where they had no price. Programs on own hardware have none to know.
        column = "model_provider" if table == "prompts" else "provider_type"
        op.execute(
            f"UPDATE {table} SET unpriced_tokens = input_tokens + output_tokens "  # noqa: S608 - our own names
            f"WHERE input_cost = 0 AND output_cost = 0 AND input_tokens + output_tokens > 0 "
            f"AND {column} NOT IN ('ollama', 'lm_studio', 'llamacpp', 'vllm')"
        )
    op.create_table(
        "followed_files",
        sa.Column("source_key", sa.String(length=64), nullable=False),
        sa.Column("device", sa.String(length=24), nullable=False),
        sa.Column("inode", sa.String(length=24), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("mark", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("source_key", "device", "inode"),
    )
