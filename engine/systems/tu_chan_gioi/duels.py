"""Whole fights as the solver wants them: builds and bots as data, a turn at a time."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from engine.duel.kits import duel
from engine.procedures import Rules
from engine.systems.tu_chan_gioi.fights import settle_first, turn
from engine.systems.tu_chan_gioi.states import Fighter, Side

Low = Literal["pill", "guard"]
ROOM = 100_000  # hit points that no blow takes away and no pill fills up


@dataclass(frozen=True, slots=True)
class Build:
    """A fighter before realm and stage: modifiers, grades, and what is carried. `HP`: fewer than the maximum."""

    the_phach: int
    than_phap: int
    than_thuc: int
    the_chat: int = 0
    cong_phap: int = 0
    pills: int = 0
    injuries: int = 0
    HP: int | None = None


@dataclass(frozen=True, slots=True)
class Bot:
    """Casts while it can pay, or never; at or below a share of its maximum HP it first tries what is listed."""

    arts: bool = True
    low_at: int | Fraction = 0
    when_low: tuple[Low, ...] = ()


@dataclass(frozen=True, slots=True)
class State:
    """A moment between two turns.

    `actor` is whose turn it is (0 player, 1 foe, −1 not settled yet). `place` is the number of turns of this round that
    are over, where each round settles its order anew; else it stays 0. `low` says which sides are low; None: their hit
    points do.
    """

    fighters: tuple[Fighter, Fighter]
    place: int
    actor: int
    low: tuple[bool, bool] | None = None


# What changes in a fight beside hit points: linh lực, pills, injuries, guard.
Sheet = tuple[int, int, int, bool]
Mode = tuple[int, int, Sheet, Sheet]


class TuDuel:
    """A fight between two builds, by their bots."""

    unit = 1

    def __init__(self, rules: Rules, fighters: tuple[Fighter, Fighter], bots: tuple[Bot, Bot]) -> None:
        self._bots = bots
        self._fighters = fighters
        self._anew: bool = rules.initiative_is_settled_anew()
        self._rules = rules
        self._halves: bool = rules.rounds_of(turns=1) != 1 or rules.rounds_of(turns=3) != 2
        # Fought in one order throughout, turns need no place: a round that the foe began ends with the player's turn.
        self.turnabout = not self._anew and not self._halves
        # Where 0 HP still stand (TU-Q54), everything is counted one higher: the solver knows a fall by 0.
        self._above = 0 if rules.beaten(HP=0) else 1
        shares = (int(bot.low_at * one.HP_max) for bot, one in zip(bots, fighters, strict=True))
        asked = [
            share if "guard" in bot.when_low or ("pill" in bot.when_low and one.pills) else -1
            for bot, one, share in zip(bots, fighters, shares, strict=True)
        ]
        self.low = (_raised(asked[0], self._above), _raised(asked[1], self._above))
        first, second = (self._greatest(rules, one) + self._above for one in fighters)
        self.most = (first, second)
        self._injuries = (self._gravest(rules, *fighters), self._gravest(rules, *reversed(fighters)))

    @staticmethod
    def _greatest(rules: Rules, one: Fighter) -> int:
        """The most hit points that a fighter can come to have by its pills."""
        HP = max(one.HP, one.HP_max)
        for _ in range(one.pills):
            rolled = rules.pill_dice(cap=one.cap) * rules.pill_die_sides()
            HP = rules.hp_after_pill(HP=HP, HP_max=one.HP_max, healed=rules.pill_heal(rolled=rolled, cap=one.cap))
        return HP

    @staticmethod
    def _gravest(rules: Rules, one: Fighter, striker: Fighter) -> int:
        """As many injuries as a fighter can have and stand: each comes with the least damage of a critical hit.

        Only where injuries pile up (TU-Q10) is there more than one; without damage to end it, a fight has no bound.
        """
        if rules.injuries_with_one_more(injuries=1) == 1:
            return max(one.injuries, 1)
        up = rules.realms_felt(up=rules.realms_up(cap=striker.cap, foe_cap=one.cap), side=striker.side)
        worth = rules.dice_worth(critical=True, rolled=rules.attack_dice(critical=True))
        raw = rules.damage_sum(rolled=worth, the_phach=rules.term_of(modifier=striker.the_phach))
        times = rules.halvings(saved=False, suppressed=rules.suppresses_damage(up=up))
        least = rules.damage_taken(raw=raw, times=times)
        if least < 1:
            return _MOST_INJURIES
        rolled = rules.pill_dice(cap=one.cap) * rules.pill_die_sides()
        healed = one.pills * rules.pill_heal(rolled=rolled, cap=one.cap)
        bound: int = one.injuries + -(-(one.HP + healed + 1) // least)
        return min(_MOST_INJURIES, bound)

    def start(self, rules: Rules) -> State:
        """Initiative is settled, unless each round settles it anew."""
        if self._anew:
            return State(self._fighters, 0, -1)
        return State(self._fighters, 0, 0 if settle_first(rules, *self._fighters) else 1)

    def turn(self, rules: Rules, state: State) -> State:
        """One turn of whoever is to act."""
        actor = state.actor
        if actor < 0:
            actor = 0 if settle_first(rules, *state.fighters) else 1
        own, other = turn(rules, state.fighters[actor], state.fighters[1 - actor], self._actions(rules, state, actor))
        if other.injuries > self._injuries[1 - actor]:  # of more, nobody is left to be injured
            other = replace(other, injuries=self._injuries[1 - actor])
        fighters = (own, other) if actor == 0 else (other, own)
        if self._anew and state.place == 1:
            return State(fighters, 0, -1, state.low)
        return State(fighters, int(self._anew), 1 - actor, state.low)

    def _actions(self, rules: Rules, state: State, actor: int) -> tuple[Literal["attack", "art", "guard", "pill"], ...]:
        """What the bot of the actor means to do, in this order; whatever takes the turn ends it."""
        bot, fighter = self._bots[actor], state.fighters[actor]
        is_low = state.low[actor] if state.low else fighter.HP + self._above <= self.low[actor]
        first = tuple(what for what in bot.when_low if what == "guard" or fighter.pills) if is_low else ()
        casts = bot.arts and rules.can_afford(linh_luc_left=fighter.linh_luc_left, art=fighter.art)
        return (*first, "art" if casts else "attack")

    def hit_points(self, state: State) -> tuple[int, int]:
        """HP of player and foe; one more where 0 HP still stand."""
        player, foe = state.fighters
        return player.HP + self._above, foe.HP + self._above

    def mode(self, state: State) -> Mode:
        """Turn, linh lực, pills, injuries and guards."""
        player, foe = state.fighters
        return state.place, state.actor, _sheet(player), _sheet(foe)

    def at(self, mode: Hashable, hit_points: tuple[int | Fraction, int | Fraction]) -> State:
        """The state of this mode with these hit points."""
        player, foe = (int(points) - self._above for points in hit_points)
        place, actor, sheets = _taken_apart(mode)
        pair = (_with(self._fighters[0], sheets[0], player), _with(self._fighters[1], sheets[1], foe))
        return State(pair, place, actor)

    def roomy(self, mode: Hashable, region: int) -> State:
        """The state of this mode and region with room above and below."""
        place, actor, sheets = _taken_apart(mode)
        player, foe = (
            replace(_with(one, sheet, ROOM), HP_max=2 * ROOM) for one, sheet in zip(self._fighters, sheets, strict=True)
        )
        return State((player, foe), place, actor, (bool(region & 1), bool(region & 2)))

    def layer(self, mode: Hashable) -> int:
        """Rises with whatever is used up, and differs wherever something of it does."""
        _, _, sheets = _taken_apart(mode)
        spent, number = 0, 0
        for one, (linh_luc_left, pills, injuries, _) in zip(self._fighters, sheets, strict=True):
            for gone, most in (
                (one.linh_luc_left - linh_luc_left, one.linh_luc_left),
                (one.pills - pills, one.pills),
                (injuries - one.injuries, _MOST_INJURIES),
            ):
                spent += gone
                number = number * (most + 1) + gone
        return spent * _LAYERS + number

    def phase(self, mode: Hashable) -> int:
        """The turn's place in its round, or whose turn it is; the same for all where turns are counted alone."""
        place, actor, _ = _taken_apart(mode)
        return 0 if self._halves else place if self._anew else actor

    def average(self, rounds: int, *, won: bool) -> int | Fraction | None:
        """What a fight adds to the average of rounds (TU-11.14, TU-11.15)."""
        if not self._rules.in_the_average(won=won):
            return None
        counted: int | Fraction = self._rules.rounds_of(turns=rounds) if self._halves else rounds
        return counted


