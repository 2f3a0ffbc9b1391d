"""Answers to "Was this page helpful?", as browsers send them with script and without."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from starlette.testclient import TestClient

from octavo.cli.main import octavo
from octavo.feedback import FeedbackStore, PageFeedback
from octavo.server import create_app
from tests.support.published import publish

ROUTE = "/codegate/quickstart"
ADDRESS = "/_octavo/feedback"
FORM = {"page": ROUTE, "answer": "yes"}


@pytest.fixture
def store(tmp_path: Path) -> FeedbackStore:
    return FeedbackStore(tmp_path / "site" / ".octavo" / "feedback.sqlite")


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return publish(tmp_path / "out", counts_answers=True)


@pytest.fixture
def client(out: Path, tmp_path: Path) -> TestClient:
    path = tmp_path / "site" / ".octavo" / "feedback.sqlite"
    return TestClient(create_app(out, feedback_path=path), base_url="http://docs.test", follow_redirects=False)


def test_answers_are_counted_by_page_and_nothing_else_is_kept(
    client: TestClient, store: FeedbackStore, tmp_path: Path
) -> None:
    for answer in ("yes", "no", "yes"):
        sent = client.post(ADDRESS, data={"page": ROUTE, "answer": answer, "name": "Ada"})
        assert (sent.status_code, sent.headers["cache-control"]) == (204, "no-store")
    assert store.report() == [PageFeedback(ROUTE, 2, 1)]
    shown = CliRunner().invoke(octavo, ["feedback", str(tmp_path / "site")])
    assert shown.output == f"   yes     no  page\n     2      1  {ROUTE}\n"
    as_json = CliRunner().invoke(octavo, ["feedback", str(tmp_path / "site"), "--format", "json"])
    assert json.loads(as_json.output) == [{"page": ROUTE, "yes": 2, "no": 1}]


def test_form_without_script_leads_back_to_the_thanks(client: TestClient, store: FeedbackStore) -> None:
    answer = client.post(ADDRESS, data=FORM, headers={"Accept": "text/html,*/*;q=0.8", "Origin": "http://docs.test"})
    assert (answer.status_code, answer.headers["location"]) == (303, f"{ROUTE}#feedback-thanks")
    assert store.report() == [PageFeedback(ROUTE, 1, 0)]


@pytest.mark.parametrize(
    ("form", "headers", "status"),
    [
        ({"page": "/nowhere", "answer": "yes"}, {}, 404),
        ({"page": "https://other.test/", "answer": "yes"}, {}, 404),
        ({"answer": "yes"}, {}, 404),
        ({"page": ROUTE, "answer": "maybe"}, {}, 400),
        ({"page": ROUTE}, {}, 400),
        (FORM, {"Origin": "https://other.test"}, 403),
        (FORM, {"Origin": "null"}, 403),
        (FORM, {"Sec-Fetch-Site": "cross-site"}, 403),
        ({**FORM, "more": "x" * 5000}, {}, 413),
        ({f"field-{number}": "x" for number in range(20)}, {}, 400),
    ],
)
def test_what_is_no_answer_of_a_reader_is_refused(
    client: TestClient, store: FeedbackStore, form: dict[str, str], headers: dict[str, str], status: int
) -> None:
    assert client.post(ADDRESS, data=form, headers=headers).status_code == status
    assert store.report() == []


def test_other_forms_and_methods_are_refused(client: TestClient) -> None:
    assert client.post(ADDRESS, json=FORM).status_code == 415
    assert client.get(ADDRESS).status_code == 405


@pytest.mark.costly
def test_one_network_cannot_answer_for_all(client: TestClient, store: FeedbackStore) -> None:
    answers = [client.post(ADDRESS, data=FORM) for _ in range(60)]
    refused = [answer for answer in answers if answer.status_code == 429]
    assert refused
    assert int(refused[0].headers["retry-after"]) >= 1
    assert store.report()[0].yes == 60 - len(refused)


def test_answer_that_cannot_be_stored_is_no_thanks(out: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    app = create_app(out, feedback_path=tmp_path / "file" / "feedback.sqlite")
    assert TestClient(app).post(ADDRESS, data=FORM).status_code == 503


def test_server_takes_no_answers_unless_it_is_told_where_to_count(out: Path) -> None:
    assert TestClient(create_app(out)).post(ADDRESS, data=FORM).status_code in (404, 405)


def test_site_that_asks_nothing_counts_nothing(tmp_path: Path, store: FeedbackStore) -> None:
    app = create_app(publish(tmp_path / "other"), feedback_path=tmp_path / "site" / ".octavo" / "feedback.sqlite")
    assert TestClient(app).post(ADDRESS, data=FORM).status_code == 404
    assert store.report() == []


def test_report_without_answers_says_so(tmp_path: Path) -> None:
    assert CliRunner().invoke(octavo, ["feedback", str(tmp_path)]).output == "No answers have been counted.\n"
