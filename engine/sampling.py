"""Sampling a claim with Hypothesis: the same examples on every run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine.book.domains import Range
from engine.errors import BoundError
from engine.points import Axis

EXAMPLES = 200
FARTHEST = 1_000_000


def smallest_failure(
    axes: Sequence[Axis], fails: Callable[[tuple[Any, ...]], bool]
) -> tuple[tuple[Any, ...] | None, int]:
    """A failing point, as small as Hypothesis can make it, or None; and the number of examples tried.

    Domains without end are sampled up to a distance of a million. Points that exceed the bounds of evaluation are
    passed over.
    """
    from hypothesis import HealthCheck, Phase, given, reject, settings
    from hypothesis import strategies as st

    tried = 0
    failing: list[tuple[Any, ...]] = []

    class Failed(Exception):
        pass

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
        print_blob=False,
    )
    @given(st.tuples(*(_strategy(axis) for axis in axes)))
    def look(point: tuple[Any, ...]) -> None:
        nonlocal tried
        try:
            failed = fails(point)
        except BoundError:
            reject()
        tried += not failing
        if failed:
            failing.append(point)
            raise Failed

    try:
        look()
    except Failed:
        return failing[-1], tried
    return None, tried


def _strategy(axis: Axis) -> Any:
    from hypothesis import strategies as st

    if not isinstance(axis.domain, Range):
        return st.sampled_from(axis.first(10_000))
    far = FARTHEST if axis.farthest is None else axis.farthest
    open_below = axis.domain.low is None
    # An integer's sign picks one of the two values at a distance, so that small integers stay small values.
    numbers = st.integers(-far if open_below else 0, far)
    return numbers.map(lambda n: axis.group(abs(n))[-1 if n < 0 else 0])
