"""Compiled byte-level parser of LETOR text. It finds where a line is wrong; `letor_problems` says why.

A document is ``label qid:id index:value ... # comment``. Numbers are rounded exactly: a decimal whose digits fit in 53
bits, times or over a power of ten up to 10^22, is one correctly rounded operation on two exact doubles (Clinger 1990).
Any other number is left to Python's ``float``.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np
from numba import njit

from core.kernels import kernel

MAX_INDEX = 1_000_000
MAX_RELEVANCE = 1000
"""Largest grade. Beyond 1023 the gain 2^grade - 1 is no longer finite."""

# Columns of `places`: byte positions in the text, and how many features the line lists.
QUERY_BEGIN, QUERY_END, COMMENT_BEGIN, COMMENT_END, LISTED = range(5)

_NEWLINE, _BLANK, _HASH, _PLUS, _MINUS, _POINT, _ZERO, _NINE, _COLON = (ord(c) for c in "\n #+-.09:")
_SPACE = _BLANK
_UPPER_E, _LOWER_E, _Q, _I, _D = (ord(c) for c in "Eeqid")
_POWERS = np.array([float(f"1e{k}") for k in range(23)])
_EXACT_BITS = 2**53
_MOST_DIGITS = 18
"""Digits that fit in a 64-bit mantissa for certain."""

_MARGIN = 64
"""More bytes than `_plain_pairs` looks at to read one pair."""
_TENS = np.array([10**k for k in range(_MOST_DIGITS + 1)])

# Eight bytes of text as one number, the first byte the lowest.
_BYTE = np.uint64(0xFF)
_ONES, _HIGH_BITS, _DIGIT_ZEROS, _TO_HIGH_BIT, _NEWLINES, _HASHES = (
    np.uint64(0x0101010101010101 * byte) for byte in (1, 0x80, _ZERO, 0x80 - 10, _NEWLINE, _HASH)
)
_PLACE_OF_BIT = np.uint64(0x0001020304050607)
_EVERY_FOURTH = np.uint64(0xFF | 0xFF << 32)
_UPPER_PAIRS, _LOWER_PAIRS = np.uint64(100 | 10**6 << 32), np.uint64(1 | 10**4 << 32)
_U1, _U7, _U8, _U10, _U16, _U32, _U56, _U64 = (np.uint64(k) for k in (1, 7, 8, 10, 16, 32, 56, 64))

_EXACT, _INEXACT, _NO_NUMBER = range(3)


class Stop(IntEnum):
    """Why `parse_lines` returned: the text ended, the list of inexact numbers is full, or part of a line is wrong."""

    END = 0
    FULL = 1
    LABEL = 2
    QUERY = 3
    INDEX = 4
    ORDER = 5
    VALUE = 6


@kernel
def survey(text, words, begin, end):  # type: ignore[no-untyped-def]
    """Count the documents and find the largest last index of a line and its position; hardly anything is checked.

    The lines are those of ``text[begin:end]``; ``words`` is as for `parse_lines`. In a correct line the last index is
    the largest, so this is the width of the data. An index above `MAX_INDEX` is left for `parse_lines` to report.
    """
    n_documents = 0
    width = 0
    widest_at = 0
    i = begin
    while i < end:
        first = i
        hashes = np.uint64(0)
        while i < words.size:
            hashes |= _bytes_equal(words[i], _HASHES)
            if _bytes_equal(words[i], _NEWLINES):
                break
            i += 8
        commented = hashes != 0
        while i < end and text[i] != _NEWLINE:
            commented |= text[i] == _HASH
            i += 1
        last = i
        i += 1
        while first < last and text[first] <= _BLANK:
            first += 1
        if first == last or text[first] == _HASH:
            continue
        n_documents += 1
        if commented:
            line_end = last
            last = first
            while last < line_end and text[last] != _HASH:
                last += 1
        j = last - 1
        while j >= first and text[j] != _COLON:
            j -= 1
        index = 0
        unit = 1
        j -= 1
        while j >= first and _ZERO <= text[j] <= _NINE and (unit <= MAX_INDEX or text[j] == _ZERO):
            index += unit * (text[j] - _ZERO)
            if unit <= MAX_INDEX:
                unit *= 10
            j -= 1
        if j >= first and text[j] <= _BLANK and width < index <= MAX_INDEX:
            width = index
            widest_at = j + 1
    return n_documents, width, widest_at


@njit(nogil=True, cache=True)
def _bytes_equal(word, repeated):  # type: ignore[no-untyped-def]
    """Return whether a byte of the word is the repeated one: a number that is 0 where none is (Mycroft 1987)."""
    other = word ^ repeated
    return (other - _ONES) & ~other & _HIGH_BITS


@njit(nogil=True, cache=True)
def _skip_blanks(text, i):  # type: ignore[no-untyped-def]
    while i < text.size and text[i] <= _BLANK and text[i] != _NEWLINE:
        i += 1
    return i


@njit(nogil=True, cache=True)
def _ends_token(text, i):  # type: ignore[no-untyped-def]
    return i >= text.size or text[i] <= _BLANK or text[i] == _HASH


@njit(nogil=True, cache=True)
def _number(text, i):  # type: ignore[no-untyped-def]
    """Read a decimal number from position i; return its kind, its value where exact, and the position behind it."""
    n = text.size
    negative = i < n and text[i] == _MINUS
    if i < n and (text[i] == _MINUS or text[i] == _PLUS):
        i += 1
    mantissa = 0
    n_digits = 0
    significant = 0
    exponent = 0
    in_fraction = False
    while i < n:
        byte = text[i]
        if _ZERO <= byte <= _NINE:
            n_digits += 1
            if significant > 0 or byte != _ZERO:
                significant += 1
            if significant <= _MOST_DIGITS:
                mantissa = mantissa * 10 + (byte - _ZERO)
            if in_fraction:
                exponent -= 1
        elif byte == _POINT and not in_fraction:
            in_fraction = True
        else:
            break
        i += 1
    if n_digits == 0:
        return _NO_NUMBER, 0.0, i
    if i < n and (text[i] == _LOWER_E or text[i] == _UPPER_E):
        i += 1
        sign = -1 if i < n and text[i] == _MINUS else 1
        if i < n and (text[i] == _MINUS or text[i] == _PLUS):
            i += 1
        first = i
        written = 0
        while i < n and _ZERO <= text[i] <= _NINE:
            if written < 100_000:
                written = written * 10 + (text[i] - _ZERO)
            i += 1
        if i == first:
            return _NO_NUMBER, 0.0, i
        exponent += sign * written
    value = float(mantissa)
    if significant > _MOST_DIGITS or mantissa > _EXACT_BITS or exponent < -22 or exponent > 22:
        return _INEXACT, 0.0, i
    value = value * _POWERS[exponent] if exponent >= 0 else value / _POWERS[-exponent]
    return _EXACT, (-value if negative else value), i


@njit(nogil=True, cache=True)
def _eight_digits(word):  # type: ignore[no-untyped-def]
    """Return the number that the leading digits of eight bytes are, and how many digits there are.

    Pairs of digits are added up, then pairs of pairs, then both halves (Lemire 2021, Number parsing at a gigabyte per
    second, Software: Practice and Experience 51).
    """
    digits = word ^ _DIGIT_ZEROS
    others = (
        (digits + _TO_HIGH_BIT) | digits
    ) & _HIGH_BITS  # the lowest bit is that of the first byte that is no digit
    count = _U8
    if others:
        count = ((((others & (~others + _U1)) >> _U7) * _PLACE_OF_BIT) >> _U56) & _U7
        digits = digits << (_U64 - _U8 * count) if count else np.uint64(0)
    digits = digits * _U10 + (digits >> _U8)
    digits = (digits & _EVERY_FOURTH) * _UPPER_PAIRS + ((digits >> _U16) & _EVERY_FOURTH) * _LOWER_PAIRS
    return np.int64(digits >> _U32), np.int64(count)


@njit(nogil=True, cache=True, error_model="numpy")
def _plain_pairs(words, i, until, features, row, previous):  # type: ignore[no-untyped-def]
    """Read pairs as nearly all are written: a space, an index above the previous one, a colon, at most 18 digits.

    It is one loop on purpose: numba counts references to an array at every call that takes one, and threads that share
    the text wait for each other there.

    Returns the position behind the last such pair that begins before ``until``, its index, and how many there were.
    """
    width = features.shape[1]
    n_pairs = 0
    while i < until and words[i] & _BYTE == _SPACE:
        index, digits = _eight_digits(words[i + 1])
        j = i + 1 + digits
        if digits == 8 or words[j] & _BYTE != _COLON or index <= previous or index > width:
            break
        j += 1
        negative = words[j] & _BYTE == _MINUS
        j += negative
        mantissa, digits = _eight_digits(words[j])
        if digits == 8:
            more, n_more = _eight_digits(words[j + 8])
            mantissa, digits = mantissa * _TENS[n_more] + more, 8 + n_more
        j += digits
        decimals = 0
        if words[j] & _BYTE == _POINT:
            fraction, decimals = _eight_digits(words[j + 1])
            if decimals == 8:
                more, n_more = _eight_digits(words[j + 9])
                fraction, decimals = fraction * _TENS[n_more] + more, 8 + n_more
            j += 1 + decimals
            digits += decimals
            mantissa = mantissa * _TENS[decimals] + fraction
        end = words[j] & _BYTE
        if not 0 < digits <= _MOST_DIGITS or mantissa > _EXACT_BITS or not (end <= _BLANK or end == _HASH):
            break
        value = float(mantissa) / _POWERS[decimals]
        features[row, index - 1] = -value if negative else value
        previous = index
        n_pairs += 1
        i = j
    return i, previous, n_pairs


@njit(nogil=True, cache=True)
def _same_query(text, places, row):  # type: ignore[no-untyped-def]
    """Compare the query ids of documents ``row - 1`` and ``row`` byte by byte."""
    begin, before = places[row, QUERY_BEGIN], places[row - 1, QUERY_BEGIN]
    length = places[row, QUERY_END] - begin
    if length != places[row - 1, QUERY_END] - before:
        return False
    for k in range(length):  # noqa: SIM110 - compiled: a plain loop
        if text[begin + k] != text[before + k]:
            return False
    return True


@kernel
def parse_lines(text, words, i, end_at, row, first_row, features, relevance, starts_query, places, inexact):  # type: ignore[no-untyped-def]
    """Parse whole lines from position i until ``end_at``, or until something is wrong or `inexact` is full.

    ``words`` are the eight bytes from every position on, as numbers whose lowest byte is the first. The document
    ``first_row``, the first one of these lines, is taken to start a query.

    Fills, by document, ``features`` (zeros beforehand), ``relevance``, ``starts_query`` (bool) and ``places``. For
    every number that Python must convert, it appends (flat position in features, first byte, end) to ``inexact``.
    Returns (why it stopped, position, row, used length of inexact).
    """
    n = text.size
    width = features.shape[1]
    pending = 0
    while True:
        i = _skip_blanks(text, i)
        if i >= end_at:
            return Stop.END, i, row, pending
        if text[i] == _NEWLINE:
            i += 1
            continue
        if text[i] == _HASH:
            while i < n and text[i] != _NEWLINE:
                i += 1
            continue
        if pending + width > inexact.shape[0]:
            return Stop.FULL, i, row, pending

        kind, value, end = _number(text, i)
        grade = kind == _EXACT and 0 <= value <= MAX_RELEVANCE and value == np.floor(value)
        if not grade or not _ends_token(text, end):
            return Stop.LABEL, i, row, pending
        relevance[row] = np.int32(value)

        i = _skip_blanks(text, end)
        named = i + 4 < n and text[i] == _Q and text[i + 1] == _I and text[i + 2] == _D and text[i + 3] == _COLON
        if not named or _ends_token(text, i + 4):
            return Stop.QUERY, i, row, pending
        i += 4
        places[row, QUERY_BEGIN] = i
        while not _ends_token(text, i):
            i += 1
        places[row, QUERY_END] = i
        starts_query[row] = row == first_row or not _same_query(text, places, row)

        previous = 0
        listed = 0
        while True:
            i, previous, n_plain = _plain_pairs(words, i, n - _MARGIN, features, row, previous)
            listed += n_plain
            i = _skip_blanks(text, i)
            if _ends_token(text, i):
                break
            index = 0
            j = i
            while j < n and _ZERO <= text[j] <= _NINE:
                if index <= MAX_INDEX:
                    index = index * 10 + (text[j] - _ZERO)
                j += 1
            if j == i or j >= n or text[j] != _COLON or index == 0 or index > MAX_INDEX:
                return Stop.INDEX, i, row, pending
            if index <= previous:
                return Stop.ORDER, i, row, pending
            kind, value, end = _number(text, j + 1)
            if kind == _NO_NUMBER or not _ends_token(text, end):
                return Stop.VALUE, j + 1, row, pending
            # An index beyond the width comes only before a descending one, which the next turn reports.
            if index <= width:
                features[row, index - 1] = value
                if kind == _INEXACT:
                    inexact[pending, 0] = row * width + index - 1
                    inexact[pending, 1] = j + 1
                    inexact[pending, 2] = end
                    pending += 1
            previous = index
            listed += 1
            i = end
        places[row, LISTED] = listed

        if i < n and text[i] == _HASH:
            places[row, COMMENT_BEGIN] = i + 1
            while i < n and text[i] != _NEWLINE:
                i += 1
            places[row, COMMENT_END] = i
        row += 1
