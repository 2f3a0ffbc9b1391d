"""Deletion in the background, the fingerprint of the key, threads in any order, unfinished imports."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add columns and tables; no row is changed."""
    op.add_column("workspaces", sa.Column("deleted_at", sa.BigInteger(), nullable=True))
    op.add_column("personas", sa.Column("revision", sa.BigInteger(), server_default="0", nullable=False))
    op.create_index(op.f("ix_personas_revision"), "personas", ["revision"], unique=False)
    op.create_table(
        "awaited_messages",
        sa.Column("workspace_id", sa.BigInteger(), nullable=False),
        sa.Column("thread_key", sa.String(length=64), nullable=False),
        sa.Column("thread_id", sa.BigInteger(), nullable=False),
        sa.Column("asked_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspaces.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("workspace_id", "thread_key", "thread_id"),
    )
    op.create_table(
        "imports",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("recorded", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("digest"),
    )
    op.create_table(
        "gateway_facts",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
