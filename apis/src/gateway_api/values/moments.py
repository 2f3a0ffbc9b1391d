"""Moments: stored as microseconds since 1970 in UTC, which sort and compare exactly in every database."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST, _LAST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def now_us() -> int:
    """Read the clock."""
    return to_us(datetime.now(UTC))


def to_us(moment: datetime) -> int:
    """Turn a moment with a time zone into microseconds."""
    return (moment - _EPOCH) // _MICROSECOND


def from_us(microseconds: int) -> datetime:
    """Turn microseconds into a moment in UTC; what is beyond the calendar becomes its first or last moment."""
    try:
        return _EPOCH + timedelta(microseconds=microseconds)
    except OverflowError:
        return _FIRST if microseconds < 0 else _LAST
