"""The tables. Migrations create them; queries are written with these declarations. A test compares the two."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    UniqueConstraint,
    text,
)

from gateway_api.values.text import StoredText

metadata = MetaData()
BigKey = BigInteger().with_variant(Integer, "sqlite")  # only INTEGER PRIMARY KEY numbers rows by itself there


def _key_column(name: str = "id") -> Column[int]:
    return Column(name, BigKey, primary_key=True, autoincrement=True)


workspaces = Table(
    "workspaces",
    metadata,
    _key_column(),
    Column("name", StoredText, nullable=False),
    Column("name_key", String(64), nullable=False, unique=True),
    Column("custom_instructions", StoredText, nullable=False, server_default=""),
    Column("is_archived", Boolean(create_constraint=False), nullable=False),
    Column("archived_at", BigInteger),
    # Deleted for good: invisible at once, its records are removed in the background, then the row.
    Column("deleted_at", BigInteger),
    # Counters, updated with each record, so that totals cost the same as the tables grow.
    Column("prompt_count", BigInteger, nullable=False, server_default="0"),
    Column("malicious_packages", BigInteger, nullable=False, server_default="0"),
    Column("pii", BigInteger, nullable=False, server_default="0"),
    Column("secrets", BigInteger, nullable=False, server_default="0"),
    Column("total_alerts", BigInteger, nullable=False, server_default="0"),
    UniqueConstraint("id", "is_archived", name="workspaces_id_is_archived"),
    CheckConstraint("is_archived = (archived_at IS NOT NULL)", name="workspaces_archived_has_time"),
    sqlite_autoincrement=True,
)

active_workspace = Table(
    "active_workspace",
    metadata,
    # One row and no more; a trigger keeps it from being deleted, the reference from naming an archived workspace.
    Column("slot", Integer, primary_key=True, autoincrement=False),
    Column("workspace_id", BigInteger, nullable=False),
    Column("is_archived", Boolean(create_constraint=False), nullable=False),
    Column("activated_at", BigInteger, nullable=False),
    ForeignKeyConstraint(["workspace_id", "is_archived"], ["workspaces.id", "workspaces.is_archived"]),
    CheckConstraint("slot = 1", name="active_workspace_is_one"),
    CheckConstraint("NOT is_archived", name="active_workspace_is_live"),
)

providers = Table(
    "providers",
    metadata,
    _key_column(),
    Column("public_id", String(36), nullable=False, unique=True),
    Column("name", StoredText, nullable=False),
    Column("name_key", String(64), nullable=False, unique=True),
    Column("description", StoredText, nullable=False),
    Column("provider_type", String(32), nullable=False),
    Column("endpoint", StoredText, nullable=False),
    Column("auth_type", String(32), nullable=False),
    Column("sealed_key", LargeBinary),
    sqlite_autoincrement=True,
)

former_names = Table(
    "former_names",
    metadata,
    # Names that providers had until a few seconds ago; in the database, because the next request may reach another
    # server.
    Column("name_key", String(64), primary_key=True),
    Column("provider_id", BigInteger, ForeignKey("providers.id", ondelete="CASCADE"), nullable=False),
    Column("renamed_at", BigInteger, nullable=False),
)

models = Table(
    "models",
    metadata,
    _key_column(),
    Column("provider_id", BigInteger, ForeignKey("providers.id", ondelete="CASCADE"), nullable=False),
    Column("name", StoredText, nullable=False),
    Column("name_key", String(64), nullable=False),
    UniqueConstraint("provider_id", "name_key", name="models_provider_name"),
    sqlite_autoincrement=True,
)

mux_rules = Table(
    "mux_rules",
    metadata,
    Column("workspace_id", BigInteger, ForeignKey("workspaces.id", ondelete="CASCADE"), primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("model_id", BigInteger, ForeignKey("models.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("matcher_type", String(32), nullable=False),
    Column("matcher", StoredText, nullable=False),
)

personas = Table(
    "personas",
    metadata,
    _key_column(),
    Column("public_id", String(36), nullable=False, unique=True),
    Column("name", StoredText, nullable=False),
    Column("name_key", String(64), nullable=False, unique=True),
    Column("description", StoredText, nullable=False),
    Column("vector", LargeBinary, nullable=False),
    # Grows with every write, so that a comparison that was made without the lock can be completed under it.
    Column("revision", BigInteger, nullable=False, server_default="0", index=True),
    sqlite_autoincrement=True,
)

prompts = Table(
    "prompts",
    metadata,
    _key_column(),
    Column("public_id", String(36), nullable=False, unique=True),
    Column("workspace_id", BigInteger, ForeignKey("workspaces.id", ondelete="CASCADE"), nullable=False),
    Column("asked_at", BigInteger, nullable=False),
    Column("provider", String(64)),
    Column("kind", String(8), nullable=False),
    Column("first_message", StoredText, nullable=False),
    Column("last_message", StoredText, nullable=False),
    # What a chat is continued by; completions have none, and those of earlier releases are not looked at.
    Column("thread_key", String(64), nullable=False),
    Column("thread_id", BigInteger),
    Column("answer_id", String(36), unique=True),
    Column("answer", StoredText),
    Column("answered_at", BigInteger),
    Column("model", StoredText),
    Column("model_provider", String(32)),
    Column("input_tokens", BigInteger, nullable=False, server_default="0"),
    Column("output_tokens", BigInteger, nullable=False, server_default="0"),
    Column("input_cost", Float, nullable=False, server_default="0"),
    Column("output_cost", Float, nullable=False, server_default="0"),
    # Tokens of a model without a known price: the costs do not have them.
    Column("unpriced_tokens", BigInteger, nullable=False, server_default="0"),
    Column("malicious_packages", Integer, nullable=False, server_default="0"),
    Column("pii", Integer, nullable=False, server_default="0"),
    Column("secrets", Integer, nullable=False, server_default="0"),
    Column("total_alerts", Integer, nullable=False, server_default="0"),
    Column("alert_kinds", Integer, nullable=False, server_default="0"),
    Column("alerted_at", BigInteger),
    Index("prompts_newest", "workspace_id", "asked_at", "id"),
    sqlite_autoincrement=True,
)
Index(
    "prompts_thread",
    prompts.c.workspace_id,
    prompts.c.thread_key,
    prompts.c.id,
    sqlite_where=text("kind = 'chat'"),
    postgresql_where=text("kind = 'chat'"),
)
Index(
    "prompts_of_thread",
    prompts.c.thread_id,
    sqlite_where=prompts.c.thread_id.is_not(None),
    postgresql_where=prompts.c.thread_id.is_not(None),
)
Index(
    "prompts_alerted",
    prompts.c.workspace_id,
    prompts.c.asked_at,
    prompts.c.id,
    prompts.c.alert_kinds,
    sqlite_where=prompts.c.alert_kinds > 0,
    postgresql_where=prompts.c.alert_kinds > 0,
)
Index(
    "prompts_news",
    prompts.c.id,
    prompts.c.alerted_at,
    sqlite_where=prompts.c.alerted_at.is_not(None),
    postgresql_where=prompts.c.alerted_at.is_not(None),
)

alerts = Table(
    "alerts",
    metadata,
    _key_column(),
    Column("public_id", String(36), nullable=False, unique=True),
    Column("prompt_id", BigInteger, ForeignKey("prompts.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("workspace_id", BigInteger, ForeignKey("workspaces.id", ondelete="CASCADE"), nullable=False),
    Column("trigger_type", String(64), nullable=False),
    Column("category", String(16), nullable=False),
    Column("trigger", StoredText),  # JSON: a string, an object or null
    Column("snippet", StoredText),  # JSON: a code snippet
    Column("raised_at", BigInteger, nullable=False),
    Index("alerts_newest", "workspace_id", "category", "raised_at", "id"),
    sqlite_autoincrement=True,
)

usage_totals = Table(
    "usage_totals",
    metadata,
    Column("workspace_id", BigInteger, ForeignKey("workspaces.id", ondelete="CASCADE"), primary_key=True),
    Column("model_key", String(64), primary_key=True),
    Column("model", StoredText, nullable=False),
    Column("provider_type", String(32), nullable=False),
    Column("input_tokens", BigInteger, nullable=False),
    Column("output_tokens", BigInteger, nullable=False),
    Column("input_cost", Float, nullable=False),
    Column("output_cost", Float, nullable=False),
    Column("unpriced_tokens", BigInteger, nullable=False, server_default="0"),
)

awaited_messages = Table(
    "awaited_messages",
    metadata,
    # Beginnings of recorded chats that have not been recorded as requests of their own: who records one later joins
    # the chat. Records may arrive newest first.
    Column("workspace_id", BigInteger, ForeignKey("workspaces.id", ondelete="CASCADE"), primary_key=True),
    Column("thread_key", String(64), primary_key=True),
    Column("thread_id", BigInteger, primary_key=True),
    Column("asked_at", BigInteger, nullable=False),
)

imports = Table(
    "imports",
    metadata,
    # Unfinished imports: after a crash the import of the same file continues where it stopped.
    Column("digest", String(64), primary_key=True),
    Column("recorded", BigInteger, nullable=False),
)

followed_files = Table(
    "followed_files",
    metadata,
    # How far each file has been read that is, or was, at a followed path; written with the records themselves.
    Column("source_key", String(64), primary_key=True),
    # Text: numbers of files may be larger than any integer of the databases.
    Column("device", String(24), primary_key=True),
    Column("inode", String(24), primary_key=True),
    Column("source", StoredText, nullable=False),
    Column("name", StoredText, nullable=False),
    Column("position", BigInteger, nullable=False),
    Column("mark", String(64), nullable=False),
)

gateway_facts = Table(
    "gateway_facts",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("value", StoredText, nullable=False),
)
"""What the database knows about the servers that use it: `key_fingerprint`."""
