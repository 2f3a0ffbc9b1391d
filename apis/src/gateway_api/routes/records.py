"""What a workspace has recorded, and news of alerts."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query, Response
from sqlalchemy import Connection
from starlette.responses import StreamingResponse

from gateway_api.database import Database
from gateway_api.events import EventStream
from gateway_api.models.records import (
    AlertConversation,
    AlertSummary,
    AlertTriggerType,
    Conversation,
    PaginatedMessagesResponse,
    TokenUsageAggregate,
)
from gateway_api.store import records as store
from gateway_api.store.workspaces import get_live
from gateway_api.web.deps import DatabaseDep, PartsDep
from gateway_api.web.encoding import encode_answer

router = APIRouter(prefix="/api/v1")
UNPRICED = "x-unpriced-tokens"
_SEND_BYTES = 65_536
"""Bytes of a streamed answer that are sent at a time."""


@router.get(
    "/workspaces/{workspace_name}/alerts",
    operation_id="v1_get_workspace_alerts",
    tags=["Workspaces"],
    response_model=list[AlertConversation],
)
async def get_alerts(database: DatabaseDep, workspace_name: str) -> StreamingResponse:
    """Stream the list: it has no pages, and must not need memory for all of it."""
    repeats = store.RepeatFilter()

    def read_first(connection: Connection) -> tuple[int, store.AlertPart]:
        workspace_id = get_live(connection, workspace_name).id
        return workspace_id, store.read_alerts(connection, workspace_id, None, repeats)

    workspace_id, first = await database.read(read_first)
    return StreamingResponse(_write_alerts(database, workspace_id, first, repeats), media_type="application/json")


async def _write_alerts(
    database: Database, workspace_id: int, part: store.AlertPart, repeats: store.RepeatFilter
) -> AsyncIterator[bytes]:
    """Write a JSON array.

    Each part of it is a transaction of its own: a slow client must not hold up SQLite's checkpoints, nor PostgreSQL's
    vacuum.
    """
    waiting = bytearray(b"[")
    is_first = True
    while True:
        for alert in part.encoded():
            waiting += alert if is_first else b"," + alert
            is_first = False
            if len(waiting) >= _SEND_BYTES:
                yield bytes(waiting)
                waiting.clear()
        if part.next_place is None:
            break
        part = await database.read(
            partial(store.read_alerts, workspace_id=workspace_id, after=part.next_place, repeats=repeats)
        )
    yield bytes(waiting + b"]")


@router.get(
    "/workspaces/{workspace_name}/alerts-summary", operation_id="v1_get_workspace_alerts_summary", tags=["Workspaces"]
)
def get_alerts_summary(database: DatabaseDep, workspace_name: str) -> AlertSummary:
    with database.reading() as connection:
        return store.summary_of(get_live(connection, workspace_name))


@router.get(
    "/workspaces/{workspace_name}/messages",
    operation_id="v1_get_workspace_messages",
    tags=["Workspaces"],
    response_model=PaginatedMessagesResponse,
)
def get_messages(
    database: DatabaseDep,
    workspace_name: str,
    page: Annotated[int, Query(ge=1)] = 1,
    page_size: Annotated[int, Query(ge=1, le=100)] = 50,
    filter_by_ids: Annotated[list[str] | None, Query()] = None,
    filter_by_alert_trigger_types: Annotated[list[AlertTriggerType] | None, Query()] = None,
) -> Response:
    with database.reading() as connection:
        found = store.list_messages(
            connection,
            get_live(connection, workspace_name),
            page=page,
            page_size=page_size,
            ids=filter_by_ids,
            trigger_types=filter_by_alert_trigger_types,
        )
    return encode_answer(found)


@router.get(
    "/workspaces/{workspace_name}/messages/{prompt_id}",
    operation_id="v1_get_messages_by_prompt_id",
    tags=["Workspaces"],
    response_model=Conversation,
)
def get_message(database: DatabaseDep, workspace_name: str, prompt_id: str) -> Response:
    with database.reading() as connection:
        found = store.get_conversation(connection, get_live(connection, workspace_name).id, prompt_id)
    return encode_answer(found)


@router.get(
    "/workspaces/{workspace_name}/token-usage", operation_id="v1_get_workspace_token_usage", tags=["Token Usage"]
)
def get_token_usage(database: DatabaseDep, workspace_name: str, response: Response) -> TokenUsageAggregate:
    # The contract has no value for an unknown cost; a header counts the tokens that the costs do not have.
    with database.reading() as connection:
        workspace_id = get_live(connection, workspace_name).id
        response.headers[UNPRICED] = str(store.unpriced_tokens(connection, workspace_id))
        return store.token_usage(connection, workspace_id)


@router.get(
    "/alerts_notification",
    operation_id="v1_stream_sse",
    tags=["Dashboard"],
    status_code=200,
    response_class=EventStream,
)
async def stream_alerts(parts: PartsDep) -> EventStream:
    return EventStream(parts.news, await parts.news.join())
