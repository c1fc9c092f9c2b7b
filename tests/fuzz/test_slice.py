"""A slice of the fuzz; ``make test-more`` runs it for ``FUZZ_SECONDS``.

A mutation fuzzer that is guided by answers: an input whose answer is new in kind becomes an example itself.
"""

import gzip
import os
import random
import re
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.fuzz.targets import TARGETS, Target
from tests.stand_ins import at_most

SECONDS = float(os.environ.get("FUZZ_SECONDS", "25"))


@pytest.fixture(autouse=True)
def _small_limits_and_an_own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SPARSE_RANK_LARGEST_FILE", "4M")
    monkeypatch.setenv("SPARSE_RANK_CACHE", str(tmp_path / "cache"))


@pytest.mark.parametrize(
    ("inputs", "seconds"), [(10 * len(TARGETS), float("inf")), pytest.param(10**9, SECONDS, marks=pytest.mark.more)]
)
def test_whatever_comes_in_is_read_or_refused_in_one_line_and_in_time(inputs: int, seconds: float) -> None:
    """Every example and some changes; or as long as it may take, in which a machine that is busy tries fewer."""
    found = fuzz(tuple(TARGETS), inputs=inputs, seed=20_261_122, seconds=seconds)
    assert not found.faults
    assert found.runs >= 10 * len(TARGETS)


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.name)
def test_the_examples_are_read_so_that_their_changes_go_deep(target: Target) -> None:
    found = Found()
    answers = [answer(target, seed, found) for seed in target.seeds]
    assert not found.faults
    assert f"{target.name}: read" in answers


def test_a_fault_is_found() -> None:
    def broken(content: bytes) -> None:
        if content.count(b"\0"):
            raise KeyError(content)

    targets = (Target("broken", broken, (b"some text",)),)
    found = fuzz(targets, inputs=2000, seed=1)
    assert [fault.split(":")[1].strip() for fault in found.faults] == ["KeyError"]


SLOWEST = 5.0
"""Seconds of the processor that an input of some kilobytes may take at most."""
_LONGEST = 20_000
_WORDS = (
    "\n \r\n , ; \t : # \" ' \0 \ufeff qid: nan inf -inf 1e400 1e-400 -0 1_000 ٣ é 0x1A 99999999999999999999 1000000:1 "
    "0:1 ? NA [ ] { } null true NaN 1e5 . + - = \x1f -- \x1b[2J class relevance %s ../ \\ 1,5 2147483648"
)
_TOKENS = (b"", b" ", b"\xff", b"\xc3", b"1" * 400, *(word.encode() for word in _WORDS.split(" ")))


@dataclass
class Found:
    """What the fuzz has found in so many runs: kinds of answers, by target, and an input for every kind of fault."""

    runs: int = 0
    answers: set[str] = field(default_factory=set)
    faults: dict[str, bytes] = field(default_factory=dict)


def fuzz(targets: tuple[Target, ...], inputs: int, seed: int, seconds: float = float("inf")) -> Found:
    """Run so many inputs, or as long, in turns."""
    chance = random.Random(seed)
    found, examples = Found(), {target.name: list(target.seeds) for target in targets}
    begun = time.perf_counter()
    for number in range(inputs):
        target = targets[number % len(targets)]
        kept = examples[target.name]
        content = kept[number // len(targets)] if number // len(targets) < len(target.seeds) else mutated(kept, chance)
        kind = answer(target, content, found)
        if kind not in found.answers:
            found.answers.add(kind)
            kept.append(content)
        found.runs += 1
        if time.perf_counter() - begun > seconds:
            break
    return found


def answer(target: Target, content: bytes, found: Found) -> str:
    """Run one input and return the kind of its answer; a fault is noted."""
    try:
        with at_most(SLOWEST):
            target.run(content)
        said = "read"
    except target.refuses_with as error:
        said = str(error)
        if "\n" in said and not isinstance(error, OSError) and target.name != "arguments":
            found.faults.setdefault(f"{target.name}: more than one line: {said[:80]!r}", content)
        if not said.strip():
            found.faults.setdefault(f"{target.name}: refused without a word", content)
    except Exception as error:  # the point of it: whatever else comes is a fault
        said = f"{type(error).__name__}: {error}"
        found.faults.setdefault(f"{target.name}: {kind_of(said)}", content)
    return f"{target.name}: {kind_of(said)}"


def kind_of(said: str) -> str:
    """A sentence without what is particular to an input."""
    return re.sub(r"'(?:[^'\\]|\\.)*'|\"[^\"]*\"|[0-9]+|“[^”]*”", "_", said)[:70]


def mutated(examples: list[bytes], chance: random.Random) -> bytes:
    """Change an example in a few places, or splice two."""
    content = bytearray(chance.choice(examples))
    for _ in range(chance.choice((1, 1, 2, 3, 6))):
        at = chance.randrange(len(content) + 1)
        end = min(at + chance.choice((0, 1, 1, 4, 20)), len(content))
        match chance.randrange(8):
            case 0:
                content[at:end] = chance.choice(_TOKENS)
            case 1:
                content[at:at] = chance.choice(_TOKENS)
            case 2:
                del content[at:end]
            case 3 if at < len(content):
                content[at] ^= 1 << chance.randrange(8)
            case 4:
                content[at:at] = content[at:end] * chance.choice((1, 2, 50))
            case 5 if numbers := list(re.finditer(rb"[0-9.]+", content)):
                number = chance.choice(numbers)
                content[number.start() : number.end()] = chance.choice(_TOKENS)
            case 6:
                other = chance.choice(examples)
                content[at:] = other[chance.randrange(len(other) + 1) :]
            case _:
                del content[at:]
        del content[_LONGEST:]
    result = bytes(content)
    return gzip.compress(result, 1, mtime=0) if chance.random() < 0.02 else result
