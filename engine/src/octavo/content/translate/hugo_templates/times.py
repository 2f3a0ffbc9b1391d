"""Dates in templates of Hugo: `.Date.Format "January 2, 2006"`."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

from octavo.lazy import regex as re

_LAYOUT = re.compile(
    r"January|Monday|Jan(?![a-z])|Mon(?![a-z])|2006|Z07:00|-07:00|-0700|MST|PM|pm|15|01|02|03|04|05|06|_2|1|2|3|4|5"
)
_NAMED = {
    ":date_full": "Monday, January 2, 2006",
    ":date_long": "January 2, 2006",
    ":date_medium": "Jan 2, 2006",
    ":date_short": "1/2/06",
    ":time_full": "15:04:05 MST",
    ":time_long": "15:04:05 MST",
    ":time_medium": "15:04:05",
    ":time_short": "15:04",
    "RFC3339": "2006-01-02T15:04:05Z07:00",
}
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
           "December")  # fmt: skip
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
"""In English, as Go writes them, whatever language the machine is set to."""


def read_time(value: Any) -> datetime:
    """Read a date of front matter, a text, or seconds since 1970.

    Raises:
        ValueError: it is none of these.
    """
    if isinstance(value, datetime):
        return value
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    if isinstance(value, (int, float)):
        return datetime.fromtimestamp(value, UTC)
    text = str(value).strip()
    try:
        return datetime.fromisoformat(text.replace(" UTC", "+00:00"))
    except ValueError:
        match = re.fullmatch(r"(?:\w+, )?(\w+) (\d{1,2}),? (\d{4})", text)
        number = next((at for at, name in enumerate(_MONTHS, 1) if match and match[1][:3] == name[:3]), 0)
        if match is None or not number:
            raise ValueError(f"{text[:40]} is not a date that is known") from None
        return datetime(int(match[3]), number, int(match[2]), tzinfo=UTC)


def write_time(layout: str, value: Any) -> str:
    """Write a date as Go does: the layout is the second of January 2006, at 15:04:05.

    Raises:
        ValueError: the value is not a date.
    """
    time = read_time(value)
    hour = time.hour % 12 or 12
    offset = time.strftime("%z") or "+0000"
    signs = {
        "January": _MONTHS[time.month - 1],
        "Jan": _MONTHS[time.month - 1][:3],
        "Monday": _DAYS[time.weekday()],
        "Mon": _DAYS[time.weekday()][:3],
        "2006": f"{time.year:04}",
        "06": f"{time.year % 100:02}",
        "01": f"{time.month:02}",
        "1": str(time.month),
        "02": f"{time.day:02}",
        "_2": f"{time.day:2}",
        "2": str(time.day),
        "15": f"{time.hour:02}",
        "03": f"{hour:02}",
        "3": str(hour),
        "04": f"{time.minute:02}",
        "4": str(time.minute),
        "05": f"{time.second:02}",
        "5": str(time.second),
        "PM": "AM" if time.hour < 12 else "PM",
        "pm": "am" if time.hour < 12 else "pm",
        "MST": "UTC" if offset == "+0000" else offset,
        "-0700": offset,
        "-07:00": f"{offset[:3]}:{offset[3:]}",
        "Z07:00": "Z" if offset == "+0000" else f"{offset[:3]}:{offset[3:]}",
    }
    return _LAYOUT.sub(lambda match: signs[match[0]], _NAMED.get(layout, layout))


class Time:
    """A date that templates ask for its parts."""

    def __init__(self, value: datetime) -> None:
        self.value = value

    def field(self, name: str) -> Any:
        """Give a part of it.

        Raises:
            LookupError: it is not known here.
        """
        time = self.value
        parts: dict[str, Any] = {
            "Year": time.year,
            "Month": _MONTHS[time.month - 1],
            "Day": time.day,
            "Weekday": _DAYS[time.weekday()],
            "Hour": time.hour,
            "Minute": time.minute,
            "Second": time.second,
            "YearDay": time.timetuple().tm_yday,
            "Unix": int(time.timestamp()) if time.year > 1 else 0,
            "IsZero": time.year == 1,
            "Format": lambda layout: write_time(str(layout), time),
            "String": str(time),
            "UTC": self,
            "Local": self,
        }
        if name not in parts:
            raise LookupError(f"the field {name} of a date is not known")
        return parts[name]

    def __bool__(self) -> bool:
        return self.value.year > 1

    def __str__(self) -> str:
        return write_time("2006-01-02 15:04:05 -0700 MST", self.value)

    def sort_key(self) -> float:
        """Give what dates are ordered by."""
        return self.value.replace(tzinfo=self.value.tzinfo or UTC).timestamp() if self else 0.0
