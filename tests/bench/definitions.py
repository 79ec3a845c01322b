"""One definition, exactly, under every reading; beside simpleeval's floats and sympy's subs."""

from __future__ import annotations

import tempfile
from pathlib import Path

import sympy
from simpleeval import SimpleEval

from engine.book.load import load_book
from engine.readings import Engine
from tests.bench.books import write_large
from tests.bench.clock import Row, seconds

FORMULA = "max(5, min(95, round(50 + (A - DEF) / DEF * 50)))"


def rows() -> list[Row]:
    """Microseconds of a call, and how others fare on the same formula."""
    with tempfile.TemporaryDirectory() as folder:
        engine = Engine(load_book(write_large(Path(folder), 1, 2)))
    # Other inputs at each call: sympy remembers answers that it has given.
    calls = [{"A": attack, "DEF": 30} for attack in range(16, 60)]
    assert engine.ask("chance_1", {"A": 20, "DEF": 30}).value == 33
    ours = seconds(lambda: [engine.ask("chance_1", given) for given in calls], calls=50) / len(calls)
    tie = seconds(lambda: engine.ask("chance_1", {"A": 27, "DEF": 20}), calls=1000)
    theirs = SimpleEval(functions={"max": max, "min": min, "round": round})

    def floats(text: str, parsed: object) -> None:
        for given in calls:
            theirs.names = given
            theirs.eval(text, previously_parsed=parsed)

    tree = theirs.parse(FORMULA)
    parsed = seconds(lambda: floats(FORMULA, tree), calls=50) / len(calls)
    whole = seconds(lambda: floats(FORMULA, None), calls=20) / len(calls)
    a, d = sympy.symbols("A DEF", positive=True)
    expression = sympy.Max(5, sympy.Min(95, sympy.floor(50 + (a - d) / d * 50 + sympy.Rational(1, 2))))
    assert expression.subs({a: 20, d: 30}) == 33

    def symbols() -> None:
        sympy.core.cache.clear_cache()
        for given in calls:
            expression.subs({a: given["A"], d: given["DEF"]})

    slow = seconds(symbols, rounds=2) / len(calls)
    return [
        Row("one definition under every reading", f"{ours * 1e6:.1f} µs", "≤ 20 µs", ours <= 20e-6),
        Row("  … against simpleeval's inexact answer", f"{ours / whole:.2f}×", "≤ 1×", ours <= whole),
        Row("  … against simpleeval, parsed before", f"{ours / parsed:.2f}×", "no budget", None),
        Row("  … against sympy subs", f"1/{slow / ours:.0f}", "≤ 1/100", slow / ours >= 100),
        Row("  … at a tie, where three readings differ", f"{tie * 1e6:.1f} µs", "no budget", None),
    ]