_MOST_INJURIES = 200
_LAYERS = 10**12


def _raised(threshold: int, above: int) -> int:
    return threshold + above if threshold >= 0 else -1


def _sheet(fighter: Fighter) -> Sheet:
    return fighter.linh_luc_left, fighter.pills, fighter.injuries, fighter.guarding


def _taken_apart(mode: Hashable) -> tuple[int, int, tuple[Sheet, Sheet]]:
    assert isinstance(mode, tuple)
    place, actor, player, foe = mode
    return place, actor, (player, foe)


def _with(fighter: Fighter, sheet: Sheet, HP: int) -> Fighter:
    linh_luc_left, pills, injuries, guarding = sheet
    return replace(fighter, HP=HP, linh_luc_left=linh_luc_left, pills=pills, injuries=injuries, guarding=guarding)


def fighter_of(rules: Rules, build: Build, side: Side, cap: int, stage: int) -> Fighter:
    """A build at its realm and stage, with what the sweep lets it carry (TU-11.10 to TU-11.13)."""
    the = rules.the_in_hp(score=rules.score_of(modifier=build.the_phach))
    than = rules.term_of(modifier=build.than_phap)
    HP_max = rules.hp(cap=cap, stage=stage, the=the)
    return Fighter(
        cap=cap,
        stage=stage,
        the_phach=build.the_phach,
        than_phap=build.than_phap,
        than_thuc=build.than_thuc,
        ho_the_base=rules.ho_the(cap=cap, than_phap=than, the_chat=build.the_chat),
        R=rules.realm_bonus(cap=cap, stage=stage),
        HP=HP_max if build.HP is None else rules.sweep_start_hp(HP=build.HP, HP_max=HP_max),
        HP_max=HP_max,
        linh_luc_left=rules.linh_luc(cap=cap, stage=stage, cong_phap=build.cong_phap),
        injuries=build.injuries,
        pills=build.pills if rules.sweep_carries(side=side) else 0,
        art=rules.sweep_art(),
        side=side,
    )


@duel
def sweep_duel(  # noqa: PLR0913, PLR0917 - one argument for each input that a sweep may vary
    rules: Rules, player: Build, foe: Build, player_bot: Bot, foe_bot: Bot, stage: int, gap: int
) -> TuDuel:
    """A fight of the balance sweep: a foe `gap` realms up at the same stage (TU-11.5 to TU-11.9)."""
    own = fighter_of(rules, player, "player", rules.sweep_cap(), stage)
    other = fighter_of(rules, foe, "foe", rules.sweep_foe_cap(gap=gap), rules.sweep_foe_stage(stage=stage))
    return TuDuel(rules, (own, other), (player_bot, foe_bot))
