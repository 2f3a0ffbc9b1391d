# ruff: noqa: N801 - the contract spells its schemas this way, and clients are generated from the spelling
"""The shapes that travel over the wire, named and spelled as in the contract."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    PrivateAttr,
    StrictInt,
    model_validator,
)


class _Wire(BaseModel):
    # A document's author may add keys of a later format; they are ignored, as the contract says.
    model_config = ConfigDict(extra="ignore")


class MCPClient(StrEnum):
    """A client program that can be told about servers."""

    ROO_CODE = "RooCode"
    CLINE = "Cline"
    CURSOR = "Cursor"
    VSCODE_INSIDER = "VSCodeInsider"
    VSCODE = "VSCode"
    CLAUDE_CODE = "ClaudeCode"


class MCPClientStatus(_Wire):
    client_type: MCPClient = Field(description="Which client.")
    installed: bool = Field(description="Whether its configuration exists on this machine.")
    registered: bool = Field(description="Whether it was registered by name.")


class clientStatusResponse(_Wire):
    clients: list[MCPClientStatus] = Field(description="All supported clients.")


class versionResponse(_Wire):
    version: str = Field(description="Version of the running program.")


class EnvVar(_Wire):
    name: str = Field(min_length=1, description="Name of the variable.")
    description: str = Field(description="What to put in it.")
    required: bool = Field(description="Whether the server needs it.")
    secret: bool = Field(default=False, description="Whether its value is sensitive.")
    default: str | None = Field(default=None, description="Value when it is not given.")


class Metadata(_Wire):
    stars: int = Field(ge=0, description="Stars of the source repository.")
    pulls: int = Field(ge=0, description="Downloads of the image.")
    last_updated: str = Field(description="When the figures were taken.")


class VerifiedAttestation(_Wire):
    predicate_type: str | None = Field(default=None, description="Type of the attestation, a URI.")
    predicate: Any = Field(default=None, description="Its expected content.")


class Provenance(_Wire):
    # Always sent, be they empty: the contract's clients count on them.
    model_config = ConfigDict(
        extra="ignore",
        json_schema_extra={
            "required": [
                "sigstore_url",
                "repository_uri",
                "repository_ref",
                "signer_identity",
                "runner_environment",
                "cert_issuer",
            ]
        },
    )

    sigstore_url: str = Field(default="", description="Host of the trust root; empty is the public one.")
    repository_uri: str = Field(default="", description="Repository the image was built from.")
    repository_ref: str = Field(default="", description="Git reference it was built from; empty is any.")
    signer_identity: str = Field(default="", description="Workflow that signed it.")
    runner_environment: str = Field(default="", description="Kind of machine that built it.")
    cert_issuer: str = Field(default="", description="Token issuer in the signing certificate.")
    attestation: VerifiedAttestation | None = Field(default=None, description="Attestation that is expected.")


class _Asking(_Wire):
    """What asks for something: its keys that are not known must be told."""

    _NOTES: ClassVar[frozenset[str]] = frozenset()
    """Keys for people and editors."""

    _unknown: tuple[str, ...] = PrivateAttr(default=())

    @property
    def unknown(self) -> tuple[str, ...]:
        """Keys that ask for something that is not known here."""
        return self._unknown

    def note_unknown(self, keys: Iterable[str]) -> None:
        """Note which of the keys of this part are not known."""
        self._unknown = tuple(key for key in keys if key not in {*type(self).model_fields, *self._NOTES})

    @model_validator(mode="wrap")
    @classmethod
    def _note_and_make(cls, value: Any, make: ModelWrapValidatorHandler[Self]) -> Self:
        asking = make(value)
        if isinstance(value, dict):
            asking.note_unknown(key for key, one in value.items() if _asks(one))
        return asking


class _Rules(_Asking):
    """A part of a permission profile. What is not known of it may be a restriction."""

    _NOTES: ClassVar[frozenset[str]] = frozenset(("name", "description", "$schema"))

    @model_validator(mode="before")
    @classmethod
    def _leave_out_null(cls, value: Any) -> Any:
        """Lists may be null: so Go writes one without items."""
        return {key: one for key, one in value.items() if one is not None} if isinstance(value, dict) else value


def _asks(value: Any) -> bool:
    """Whether a value holds anything but what is not set: Go writes that as null, false, "" and empty."""
    return any(map(_asks, value.values())) if isinstance(value, dict) else bool(value)


class OutboundNetworkPermissions(_Rules):
    insecure_allow_all: bool = Field(default=False, description="Allow every outgoing connection.")
    allow_transport: list[Literal["tcp", "udp"]] = Field(default_factory=list, description="Allowed protocols.")
    allow_host: list[str] = Field(default_factory=list, description="Allowed hosts.")
    allow_port: list[int] = Field(default_factory=list, description="Allowed ports.")


class NetworkPermissions(_Rules):
    outbound: OutboundNetworkPermissions | None = Field(default=None, description="Rules for what goes out.")


class Profile(_Rules):
    read: list[str] = Field(default_factory=list, description="Mounts that can be read.")
    write: list[str] = Field(default_factory=list, description="Mounts that can be read and written.")
    network: NetworkPermissions | None = Field(default=None, description="Rules for the network.")


_OrNull = BeforeValidator(lambda value: [] if value is None else value)
"""Lists that may be null: so Go writes one without items."""

_OrZero = BeforeValidator(lambda value: value or None)
"""Values that are not set, or 0, as Go writes that."""


class Server(_Wire):
    """An entry of a registry."""

    name: str = Field(default="", description="Name of the entry; always the key it stands under.")
    description: str = Field(description="What the server is for.")
    image: str = Field(min_length=1, description="Container image.")
    transport: Literal["stdio", "sse"] = Field(description="How the server is talked to.")
    target_port: Annotated[Annotated[int, Field(ge=1, le=65535)] | None, _OrZero] = Field(
        default=None, description="Port in the container, sse only."
    )
    permissions: Profile = Field(description="Permission profile it asks for.")
    tools: Annotated[list[str], _OrNull] = Field(description="Names of the tools it offers.")
    env_vars: Annotated[list[EnvVar], _OrNull] = Field(description="Variables it understands.")
    args: Annotated[list[str], _OrNull] = Field(description="Arguments that always come first.")
    metadata: Metadata = Field(description="Popularity and freshness.")
    repository_url: str = Field(default="", description="Where its source is.")
    tags: Annotated[list[str], _OrNull] = Field(default_factory=list, description="Words to find it by.")
    docker_tags: Annotated[list[str], _OrNull] = Field(default_factory=list, description="Known tags of the image.")
    provenance: Provenance | None = Field(default=None, description="What proves the image's origin.")


class Registry(_Wire):
    version: str = Field(description="Version of the format.")
    last_updated: str = Field(description="When the data was produced.")
    servers: dict[str, Server] = Field(description="Entries by name.")


class registryInfo(_Wire):
    name: str = Field(description="Name of the registry.")
    version: str = Field(description="Version of its format.")
    last_updated: str = Field(description="When its data was produced.")
    server_count: int = Field(description="Number of entries.")


class registryListResponse(_Wire):
    registries: list[registryInfo] = Field(description="Known registries.")


class getRegistryResponse(registryInfo):
    registry: Registry = Field(description="The whole registry.")


class listServersResponse(_Wire):
    servers: list[Server] = Field(description="Entries of the registry, in the order of their names.")


class getServerResponse(_Wire):
    server: Server = Field(description="The entry.")


class PortMapping(_Wire):
    container_port: int = Field(alias="containerPort", description="Port in the container.")
    host_port: int = Field(alias="hostPort", description="Port on this machine; 0 when it is not published.")
    protocol: Literal["tcp", "udp"] = Field(description="Protocol of the port.")


class ContainerInfo(_Wire):
    id: str = Field(description="Identifier of the container.")
    name: str = Field(description="Name of the server.")
    image: str = Field(description="Image it runs.")
    state: str = Field(description="State in one word: running, exited …")
    status: str = Field(description="State as people read it.")
    created: str = Field(description="When it was created, RFC 3339.")
    labels: dict[str, str] = Field(description="Labels of the container.")
    ports: list[PortMapping] = Field(description="Published ports; empty for stdio.")


class serverListResponse(_Wire):
    servers: list[ContainerInfo] = Field(description="Managed servers, in the order of their names.")


class SecretParameter(_Wire):
    name: str = Field(description="Name of the secret.")
    target: str = Field(description="Variable that receives its value.")


class oidcOptions(_Asking):
    issuer: str | None = Field(default=None, description="Issuer that tokens come from.")
    audience: str | None = Field(default=None, description="Audience that tokens carry.")
    client_id: str | None = Field(default=None, description="Client that tokens were issued to.")
    jwks_url: str | None = Field(default=None, description="Where the keys are.")


class createRequest(_Asking):
    """Clients written in Go send null, "" and 0 for what is not set; all of them mean the default."""

    name: str | None = Field(default=None, description="Name of the server; made from the image when left out.")
    image: str = Field(description="Container image.")
    transport: Literal["stdio", "sse", "streamable-http", ""] | None = Field(
        default="stdio", description="How the server is talked to; empty is stdio."
    )
    host: str | None = Field(default=None, description="Address its port listens on; 127.0.0.1 when left out.")
    target_port: StrictInt | None = Field(default=None, description="Port in the container, not for stdio; 0 is 8080.")
    cmd_arguments: list[str] | None = Field(default_factory=list, description="Arguments of the server.")
    env_vars: list[str] | None = Field(default_factory=list, description="Variables, each NAME=VALUE.")
    volumes: list[str] | None = Field(
        default_factory=list, description="Mounts, each host:container or host:container:ro."
    )
    secrets: list[SecretParameter] | None = Field(default_factory=list, description="Secrets to pass as variables.")
    permission_profile: str | None = Field(
        default=None, description="none, network, or the path of a JSON file on this machine."
    )
    authz_config: str | None = Field(default=None, description="Not enforced here, therefore refused.")
    oidc: oidcOptions | None = Field(default=None, description="What callers of the server must prove.")


class createServerResponse(_Wire):
    name: str = Field(description="Name of the server.")
    port: int = Field(description="Port on this machine where the server is talked to.")
