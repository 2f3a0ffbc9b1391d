"""Opens and closes the valves of a greenhouse. Replace this package with yours."""

from __future__ import annotations


class Valve:
    """One valve.

    Args:
        bed: Number of the bed that it waters.
    """

    def __init__(self, bed: int) -> None:
        self.bed = bed
        self.is_open = False
        """Whether water flows."""

    def open(self, minutes: int = 5) -> str:
        """Let water flow.

        Args:
            minutes: How long.

        Returns:
            A sentence for the log.

        Raises:
            ValueError: The time is not positive.
        """
        if minutes <= 0:
            raise ValueError("water needs time")
        self.is_open = True
        return f"Bed {self.bed} gets water for {minutes} minutes."
