"""A battle of parties (BP-7.21)."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.errors import CallError
from engine.procedures import Rules, invariant, procedure
from engine.systems.breaking_point.defence import take_blow
from engine.systems.breaking_point.duel import Fighter, after, enter


@dataclass(frozen=True, slots=True, kw_only=True)
class Member(Fighter):
    """A fighter of a party. Without a player it has one of its own; without a wish it aims at the slowest."""

    name: str
    SPD: int
    player: str | None = None
    wish: int | None = None


@dataclass(frozen=True, slots=True)
class Agreement:
    """Whether each side knew of the fight beforehand, and whom the GM lets begin where that is the GM's to say."""

    first_aware: bool = False
    second_aware: bool = False
    GM_choice: str = "initiator"


@dataclass(frozen=True, slots=True)
class Strike:
    """Who struck whom in which round, and whether it killed."""

    round: int
    striker: str
    target: str
    killed: bool


@dataclass(frozen=True, slots=True)
class PartyBattle:
    """How a battle of parties ended."""

    winner: str
    rounds: int
    blows: int
    dead: tuple[str, ...]
    fighters: tuple[Member, ...]
    strikes: tuple[Strike, ...]


@procedure
def party_battle(
    rules: Rules,
    a: tuple[Member, ...],
    b: tuple[Member, ...],
    initiator: str,
    agreement: Agreement | None = None,
) -> PartyBattle:
    """Rounds in which everybody strikes once, until a side is beaten or nothing can change any more."""
    names = [member.name for member in (*a, *b)]
    if not a or not b or len(set(names)) < len(names):
        raise CallError("a party without fighters, or two of one name", "name each fighter once, on either side")
    if initiator not in names:
        raise CallError(f"{initiator[:60]} begins, and is in neither party", f"one of {', '.join(names)}")
    fight = _Fight(rules, {"a": a, "b": b})
    if not fight.beaten():
        fight.open(initiator, agreement or Agreement())
    return fight.play()


class _Fight:
    """A battle while it goes on. Its fighters are immutable; who stands where changes here."""

    def __init__(self, rules: Rules, sides: Mapping[str, Sequence[Member]]) -> None:
        self._rules = rules
        self._now = {m.name: _member(enter(m)) for side in sides.values() for m in side}
        self._side = {m.name: side for side, members in sides.items() for m in members}
        self._size = {side: len(members) for side, members in sides.items()}
        self._dead = [name for name in self._now if rules.dies(HEL=self._now[name].HEL)]
        self._strikes: list[Strike] = []
        self._speed: bool = rules.party_rules_apply(size_a=self._size["a"], size_b=self._size["b"])
        self._opener = ""

    # --- order -----------------------------------------------------------------------

    def open(self, initiator: str, agreement: Agreement) -> None:
        """Settles who strikes first."""
        rules, own = self._rules, self._side[initiator]
        side = {"initiator": own, "target": _other(own)}
        aware = {"first_aware": agreement.first_aware, "second_aware": agreement.second_aware}
        by_GM = self._ranked(side[agreement.GM_choice])[0]
        if not self._speed:
            chosen = side[rules.first_striker(**aware, GM_choice=agreement.GM_choice)]
            self._opener = initiator if chosen == own else by_GM
        elif rules.GM_opens(**aware):
            self._opener = by_GM
        else:
            own_fastest, other_fastest = self._ranked(own)[0], self._ranked(_other(own))[0]
            who = rules.party_opener(SPD_own=self._now[own_fastest].SPD, SPD_other=self._now[other_fastest].SPD)
            self._opener = {
                "initiator": initiator,
                "own fastest": own_fastest,
                "other fastest": other_fastest,
                "GM": by_GM,
            }[who]
        rules.step("strikes first", self._opener, "BP-7.9")

    def _ranked(self, side: str) -> list[str]:
        """The living of a side in the order in which they strike; equals as the GM lists them."""
        names = [name for name in self._living(side) if name != self._opener]
        if self._speed and len(names) > 1:
            fastest_first = sorted(names, key=lambda name: -self._now[name].SPD)
            if self._rules.place_fixed_by_SPD(place=2):
                names = fastest_first
            elif self._opener not in self._living(side):
                names = [fastest_first[0], *(name for name in names if name != fastest_first[0])]
        return [self._opener, *names] if self._opener in self._living(side) else names

    def _round(self) -> list[str]:
        """Everybody who strikes in this round, in order."""
        first = self._side[self._opener]
        mine, theirs = self._striking(first), self._striking(_other(first))
        if len(mine) == len(theirs) == 1:
            return mine + theirs
        turns = self._rules.reading("Q60")
        if turns == "alternate":
            pairs = itertools.zip_longest(mine, theirs)
            return [name for pair in pairs for name in pair if name is not None]
        if turns == "individuals" and self._speed:
            everybody = sorted(mine + theirs, key=lambda name: -self._now[name].SPD)
            return sorted(everybody, key=lambda name: name != self._opener)
        return mine + theirs

    def _striking(self, side: str) -> list[str]:
        """The living of a side that have an attack in this round."""
        names = self._ranked(side)
        players = list(dict.fromkeys(self._player(name) for name in names))
        if len(players) == len(names):
            return names
        attacks = self._rules.attacks_a_turn(player_count=len(players), characters=len(names))
        first_of_each = [next(name for name in names if self._player(name) == player) for player in players]
        return names if attacks == len(names) else first_of_each

    def _player(self, name: str) -> tuple[str, str]:
        player = self._now[name].player
        return ("own", name) if player is None else ("player", player)

    # --- a round ---------------------------------------------------------------------

    def play(self) -> PartyBattle:
        """Rounds until the end."""
        number = 0
        while not self.beaten():
            number += 1
            before = dict(self._now)
            self._play_round(number)
            if self._now == before:
                self._rules.step("a whole round changed nothing", "stalemate", "BP-8.15")
                return self._ended("stalemate", number)
        beaten = self.beaten()
        return self._ended("nobody" if len(beaten) > 1 else _other(beaten[0]), number)

    def _play_round(self, number: int) -> None:
        struck = dict.fromkeys(self._size, 0)
        for striker in self._round():
            if striker in self._dead and not self._answers():
                continue
            side = self._side[striker]
            struck[side] += 1
            for target in self._targets(striker, struck[side], number):
                self._strike(number, striker, target)
                if self.beaten() and not self._answers():
                    return

    def _answers(self) -> bool:
        """Whether the killed still have their turn in the round in which they died."""
        answers: bool = self._rules.both_die(first_kills=True, second_kills=True)
        return answers

    def _targets(self, striker: str, nth: int, number: int) -> list[str]:
        side = self._side[striker]
        enemies = self._living(_other(side))
        if self._speed:
            enemies.sort(key=lambda name: self._now[name].SPD)
        if len(enemies) <= 1:
            return enemies
        answering = number > 1 or side != self._side[self._opener]
        if answering and self._living(side) == [striker] and self._rules.struck_back(attackers=len(enemies)) > 1:
            return enemies
        wish = self._now[striker].wish or 1
        place = min(wish, len(enemies))
        if self._speed:
            place = self._rules.victim_place(nth=nth, wish=wish, living=len(enemies))
        return [enemies[place - 1]]

    def _strike(self, number: int, striker: str, target: str) -> None:
        who = self._now[striker]
        self._rules.step(f"{striker} strikes {target}", who.AP, "BP-7.14", round=number)
        blow = take_blow(self._rules, who.AP, who.OFF, self._now[target])
        self._now[target] = _member(after(self._now[target], blow))
        self._strikes.append(Strike(number, striker, target, blow.dead))
        if blow.dead:
            self._dead.append(target)

    # --- state -----------------------------------------------------------------------

    def _living(self, side: str) -> list[str]:
        return [name for name, own in self._side.items() if own == side and name not in self._dead]

    def beaten(self) -> list[str]:
        """The sides that have lost."""
        fallen = {side: size - len(self._living(side)) for side, size in self._size.items()}
        return [
            side
            for side, size in self._size.items()
            if self._rules.side_is_beaten(fallen=fallen[side], fled=0, size=size)
        ]

    def _ended(self, winner: str, rounds: int) -> PartyBattle:
        blows = len(self._strikes)
        return PartyBattle(winner, rounds, blows, tuple(self._dead), tuple(self._now.values()), tuple(self._strikes))


