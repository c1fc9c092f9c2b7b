"""How long wrong passwords wait for their answer, by the address that they come from."""

from __future__ import annotations

import ipaddress
from collections import OrderedDict
from dataclasses import dataclass

FIRST = 1.0  # seconds that a wrong password waits at least
FREE = 4  # wrong passwords of an address before they wait longer
LONGEST = 30.0  # seconds between two answers to an address
PATIENCE = 60.0  # seconds that an answer waits at most, however many are before it
RIGHT = 2.0  # seconds that the right password waits at most
FORGIVEN = 60.0  # seconds after which an address has one wrong password less
ADDRESSES = 10_000  # that are remembered; the one that has been quiet longest makes room


@dataclass
class _Record:
    wrong: float = 0.0
    seen: float = 0.0
    answered: float = 0.0


class BackOff:
    """Wrong passwords of each address; the time comes from outside, in seconds of any monotonic clock."""

    def __init__(self) -> None:
        self._records: OrderedDict[str, _Record] = OrderedDict()

    def __len__(self) -> int:
        return len(self._records)

    def wrong(self, address: str, now: float) -> tuple[int, float]:
        """Note a wrong password; return how many the address has by now, and the seconds until the answer.

        Answers to one address leave one after the other, ever further apart, so asking at the same time gains nothing.
        """
        record = self._records.setdefault(address, _Record(seen=now))
        self._records.move_to_end(address)
        if len(self._records) > ADDRESSES:
            self._records.popitem(last=False)
        record.wrong = self._left(record, now) + 1.0
        record.seen = now
        record.answered = min(max(record.answered, now) + _apart(record.wrong), now + PATIENCE)
        return round(record.wrong), record.answered - now

    def right(self, address: str, now: float) -> float:
        """Return the seconds that the right password waits, so that its answer tells a guesser nothing at once."""
        record = self._records.get(address)
        wrong = 0.0 if record is None else self._left(record, now)
        return 0.0 if wrong < FREE else min(_apart(wrong), RIGHT)

    def _left(self, record: _Record, now: float) -> float:
        return max(record.wrong - (now - record.seen) / FORGIVEN, 0.0)


def _apart(wrong: float) -> float:
    """Seconds between the answers to an address with so many wrong passwords."""
    return float(min(FIRST * 2.0 ** max(min(wrong, 64.0) - FREE, 0.0), LONGEST))


def client_address(client: tuple[str, int] | None) -> str:
    """The address that counts: an IPv4 address, or the network of 64 bits that an IPv6 address belongs to.

    Who is given one IPv6 address is given 2^64 of them.
    """
    if client is None:
        return "unknown"
    try:
        address = ipaddress.ip_address(client[0].partition("%")[0])
    except ValueError:
        return client[0][:64]
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.IPv6Network((address, 64), strict=False))
