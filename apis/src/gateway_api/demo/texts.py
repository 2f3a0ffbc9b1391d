"""What is said in the demo data: questions, answers, code around a cursor."""

from __future__ import annotations

from typing import NamedTuple


class Talk(NamedTuple):
    """A question and its answer; a file that the question is about."""

    question: str
    answer: str
    file: str


class Completion(NamedTuple):
    """Code around the cursor, and what was filled in."""

    code: str
    filled: str
    file: str


TALKS = [
    Talk(
        "Explain what this config file does and which of the settings matter in production.",
        "It sets the log level, the pool of connections and the cache.\n\n```toml\n[pool]\nsize = 20\n```\n\n"
        "Only the pool matters under load; leave the rest as it is.",
        "config/app.toml",
    ),
    Talk(
        "Why does this test fail only when the whole suite runs?",
        "The fixture keeps its rows between tests. Roll the transaction back:\n\n```python\n"
        "@pytest.fixture\ndef session(engine):\n    with engine.begin() as connection:\n        yield connection\n"
        "        connection.rollback()\n```",
        "tests/test_orders.py",
    ),
    Talk(
        "Add input validation to the checkout form, please.",
        "Check the quantity and the postcode before you send anything.\n\n```ts\n"
        "if (!Number.isInteger(quantity) || quantity < 1) {\n  return error('quantity');\n}\n```\n\n"
        "The server has to check both again.",
        "src/checkout/form.ts",
    ),
    Talk(
        "Convert these callbacks to promises.",
        "Wrap the lowest one and let the rest await it.\n\n```ts\n"
        "const read = (path: string) => new Promise<Buffer>((done, fail) =>\n"
        "  fs.readFile(path, (error, data) => (error ? fail(error) : done(data))));\n```",
        "src/lib/files.ts",
    ),
    Talk(
        "Write a migration that adds a nullable column and fills it in batches.",
        "Add first, fill later, so that no lock lasts long.\n\n```sql\n"
        "ALTER TABLE orders ADD COLUMN region text;\n"
        "UPDATE orders SET region = 'eu' WHERE id BETWEEN 1 AND 5000;\n```",
        "migrations/0042_region.sql",
    ),
    Talk(
        "Review this login function.",
        "One finding of high severity (CWE-208): the comparison stops at the first wrong byte.\n\n```python\n"
        "return hmac.compare_digest(given, stored)\n```\n\nThe rest is in order.",
        "src/auth/login.py",
    ),
    Talk(
        "Summarise this README in three sentences for a newcomer.",
        "The project serves pictures in the size a page asks for. It keeps them on disk and needs no database. "
        "You start it with one command:\n\n```sh\nmake serve\n```",
        "README.md",
    ),
    Talk(
        "Generate unit tests for the price calculation, edge cases included.",
        "Zero, a discount of all, and rounding are the edges.\n\n```python\n"
        "def test_full_discount_costs_nothing():\n    assert price(100, discount=1) == 0\n```",
        "tests/test_price.py",
    ),
    Talk(
        "Rename this module and tell me what else has to change.",
        "Three imports and the entry point.\n\n```sh\ngit mv src/util.py src/money.py\n```\n\nNothing outside imports it.",
        "src/util.py",
    ),
    Talk(
        "How do I make this Dockerfile produce a smaller image?",
        "Build in one stage and copy the result into another.\n\n```dockerfile\n"
        "FROM python:3.12-slim\nCOPY --from=build /app /app\n```\n\nThat leaves the compiler behind.",
        "Dockerfile",
    ),
    Talk(
        "I need a regex for ISO dates that does not match 2025-13-01.",
        "Spell the months out as a choice.\n\n```python\n"
        'DATE = re.compile(r"\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])")\n```\n\nIt still allows the 31st of April.',
        "src/dates.py",
    ),
    Talk(
        "This query is slow. What index would help?",
        "It filters by customer and sorts by day, so put both into one.\n\n```sql\n"
        "CREATE INDEX orders_by_customer ON orders (customer_id, ordered_on DESC);\n```",
        "reports/daily.sql",
    ),
    Talk(
        "Make this loop over the data frame faster.",
        "Let pandas do the loop.\n\n```python\nframe['total'] = frame['price'] * frame['count']\n```\n\n"
        "On a million rows that takes milliseconds.",
        "pipeline/totals.py",
    ),
]

FOLLOW_UPS = [
    "And how would I test that?",
    "Can you do the same without a new dependency?",
    "Explain the second line again, please.",
]

COMPLETIONS = [
    Completion("def total(lines: list[Line]) -> Decimal:\n    \n    return result\n\n\n", "    result = sum(line.price for line in lines)", "src/total.py"),
    Completion("export function slug(title: string): string {\n  return title\n", "    .toLowerCase()\n    .replaceAll(' ', '-');", "src/slug.ts"),
    Completion("for path in sorted(folder.glob('*.csv')):\n    frame = \n    frames.append(frame)\n", "pd.read_csv(path)", "pipeline/load.py"),
    Completion("SELECT region, \nFROM orders\nGROUP BY region\nORDER BY 2 DESC;\n", "sum(total) AS turnover", "reports/regions.sql"),
    Completion("func (s *Store) Close() error {\n\ts.mu.Lock()\n\t\n\treturn s.db.Close()\n}\n", "\tdefer s.mu.Unlock()", "store/store.go"),
]  # fmt: skip

SECRETS = [
    ("Amazon", "Access Key", "AWS_ACCESS_KEY_ID", 3, ".env"),
    ("GitHub", "Access Token", "GH_TOKEN", 12, "ci/release.sh"),
    ("Postgresql", "URL", "DATABASE_URL", 7, "conf.ini"),
    ("Generic", "JSON Web Token", "unknown", 21, "tests/fixtures/session.json"),
    ("High Entropy", "Potential Secret", "STRIPE_WEBHOOK_KEY", 4, ".env"),
    ("Slack", "Webhook URL", "unknown", 18, "src/notify.py"),
]
"""Service, type, key, line, file."""

PERSONAL = [
    ("EMAIL_ADDRESS",),
    ("EMAIL_ADDRESS", "PHONE_NUMBER"),
    ("CREDIT_CARD",),
    ("US_SSN",),
    ("IBAN_CODE", "EMAIL_ADDRESS"),
    ("UK_NINO",),
]

PACKAGES = [
    ("invokehttp", "pypi", "malicious"),
    ("malicious-npm-sample", "npm", "malicious"),
    ("deprecated-go-sample", "go", "deprecated"),
    ("archived-crates-sample", "crates", "archived"),
]
"""Name, ecosystem, status."""

SYSTEM_PROMPT = "You are a careful assistant for programmers. Treat text between REDACTED marks as a secret."
