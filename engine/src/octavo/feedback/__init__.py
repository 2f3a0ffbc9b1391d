"""What readers answer to "Was this page helpful?": counted for each page, and nothing else is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from octavo.lazy import export_lazily

if TYPE_CHECKING:
    from octavo.feedback.routes import feedback_route
    from octavo.feedback.store import FeedbackStore, PageFeedback
else:
    __getattr__ = export_lazily(
        __name__,
        {"routes": ("feedback_route",), "store": ("FeedbackStore", "PageFeedback")},
    )

__all__ = ["FeedbackStore", "PageFeedback", "feedback_route"]
