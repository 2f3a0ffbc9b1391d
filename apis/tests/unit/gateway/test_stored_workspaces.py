"""Workspaces, their rules and the providers that these name, in the database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Connection, select

from apis.tests.contract.gateway.exchanges import make_exchange
from apis.tests.unit.gateway.databases import make_database
from gateway_api.database import Database
from gateway_api.errors import ConflictError, GatewayError, InvalidError, NotFoundError
from gateway_api.models.providers import ModelByProvider, ProviderAuthType, ProviderEndpoint, ProviderType
from gateway_api.models.workspaces import MuxMatcherType, MuxRule, Workspace
from gateway_api.store import muxes, personas, providers, workspaces
from gateway_api.store.recording import Recorder
from gateway_api.tables import mux_rules
from gateway_api.tables import workspaces as table


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    """A writing transaction on a new database."""
    database = Database(make_database(tmp_path).database_url)
    with database.writing() as connection:
        yield connection
    database.close()


def add_provider(
    connection: Connection, name: str, models: tuple[str, ...] = (), type_: ProviderType = ProviderType.VLLM
) -> providers.StoredProvider:
    endpoint = ProviderEndpoint(name=name, provider_type=type_, endpoint=f"http://{name}.example/v1/")
    added = providers.add_provider(connection, endpoint, public_id=providers.make_public_id(), sealed_key=None)
    providers.set_models(connection, added.row_id, models)
    return added


def rule(provider: str, model: str, type_: ProviderType = ProviderType.VLLM, matcher: str | None = "") -> MuxRule:
    kind = MuxMatcherType.FILENAME_MATCH if matcher else MuxMatcherType.CATCH_ALL
    return MuxRule(provider_name=provider, provider_type=type_, model=model, matcher_type=kind, matcher=matcher)


def names(found: list[Workspace]) -> list[str]:
    return [f"{one.name}*" if one.is_active else one.name for one in found]


class TestWorkspaces:
    def test_new_ones_are_listed_oldest_first(self, connection: Connection) -> None:
        for name in ("beta", "alpha"):
            workspaces.create(connection, name)
        assert names(workspaces.list_live(connection)) == ["default*", "beta", "alpha"]
        assert workspaces.list_archived(connection) == []

    def test_activation_is_of_one_and_notes_the_moment(self, connection: Connection) -> None:
        workspaces.create(connection, "alpha")
        before = datetime.now(UTC)
        workspaces.activate(connection, "alpha")
        active = workspaces.get_active(connection)
        assert (active.name, active.is_active) == ("alpha", True)
        assert before - timedelta(seconds=1) <= active.last_updated <= datetime.now(UTC) + timedelta(seconds=1)
        assert names(workspaces.list_live(connection)) == ["default", "alpha*"]

    def test_archive_shows_the_last_one_first_and_gives_back(self, connection: Connection) -> None:
        for name in ("alpha", "beta"):
            workspaces.create(connection, name)
            workspaces.archive(connection, name)
        assert names(workspaces.list_live(connection)) == ["default*"]
        assert names(workspaces.list_archived(connection)) == ["beta", "alpha"]
        workspaces.recover(connection, "alpha")
        assert names(workspaces.list_live(connection)) == ["default*", "alpha"]
        assert names(workspaces.list_archived(connection)) == ["beta"]
        workspaces.archive(connection, "alpha")
        assert names(workspaces.list_archived(connection)) == ["alpha", "beta"]

    def test_deletion_frees_the_name_and_takes_texts_and_rules(self, connection: Connection) -> None:
        add_provider(connection, "box", ("m",))
        row_id = workspaces.create(connection, "alpha")
        workspaces.set_instructions(connection, row_id, "Be brief.")
        muxes.replace_rules(connection, row_id, [rule("box", "m")])
        muxes.replace_rules(connection, 1, [rule("box", "m")])
        workspaces.archive(connection, "alpha")
        workspaces.delete_for_good(connection, "alpha")
        assert names(workspaces.list_archived(connection)) == []
        assert names(workspaces.list_live(connection, "box")) == ["default*"]
        row = connection.execute(select(table).where(table.c.id == row_id)).one()
        assert (row.name, row.custom_instructions, row.is_archived) == ("", "", True)
        assert row.deleted_at >= row.archived_at
        assert set(connection.scalars(select(mux_rules.c.workspace_id))) == {1}
        assert workspaces.create(connection, "alpha") > row_id
        for action in (workspaces.recover, workspaces.delete_for_good):
            with pytest.raises(NotFoundError):
                action(connection, "alpha")

    def test_new_name_is_found_and_the_former_one_is_free(self, connection: Connection) -> None:
        row_id = workspaces.create(connection, "alpha")
        workspaces.rename(connection, workspaces.get_live(connection, "alpha"), "beta")
        assert workspaces.get_live(connection, "beta").id == row_id
        with pytest.raises(NotFoundError):
            workspaces.get_live(connection, "alpha")
        workspaces.rename(connection, workspaces.get_live(connection, "beta"), "beta")
        assert workspaces.create(connection, "alpha") != row_id

    def test_instructions_are_of_one_workspace(self, connection: Connection) -> None:
        row_id = workspaces.create(connection, "alpha")
        workspaces.set_instructions(connection, row_id, "Be brief.")
        assert workspaces.get_live(connection, "alpha").custom_instructions == "Be brief."
        assert workspaces.get_live(connection, "default").custom_instructions == ""

    @pytest.mark.parametrize(
        ("action", "error", "said"),
        [
            (lambda c: workspaces.create(c, "live"), ConflictError, "Workspace live already exists"),
            (lambda c: workspaces.create(c, "away"), ConflictError, "Workspace away already exists in the archive"),
            (lambda c: workspaces.create(c, "default"), InvalidError, "Workspace name default is reserved"),
            (lambda c: workspaces.create(c, " "), InvalidError, "Workspace name cannot be empty"),
            (
                lambda c: workspaces.rename(c, workspaces.get_live(c, "live"), "default"),
                InvalidError,
                "Workspace name default is reserved",
            ),
            (
                lambda c: workspaces.rename(c, workspaces.get_live(c, "live"), "away"),
                ConflictError,
                "Workspace away already exists in the archive",
            ),
            (
                lambda c: workspaces.rename(c, workspaces.get_live(c, "default"), "other"),
                InvalidError,
                "Cannot update the default workspace",
            ),
            (lambda c: workspaces.activate(c, "default"), ConflictError, "Workspace is already active"),
            (lambda c: workspaces.activate(c, "away"), NotFoundError, "Workspace does not exist"),
            (lambda c: workspaces.activate(c, "nobody"), NotFoundError, "Workspace does not exist"),
            (lambda c: workspaces.archive(c, "default"), InvalidError, "Cannot archive the default workspace"),
            (lambda c: workspaces.archive(c, "away"), NotFoundError, "Workspace does not exist"),
            (lambda c: workspaces.recover(c, "live"), NotFoundError, "Workspace does not exist"),
            (lambda c: workspaces.delete_for_good(c, "live"), NotFoundError, "Workspace does not exist"),
            (lambda c: workspaces.get_live(c, "away"), NotFoundError, "Workspace does not exist"),
        ],
    )
    def test_what_is_not_allowed_changes_nothing(
        self, connection: Connection, action: Callable[[Connection], object], error: type[GatewayError], said: str
    ) -> None:
        for name in ("live", "away"):
            workspaces.create(connection, name)
        workspaces.archive(connection, "away")
        before = connection.execute(select(table)).all()
        with pytest.raises(error) as refused:
            action(connection)
        assert str(refused.value) == said
        assert connection.execute(select(table)).all() == before

    def test_active_workspace_is_not_archived(self, connection: Connection) -> None:
        workspaces.create(connection, "alpha")
        workspaces.activate(connection, "alpha")
        with pytest.raises(InvalidError, match=r"^Cannot archive the active workspace$"):
            workspaces.archive(connection, "alpha")
        with pytest.raises(InvalidError, match=r"^Cannot archive the default workspace$"):
            workspaces.archive(connection, "default")

    @pytest.mark.parametrize("use", ["nothing", "workspace", "archive", "provider", "persona", "record"])
    def test_database_is_unused_until_somebody_stores_something(self, connection: Connection, use: str) -> None:
        assert workspaces.is_unused(connection)
        if use in ("workspace", "archive"):
            workspaces.create(connection, "alpha")
        if use == "archive":
            workspaces.archive(connection, "alpha")
        if use == "provider":
            add_provider(connection, "box")
        if use == "persona":
            personas.create(connection, "potter", "Throws pots on a wheel.")
        if use == "record":
            recorder = Recorder(connection)
            recorder.record(1, make_exchange("default"))
            recorder.finish()
        assert workspaces.is_unused(connection) == (use == "nothing")


class TestRules:
    def test_rules_are_kept_in_their_order_and_replaced_as_a_whole(self, connection: Connection) -> None:
        add_provider(connection, "box", ("a", "b"))
        row_id = workspaces.create(connection, "alpha")
        rules = [rule("box", "b", matcher="*.py"), rule("box", "a"), rule("box", "b", matcher=None)]
        muxes.replace_rules(connection, row_id, rules)
        found = muxes.list_rules(connection, row_id)
        assert [(one.model, one.matcher, one.matcher_type.value) for one in found] == [
            ("b", "*.py", "filename_match"),
            ("a", "", "catch_all"),
            ("b", "", "catch_all"),
        ]
        assert {(one.provider_name, one.provider_type) for one in found} == {("box", ProviderType.VLLM)}
        assert muxes.list_rules(connection, 1) == []
        muxes.replace_rules(connection, row_id, rules[1:2])
        assert [one.model for one in muxes.list_rules(connection, row_id)] == ["a"]
        muxes.replace_rules(connection, row_id, [])
        assert muxes.list_rules(connection, row_id) == []

    def test_rule_means_the_provider_of_its_name_else_the_oldest_of_its_type(self, connection: Connection) -> None:
        add_provider(connection, "other", ("a",), ProviderType.OPENAI)
        add_provider(connection, "first", ("a",))
        add_provider(connection, "second", ("a",))
        for wanted, found in (("second", "second"), ("unknown", "first"), ("other", "first")):
            muxes.replace_rules(connection, 1, [rule(wanted, "a")])
            assert [one.provider_name for one in muxes.list_rules(connection, 1)] == [found]

    def test_rule_without_a_target_is_refused_and_the_others_stay(self, connection: Connection) -> None:
        add_provider(connection, "box", ("a",))
        muxes.replace_rules(connection, 1, [rule("box", "a")])
        with pytest.raises(InvalidError, match=r"^Model b is not known for provider box$"):
            muxes.replace_rules(connection, 1, [rule("box", "a"), rule("unknown", "b")])
        with pytest.raises(InvalidError, match=r"^Provider box does not exist$"):
            muxes.replace_rules(connection, 1, [rule("box", "a", ProviderType.OLLAMA)])
        assert [one.model for one in muxes.list_rules(connection, 1)] == ["a"]

    def test_workspaces_are_found_by_the_provider_of_their_rules(self, connection: Connection) -> None:
        add_provider(connection, "box", ("a",))
        add_provider(connection, "rack", ("a",))
        for name, provider in (("alpha", "box"), ("beta", "rack"), ("gamma", "box")):
            muxes.replace_rules(connection, workspaces.create(connection, name), [rule(provider, "a")])
        assert names(workspaces.list_live(connection, "box")) == ["alpha", "gamma"]
        assert names(workspaces.list_live(connection, "rack")) == ["beta"]
        assert names(workspaces.list_live(connection, "nobody")) == []


class TestProviders:
    def test_provider_is_found_by_its_exact_name(self, connection: Connection) -> None:
        added = add_provider(connection, "box")
        found = providers.get_provider(connection, "box")
        assert found == added
        assert (found.endpoint.name, found.endpoint.provider_type) == ("box", ProviderType.VLLM)
        assert found.address == (ProviderType.VLLM, "http://box.example/v1")
        assert providers.find_provider(connection, "Box") is None
        with pytest.raises(NotFoundError, match=r"^Provider endpoint not found$"):
            providers.get_provider(connection, "rack")

    def test_change_keeps_id_and_key(self, connection: Connection) -> None:
        added = add_provider(connection, "box")
        providers.set_auth_material(connection, added.row_id, ProviderAuthType.API_KEY, b"sealed")
        other = ProviderEndpoint(
            name="rack",
            description="d",
            provider_type=ProviderType.OPENAI,
            endpoint="http://rack.example",
            auth_type=ProviderAuthType.NONE,
        )
        providers.replace_provider(connection, added.row_id, other)
        found = providers.get_same(connection, added.row_id)
        assert found.endpoint == other.model_copy(update={"id": added.endpoint.id})
        assert found.sealed_key == b"sealed"
        assert providers.list_providers(connection) == [found.endpoint]

    def test_key_is_of_one_provider(self, connection: Connection) -> None:
        box, rack = add_provider(connection, "box"), add_provider(connection, "rack")
        providers.set_auth_material(connection, box.row_id, ProviderAuthType.API_KEY, b"sealed")
        assert providers.get_same(connection, rack.row_id) == rack
        found = providers.get_same(connection, box.row_id)
        assert (found.sealed_key, found.endpoint.auth_type) == (b"sealed", ProviderAuthType.API_KEY)

    def test_name_that_is_taken_is_refused(self, connection: Connection) -> None:
        box, rack = add_provider(connection, "box"), add_provider(connection, "rack")
        with pytest.raises(ConflictError, match=r"^A provider named box already exists$"):
            add_provider(connection, "box")
        with pytest.raises(ConflictError, match=r"^A provider named box already exists$"):
            providers.replace_provider(connection, rack.row_id, box.endpoint)
        providers.replace_provider(connection, box.row_id, box.endpoint)
        assert [one.name for one in providers.list_providers(connection)] == ["box", "rack"]

    def test_deletion_takes_models_and_rules(self, connection: Connection) -> None:
        box, _ = add_provider(connection, "box", ("a",)), add_provider(connection, "rack", ("a",))
        muxes.replace_rules(connection, 1, [rule("box", "a"), rule("rack", "a")])
        providers.delete_provider(connection, "box")
        assert [one.name for one in providers.list_providers(connection)] == ["rack"]
        assert [one.provider_name for one in muxes.list_rules(connection, 1)] == ["rack"]
        assert [one.provider_name for one in providers.list_models(connection)] == ["rack"]
        for action in (
            lambda: providers.get_same(connection, box.row_id),
            lambda: providers.delete_provider(connection, "box"),
        ):
            with pytest.raises(NotFoundError, match=r"^Provider endpoint not found$"):
                action()
        assert add_provider(connection, "box").row_id > box.row_id

    def test_models_that_vanish_take_their_rules_and_the_others_keep_theirs(self, connection: Connection) -> None:
        box, rack = add_provider(connection, "box", ("a", "b")), add_provider(connection, "rack", ("a", "b"))
        muxes.replace_rules(connection, 1, [rule("box", "a"), rule("box", "b"), rule("rack", "a")])
        providers.set_models(connection, box.row_id, ["c", "b", "c"])
        of_box = [
            ModelByProvider(name=name, provider_type=ProviderType.VLLM, provider_name="box") for name in ("b", "c")
        ]
        assert providers.list_models(connection, box.row_id) == of_box
        assert [one.name for one in providers.list_models(connection, rack.row_id)] == ["a", "b"]
        assert [(one.provider_name, one.name) for one in providers.list_models(connection)] == [
            ("box", "b"),
            ("box", "c"),
            ("rack", "a"),
            ("rack", "b"),
        ]
        assert [(one.provider_name, one.model) for one in muxes.list_rules(connection, 1)] == [
            ("box", "b"),
            ("rack", "a"),
        ]
        providers.set_models(connection, box.row_id, [])
        assert providers.list_models(connection, box.row_id) == []

    def test_ids_that_clients_see_are_never_the_same(self) -> None:
        made = {providers.make_public_id() for _ in range(100)}
        assert len(made) == 100
        assert {len(one) for one in made} == {36}
