"""Prints how many slips in a system's procedures and formulas the suite notices. Exit status 1 below 90 %."""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from tabulate import tabulate

from engine.errors import RawError
from tests.mutants.formulas import RuleMutant
from tests.mutants.operators import Mutant
from tests.mutants.trial import Trial, Verdict, bench, run

ROOT = Path(__file__).parents[2]
GOAL = 90
SEED = 4


def main(words: Sequence[str] | None = None) -> int:
    """Judges one system."""
    given = _given(words)
    began = time.monotonic()
    with bench(given.system, given.books, given.code) as made:
        every: list[Mutant | RuleMutant] = [*made.code_mutants(), *made.rule_mutants()]
        chosen = [m for m in every if given.only in " ".join(_place(m))]
        if 0 < given.sample < len(chosen):
            kept = sorted(random.Random(SEED).sample(range(len(chosen)), given.sample))
            chosen = [chosen[number] for number in kept]
        print(f"{len(every)} changes, {len(chosen)} of them tried, {len(made.probes)} items", file=sys.stderr)
        trials: list[Trial] = [
            partial(made.try_code, m) if isinstance(m, Mutant) else partial(made.try_rule, m) for m in chosen
        ]
        verdicts = run(trials, given.jobs, partial(_progress, len(trials)))
        left = made.left_alone()
    tried = [(m, v) for m, v in zip(chosen, verdicts, strict=True) if v.state != "void"]
    shares = _print_table(tried)
    _print_survivors(tried)
    for file, names in left.items():
        print(f"\nnot changed in {_short(file)}, for no procedure uses it: {', '.join(names)}")
    print(f"\n{given.system}: {len(tried)} mutants in {time.monotonic() - began:.0f} s", end="")
    print(f", a sample of {len(every)}" if len(chosen) < len(every) else "")
    return 1 if any(share < GOAL for share in shares) else 0


def _given(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("system", help="a folder of spec/")
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="try N changes, always the same ones")
    parser.add_argument("--only", default="", metavar="TEXT", help="only where TEXT is in the file, function or clause")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="processes at a time")
    parser.add_argument("--books", type=Path, default=ROOT / "spec", help=argparse.SUPPRESS)
    parser.add_argument("--code", type=Path, default=ROOT / "engine" / "systems", help=argparse.SUPPRESS)
    given = parser.parse_args(words)
    if not (given.books / given.system / "book.toml").is_file():
        parser.error(f"{given.system[:60]}: there is no such system in {given.books}")
    return given


def _progress(of: int, done: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{done} of {of}", end="" if done < of else "\n", file=sys.stderr, flush=True)
    elif done == of or not done % 200:
        print(f"{done} of {of}", file=sys.stderr, flush=True)


def _place(mutant: Mutant | RuleMutant) -> tuple[str, str]:
    """The file of a change, and the function or clause in it."""
    if isinstance(mutant, Mutant):
        return _short(mutant.module.file), mutant.function or "(module)"
    return _short(Path(mutant.clause.place.file)), f"{mutant.clause.id} {mutant.rule.name}"


def _short(file: Path) -> str:
    file = file.resolve()
    return file.relative_to(ROOT).as_posix() if file.is_relative_to(ROOT) else file.name


def _print_table(tried: Sequence[tuple[Mutant | RuleMutant, Verdict]]) -> list[float]:
    """Prints the numbers of each place; gives the percentages of the procedures and of the formulas."""
    counts: dict[tuple[str, str, str], Counter[str]] = {}
    for mutant, verdict in tried:
        kind = "procedures" if isinstance(mutant, Mutant) else "formulas"
        file, place = _place(mutant)
        # A book has hundreds of formulas: those of which no change survives stand together.
        for key in ((kind, file, place), (kind, file, ""), (kind, "", "")):
            counts.setdefault(key, Counter())[verdict.state] += 1
    rows = []
    shares = []
    for key in sorted(counts):
        (kind, file, place), states = key, counts[key]
        of, alive = states.total() - states["same"], states["survived"]
        share = 100 * (of - alive) / of if of else 100
        if not file:
            shares.append(share)
        if kind == "formulas" and place and not alive:
            continue
        name = f". . {place}" if place else f". {file}" if file else kind.upper()
        numbers = (states["killed"], states["timed out"], alive, states["same"])
        rows.append((name, states.total(), *(n or "" for n in numbers), f"{share:.1f} %"))
    heads = ["place", "mutants", "killed", "timed out", "survived", "proved same", "noticed"]
    print(tabulate(rows, heads, disable_numparse=True, colalign=("left",) + ("right",) * 6))
    return shares


def _print_survivors(tried: Sequence[tuple[Mutant | RuleMutant, Verdict]]) -> None:
    titles = {
        "survived": "survived",
        "timed out": "timed out: the suite would not end, so they are noticed",
        "same": "proved to give the same everywhere: left out of the percentages",
    }
    for state, title in titles.items():
        some = [(m, v) for m, v in tried if v.state == state]
        if some:
            print(f"\n{len(some)} {title}\n")
        for mutant, verdict in some:
            file, place = _place(mutant)
            line = mutant.line if isinstance(mutant, Mutant) else mutant.clause.place.line
            operator = mutant.operator if isinstance(mutant, Mutant) else "formula"
            before, after = mutant.diff() if isinstance(mutant, Mutant) else (mutant.before, mutant.after)
            asked = f"{verdict.asked} items" if verdict.asked else "no item reaches it"
            print(f"{file}:{line} in {place} [{operator}; {verdict.by or asked}]\n  - {before}\n  + {after}")
            if verdict.note:
                print(f"    ({verdict.note})")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except RawError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
