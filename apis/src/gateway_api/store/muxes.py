"""Mux rules in the database."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, delete, insert, select

from gateway_api.errors import InvalidError
from gateway_api.models.providers import ProviderType
from gateway_api.models.workspaces import MuxMatcherType, MuxRule
from gateway_api.tables import models, mux_rules, providers
from gateway_api.values.text import key_of


def list_rules(connection: Connection, workspace_id: int) -> list[MuxRule]:
    """List the rules of a workspace, highest priority first, with the names their providers have now."""
    query = (
        select(
            providers.c.name.label("provider_name"),
            providers.c.provider_type,
            models.c.name.label("model"),
            mux_rules.c.matcher_type,
            mux_rules.c.matcher,
        )
        .join(models, models.c.id == mux_rules.c.model_id)
        .join(providers, providers.c.id == models.c.provider_id)
        .where(mux_rules.c.workspace_id == workspace_id)
        .order_by(mux_rules.c.position)
    )
    return [
        MuxRule(
            provider_name=row.provider_name,
            provider_type=ProviderType(row.provider_type),
            model=row.model,
            matcher_type=MuxMatcherType(row.matcher_type),
            matcher=row.matcher,
        )
        for row in connection.execute(query)
    ]


def replace_rules(connection: Connection, workspace_id: int, rules: Sequence[MuxRule]) -> None:
    """Replace the whole list of a workspace; an empty one clears it.

    Raises:
        InvalidError: A rule names a provider that cannot be found, or a model that it is not known to have.
    """
    targets: dict[tuple[str, ProviderType, str], int] = {}
    for rule in rules:
        target = (rule.provider_name, rule.provider_type, rule.model)
        if target not in targets:
            targets[target] = _resolve(connection, rule)
    connection.execute(delete(mux_rules).where(mux_rules.c.workspace_id == workspace_id))
    if rules:
        connection.execute(
            insert(mux_rules),
            [
                {
                    "workspace_id": workspace_id,
                    "position": position,
                    "model_id": targets[rule.provider_name, rule.provider_type, rule.model],
                    "matcher_type": rule.matcher_type.value,
                    "matcher": rule.matcher or "",
                }
                for position, rule in enumerate(rules)
            ],
        )


def _resolve(connection: Connection, rule: MuxRule) -> int:
    """Find the row of the model that a rule targets.

    The provider is the one of that name and type, else the oldest of that type: a configuration can be shared between
    gateways whose providers have other names.
    """
    of_type = select(providers.c.id, providers.c.name).where(providers.c.provider_type == rule.provider_type.value)
    found = (
        connection.execute(of_type.where(providers.c.name_key == key_of(rule.provider_name))).first()
        or connection.execute(of_type.order_by(providers.c.id)).first()
    )
    if found is None:
        raise InvalidError(f"Provider {rule.provider_name} does not exist")
    model_id: int | None = connection.scalar(
        select(models.c.id).where(models.c.provider_id == found.id, models.c.name_key == key_of(rule.model))
    )
    if model_id is None:
        raise InvalidError(f"Model {rule.model} is not known for provider {found.name}")
    return model_id
