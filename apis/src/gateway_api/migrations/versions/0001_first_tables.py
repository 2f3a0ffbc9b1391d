"""Workspaces, providers, mux rules, personas, and recorded conversations; the workspace `default` is active.

A migration imports nothing of the package: it must do tomorrow what it did when it was written.
"""

from __future__ import annotations

import hashlib
import time

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make all tables and the first workspace."""
    _workspaces()
    _active_workspace()
    _providers()
    _models()
    _mux_rules()
    _personas()
    _prompts()
    _alerts()
    _usage_totals()
    _keep_one_active()
    _first_workspace()


def _workspaces() -> None:
    op.create_table(
        "workspaces",
        sa.Column("id", _KEY, autoincrement=True, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("name_key", sa.String(length=64), nullable=False),
        sa.Column("custom_instructions", sa.Text(), server_default="", nullable=False),
        sa.Column("is_archived", sa.Boolean(), nullable=False),
        sa.Column("archived_at", sa.BigInteger(), nullable=True),
        sa.Column("prompt_count", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("malicious_packages", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("pii", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("secrets", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("total_alerts", sa.BigInteger(), server_default="0", nullable=False),
        sa.CheckConstraint("is_archived = (archived_at IS NOT NULL)", name="workspaces_archived_has_time"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("id", "is_archived", name="workspaces_id_is_archived"),
        sa.UniqueConstraint("name_key"),
        sqlite_autoincrement=True,
    )


def _active_workspace() -> None:
    op.create_table(
        "active_workspace",
        sa.Column("slot", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("workspace_id", sa.BigInteger(), nullable=False),
        sa.Column("is_archived", sa.Boolean(), nullable=False),
        sa.Column("activated_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("NOT is_archived", name="active_workspace_is_live"),
        sa.CheckConstraint("slot = 1", name="active_workspace_is_one"),
        sa.ForeignKeyConstraint(
            ["workspace_id", "is_archived"],
            ["workspaces.id", "workspaces.is_archived"],
        ),
        sa.PrimaryKeyConstraint("slot"),
    )


def _providers() -> None:
    op.create_table(
        "providers",
        sa.Column("id", _KEY, autoincrement=True, nullable=False),
        sa.Column("public_id", sa.String(length=36), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("name_key", sa.String(length=64), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("provider_type", sa.String(length=32), nullable=False),
        sa.Column("endpoint", sa.Text(), nullable=False),
        sa.Column("auth_type", sa.String(length=32), nullable=False),
        sa.Column("sealed_key", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name_key"),
        sa.UniqueConstraint("public_id"),
        sqlite_autoincrement=True,
    )


def _models() -> None:
    op.create_table(
        "models",
        sa.Column("id", _KEY, autoincrement=True, nullable=False),
        sa.Column("provider_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("name_key", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(["provider_id"], ["providers.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("provider_id", "name_key", name="models_provider_name"),
        sqlite_autoincrement=True,
    )


def _mux_rules() -> None:
    op.create_table(
        "mux_rules",
        sa.Column("workspace_id", sa.BigInteger(), nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("model_id", sa.BigInteger(), nullable=False),
        sa.Column("matcher_type", sa.String(length=32), nullable=False),
        sa.Column("matcher", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["model_id"], ["models.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspaces.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("workspace_id", "position"),
    )
    op.create_index(op.f("ix_mux_rules_model_id"), "mux_rules", ["model_id"], unique=False)


def _personas() -> None:
    op.create_table(
        "personas",
        sa.Column("id", _KEY, autoincrement=True, nullable=False),
        sa.Column("public_id", sa.String(length=36), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("name_key", sa.String(length=64), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name_key"),
        sa.UniqueConstraint("public_id"),
        sqlite_autoincrement=True,
    )


def _prompts() -> None:
    op.create_table(
        "prompts",
        sa.Column("id", _KEY, autoincrement=True, nullable=False),
        sa.Column("public_id", sa.String(length=36), nullable=False),
        sa.Column("workspace_id", sa.BigInteger(), nullable=False),
        sa.Column("asked_at", sa.BigInteger(), nullable=False),
        sa.Column("provider", sa.String(length=64), nullable=True),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("first_message", sa.Text(), nullable=False),
        sa.Column("last_message", sa.Text(), nullable=False),
        sa.Column("thread_key", sa.String(length=64), nullable=False),
        sa.Column("thread_id", sa.BigInteger(), nullable=True),
        sa.Column("answer_id", sa.String(length=36), nullable=True),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.Column("answered_at", sa.BigInteger(), nullable=True),
        sa.Column("model", sa.Text(), nullable=True),
        sa.Column("model_provider", sa.String(length=32), nullable=True),
        sa.Column("input_tokens", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("output_tokens", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("input_cost", sa.Float(), server_default="0", nullable=False),
        sa.Column("output_cost", sa.Float(), server_default="0", nullable=False),
        sa.Column("malicious_packages", sa.Integer(), server_default="0", nullable=False),
        sa.Column("pii", sa.Integer(), server_default="0", nullable=False),
        sa.Column("secrets", sa.Integer(), server_default="0", nullable=False),
        sa.Column("total_alerts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("alert_kinds", sa.Integer(), server_default="0", nullable=False),
        sa.Column("alerted_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspaces.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("answer_id"),
        sa.UniqueConstraint("public_id"),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "prompts_alerted",
        "prompts",
        ["workspace_id", "asked_at", "id", "alert_kinds"],
        unique=False,
        sqlite_where=sa.text("alert_kinds > 0"),
        postgresql_where=sa.text("alert_kinds > 0"),
    )
    op.create_index("prompts_newest", "prompts", ["workspace_id", "asked_at", "id"], unique=False)
    op.create_index(
        "prompts_news",
        "prompts",
        ["id", "alerted_at"],
        unique=False,
        sqlite_where=sa.text("alerted_at IS NOT NULL"),
        postgresql_where=sa.text("alerted_at IS NOT NULL"),
    )
    op.create_index("prompts_of_thread", "prompts", ["thread_id"], unique=False)
    op.create_index("prompts_thread", "prompts", ["workspace_id", "thread_key"], unique=False)


def _alerts() -> None:
    op.create_table(
        "alerts",
        sa.Column("id", _KEY, autoincrement=True, nullable=False),
        sa.Column("public_id", sa.String(length=36), nullable=False),
        sa.Column("prompt_id", sa.BigInteger(), nullable=False),
        sa.Column("workspace_id", sa.BigInteger(), nullable=False),
        sa.Column("trigger_type", sa.String(length=64), nullable=False),
        sa.Column("category", sa.String(length=16), nullable=False),
        sa.Column("trigger", sa.Text(), nullable=True),
        sa.Column("snippet", sa.Text(), nullable=True),
        sa.Column("raised_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["prompt_id"], ["prompts.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspaces.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("public_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("alerts_newest", "alerts", ["workspace_id", "category", "raised_at", "id"], unique=False)
    op.create_index(op.f("ix_alerts_prompt_id"), "alerts", ["prompt_id"], unique=False)


def _usage_totals() -> None:
    op.create_table(
        "usage_totals",
        sa.Column("workspace_id", sa.BigInteger(), nullable=False),
        sa.Column("model_key", sa.String(length=64), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("provider_type", sa.String(length=32), nullable=False),
        sa.Column("input_tokens", sa.BigInteger(), nullable=False),
        sa.Column("output_tokens", sa.BigInteger(), nullable=False),
        sa.Column("input_cost", sa.Float(), nullable=False),
        sa.Column("output_cost", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspaces.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("workspace_id", "model_key"),
    )


def _keep_one_active() -> None:
    """Refuse to delete the only row: with its key and its checks there is exactly one active workspace, always."""
    if op.get_bind().dialect.name == "sqlite":
        op.execute(
            "CREATE TRIGGER active_workspace_stays BEFORE DELETE ON active_workspace "
            "BEGIN SELECT RAISE(ABORT, 'one workspace is active'); END"
        )
        return
    op.execute(
        "CREATE FUNCTION active_workspace_stays() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'one workspace is active'; END $$"
    )
    op.execute(
        "CREATE TRIGGER active_workspace_stays BEFORE DELETE OR TRUNCATE ON active_workspace "
        "FOR EACH STATEMENT EXECUTE FUNCTION active_workspace_stays()"
    )


def _first_workspace() -> None:
    workspaces = sa.table(
        "workspaces", sa.column("id"), sa.column("name"), sa.column("name_key"), sa.column("is_archived")
    )
    active = sa.table(
        "active_workspace",
        sa.column("slot"),
        sa.column("workspace_id"),
        sa.column("is_archived"),
        sa.column("activated_at"),
    )
    bind = op.get_bind()
    bind.execute(
        workspaces.insert().values(name="default", name_key=hashlib.sha256(b"default").hexdigest(), is_archived=False)
    )
    first = bind.scalar(sa.select(workspaces.c.id))
    moment_us = time.time_ns() // 1000
    bind.execute(active.insert().values(slot=1, workspace_id=first, is_archived=False, activated_at=moment_us))
