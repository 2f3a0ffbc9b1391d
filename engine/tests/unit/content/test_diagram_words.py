"""What search shows of a diagram: its labels, and nothing of its source."""

from __future__ import annotations

import pytest

from octavo.content.code.diagram_words import diagram_words


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("flowchart TD\n  A[Wedge it] --> B[Throw it]", "Wedge it · Throw it"),
        ("graph LR\n  A((Start)) -->|is dry| B{Dry?}\n  B --> A\n  style A fill:#fff", "Start · is dry · Dry?"),
        ('flowchart LR\n  A["Fire<br/>slowly"] --> B["Open the kiln"]', "Fire slowly · Open the kiln"),
        (
            "sequenceDiagram\n  participant R as Reader\n  participant S\n  R->>S: Send the key\n  Note over S: Keeps it",
            "Reader · S · Send the key · Keeps it",
        ),
        ("stateDiagram-v2\n  [*] --> Wet\n  Wet --> Dry: after a day", "Wet · Wet Dry after a day"),
        ("erDiagram\n  POTTER ||--o{ POT : makes", "POTTER o POT makes"),
        ('pie title Clays\n  "Stoneware" : 60\n  "Porcelain" : 40', "Clays · Stoneware · Porcelain"),
        ("%%{init: {'theme': 'dark'}}%%\nflowchart TD\n  %% a remark\n  A-->B", "A B"),
        ("---\ntitle: Kiln\n---\nflowchart TD\n  A[One]", "One"),
        (
            "gantt\n  dateFormat YYYY-MM-DD\n  section Drying\n  Turn the pot :a1, 2026-01-01, 3d",
            "Drying · Turn the pot",
        ),
        ("mindmap\n  root((Clay))\n    Stoneware\n    Porcelain", "Clay · Stoneware · Porcelain"),
        ("classDiagram\n  Pot <|-- Bowl\n  class Pot {\n    +int height\n  }", "Pot Bowl · class Pot · int height"),
        ("not a diagram {{{ at all", "not a diagram at all"),
        (
            "flowchart LR\n  subgraph one [The kiln]\n    A[/Load/]\n  end\n  subgraph Shed\n  end",
            "The kiln · Load · Shed",
        ),
        ("graph LR\n  A[One] -- goes to --> B[Two] -. back .-> A == fast ==> B", "One · goes to · Two · back · fast"),
        ("timeline\n  title Pots\n  2024 : first bowl : a vase", "Pots · 2024 first bowl a vase"),
        ("", ""),
    ],
)
def test_labels_of_a_diagram(code: str, expected: str) -> None:
    assert diagram_words(code) == expected