def _other(side: str) -> str:
    return "b" if side == "a" else "a"


def _member(fighter: Fighter) -> Member:
    assert isinstance(fighter, Member)
    return fighter


@invariant(party_battle)
def nobody_in_a_party_gains_by_fighting(_rules: Rules, inputs: Mapping[str, Any], outcome: PartyBattle) -> bool:
    """Nobody leaves a battle with more ARM or HEL than at its beginning."""
    began = {member.name: member for member in (*inputs["a"], *inputs["b"])}
    return all(m.ARM <= began[m.name].ARM and m.HEL <= began[m.name].HEL for m in outcome.fighters)


@invariant(party_battle)
def the_dead_are_those_without_health(rules: Rules, _inputs: Mapping[str, Any], outcome: PartyBattle) -> bool:
    """The dead are those whose health is used up, each once."""
    return sorted(outcome.dead) == sorted(m.name for m in outcome.fighters if rules.dies(HEL=m.HEL))


@invariant(party_battle)
def nobody_dead_strikes(rules: Rules, _inputs: Mapping[str, Any], outcome: PartyBattle) -> bool:
    """Nobody dead strikes: not after the round of his death, and in it only if a killed target still has its turn."""
    answers = rules.both_die(first_kills=True, second_kills=True)
    died: dict[str, int] = {}
    for strike in outcome.strikes:
        if strike.striker in died and (strike.round > died[strike.striker] or not answers):
            return False
        if strike.killed:
            died[strike.target] = strike.round
    return True


@invariant(party_battle)
def a_beaten_party_has_lost_somebody(_rules: Rules, inputs: Mapping[str, Any], outcome: PartyBattle) -> bool:
    """The beaten have lost somebody, and a side of which all are dead has not won."""
    sides = {side: {member.name for member in inputs[side]} for side in ("a", "b")}
    gone = {side: names <= set(outcome.dead) for side, names in sides.items()}
    if outcome.winner in sides:
        return not gone[outcome.winner] and not sides[_other(outcome.winner)].isdisjoint(outcome.dead)
    return outcome.winner == "nobody" or not any(gone.values())
