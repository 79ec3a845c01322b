"""Whole fights of Soul Level, played at random: pools, prices, durations, the dead, and the same rolls again."""

import dataclasses
import random
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from engine.book.load import load_book
from engine.dice import Pool
from engine.errors import Unspecified
from engine.readings import Engine
from engine.run import Rolls, Script
from engine.systems.soul_level.attacks import Attacker, Target
from engine.systems.soul_level.order import Combatant as Runner
from engine.systems.soul_level.recovery import Sleeper
from engine.systems.soul_level.state import ATTRIBUTES, Choice, Combatant, FightState, Shape, Team, Trait
from engine.systems.soul_level.turns import Action, Actor, Opponent

ENGINE = Engine(load_book(Path(__file__).parents[3] / "spec" / "soul_level"))
PLAIN = ENGINE.book.profiles["plain"]
OPEN = {q.name: tuple(r.id for r in q.readings) for q in ENGINE.book.questions.values() if q.readings}
SKILLS = {name: record.fields for (kind, name), record in ENGINE.records.items() if kind == "skill"}
CLASSES = sorted({fields["class_name"] for fields in SKILLS.values()})
NAMES = ("ann", "bob", "cid", "dot")
ANIMAL = Shape(FOR=9, VEL=9, RES=9)
KINDS = ("melee", "ranged", "magic", "spirit")
MINUTE = 20  # rounds; the shortest round that any reading has lasts three seconds


class Dice:
    """A seeded die that remembers what it showed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self.shown: list[int] = []

    def total(self, pool: Pool) -> int:
        faces = [self._random.randint(1, sides) for sides in pool.sides]
        self.shown += faces
        return sum(faces) + pool.plus

    def finish(self) -> None:
        """Nothing is ever left over."""


@dataclass(frozen=True)
class Fight:
    """A fight at one moment: whose turn it is, and what was done in it."""

    state: FightState
    order: tuple[str, ...] = ()
    at: int = 0
    actions: tuple[Action, ...] = ()

    @property
    def actor(self) -> Combatant:
        return self.state.of(self.order[self.at])


@dataclass(frozen=True)
class Move:
    """Something that happens, with everything that was decided about it."""

    what: str
    target: str = ""
    means: str = "standard"
    kind: str = "melee"
    skill: str = ""
    by: str = ""
    on: tuple[str, ...] = ()
    choice: Choice = field(default_factory=Choice)


class Table:
    """Plays moves under one choice of readings."""

    def __init__(self, under: dict[str, str]) -> None:
        self.under = under

    def ask(self, name: str, given: dict[str, Any], dice: Rolls | None = None) -> Any:
        """The one outcome of a call. Raises `Unspecified` where the text leaves it out."""
        answer = ENGINE.ask(name, given, rolls=(lambda: dice) if dice is not None else None, under=self.under)
        assert len(answer.outcomes) == 1
        return answer.value

    def maximum(self, fighter: Combatant) -> dict[str, Any]:
        return {
            "HP": self.ask("max_HP", {"VIT": fighter.VIT}),
            "M": self.ask("max_M", {"ESP": fighter.ESP, "soul_level": fighter.soul_level}),
            "SP": self.ask("max_SP", {"ESP": fighter.ESP, "soul_level": fighter.soul_level}),
        }

    def body(self, fighter: Combatant) -> str:
        return str(self.ask("condition", {"HP": whole(fighter.HP), "maximum": self.maximum(fighter)["HP"]}))

    def begin(self, state: FightState, dice: Rolls) -> Fight:
        runners = tuple(Runner(fighter.name, fighter.VEL, fighter.team) for fighter in state.fighters)
        order = self.ask("initiative", {"combatants": runners}, dice).order
        return Fight(state, tuple(name for place in order for name in place))

    def allows(self, fight: Fight, action: Action) -> bool:
        """Whether the turn still pays for the action."""
        actor = fight.actor
        foes = tuple(Opponent(f.name, f.VEL) for f in fight.state.fighters if f.name != actor.name)
        given = {"actor": Actor(actor.VEL, has_bonus_skill=True), "opponents": foes}
        made = self.ask("turn", {**given, "actions": (*fight.actions, action)})
        return bool(made.done[-1])

    def advance(self, fight: Fight, move: Move, dice: Rolls) -> Fight:
        """The fight after a move; the same where the move is not allowed, or the text leaves it out."""
        try:
            return getattr(self, move.what)(fight, move, dice)  # type: ignore[no-any-return]
        except Unspecified:
            return fight

    def strike(self, fight: Fight, move: Move, dice: Rolls) -> Fight:
        action = Action("extra" if move.means == "extra" else "standard", target=move.target)
        if not self.allows(fight, action):
            return fight
        actor, target = fight.actor, fight.state.of(move.target)
        given = {
            "aimed_kind": move.kind,
            "attacker": Attacker(actor.FOR, actor.VEL, actor.INT, actor.ESP, actor.soul_level),
            "target": Target(
                target.VEL,
                target.RES,
                target.RSOB,
                whole(target.HP),
                self.maximum(target)["HP"],
                dodging=target.dodging,
            ),
        }
        made = self.ask("attack", given, dice)
        state = fight.state.with_(dataclasses.replace(target, HP=made.HP))
        return dataclasses.replace(fight, state=state, actions=(*fight.actions, action))

    def dodge(self, fight: Fight, move: Move, dice: Rolls) -> Fight:
        action = Action("standard", "dodge")
        if not self.allows(fight, action):
            return fight
        state = fight.state.with_(dataclasses.replace(fight.actor, dodging=True))
        return dataclasses.replace(fight, state=state, actions=(*fight.actions, action))

    def use(self, fight: Fight, move: Move, dice: Rolls) -> Fight:
        means = SKILLS[move.skill]["kind"]
        by: Any = means if means in ("bonus", "supreme") else "standard"
        action = Action(by, using=(move.skill,))
        own = means != "reaction"
        if own and not self.allows(fight, action):
            return fight
        given = {"state": fight.state, "user": move.by, "skill": move.skill, "on": move.on, "choice": move.choice}
        made = self.ask("use_skill", given, dice)
        self.check_price(fight.state, move, made)
        if made.refused:
            return fight
        actions = (*fight.actions, action) if own else fight.actions
        return dataclasses.replace(fight, state=made.state, actions=actions)

    def check_price(self, before: FightState, move: Move, made: Any) -> None:
        """What was paid is missing once, from the user; a refused use changes nothing."""
        if made.refused:
            assert made.state == before
        for old in before.fighters:
            new = made.state.of(old.name)
            paid = (old.M or 0) + (old.SP or 0) - (new.M or 0) - (new.SP or 0)
            assert paid == (made.cost if old.name == move.by else 0)

    def pass_on(self, fight: Fight, move: Move, dice: Rolls) -> Fight:
        """The turn ends, the round too where it was the last one's, and the next one's begins."""
        state = self.ask("end_turn", {"state": fight.state, "who": fight.actor.name}, dice).state
        at = fight.at + 1
        if at == len(fight.order):
            at = 0
            state = self.ask("end_round", {"state": state}, dice).state
        here = {fighter.name for fighter in state.fighters}
        order = tuple(name for name in fight.order if name in here)
        who = order[at]
        state = self.ask("start_turn", {"state": state, "who": who}, dice).state
        return Fight(state, order, at)

    def a_night(self, fight: Fight, move: Move, dice: Rolls) -> Fight:
        """A long rest for everybody, and a new day."""
        state = fight.state
        for fighter in state.fighters:
            most = self.maximum(fighter)
            hand = {pool: whole(getattr(fighter, pool)) for pool in most}
            pools = {**hand, **{f"{pool}_max": most[pool] for pool in most}}
            sleeper = Sleeper(fighter.class_names, fighter.soul_level, fighter.used)
            if self.body(fighter) == "up":
                made = self.ask("rest", {"hours": 8, "activity": "sleep", "pools": pools, "sleeper": sleeper})
                now = dataclasses.replace(fighter, HP=made.HP, M=made.M, SP=made.SP, used=made.used)
                state = state.with_(now)
        occasion: Any
        for occasion in ("end of combat", "new day"):
            state = self.ask("renew_limits", {"state": state, "occasion": occasion}).state
        return dataclasses.replace(fight, state=state)


def whole(points: Any) -> int:
    """Points as the procedures of the core take them: whole ones."""
    return int(Fraction(points).__floor__())


def somebody(name: str, team: Team, rng: random.Random) -> Combatant:
    """A person of one or two classes, at a level that has something to show."""
    numbers: dict[str, Any] = {attribute: rng.randint(2, 40) for attribute in ATTRIBUTES}
    traits: tuple[Trait, ...] = ("unaware", "flanked", "undead", "evil", "boss")
    return Combatant(
        name,
        team,
        class_names=tuple(rng.sample(CLASSES, rng.randint(1, 2))),
        soul_level=rng.choice((1, 3, 5, 7, 9, 12, 13)),
        **numbers,
        traits=tuple(trait for trait in traits if rng.random() < 0.3),
        element=rng.choice(("", "fire")),
    )


def usable(fighter: Combatant) -> list[str]:
    """The skills that a fighter has and can do something with."""
    return [
        name
        for name, fields in SKILLS.items()
        if fields["class_name"] in fighter.class_names
        and fields["kind"] != "passive"
        and fields["level"] <= fighter.soul_level
    ]


def meant(state: FightState, user: Combatant, skill: str, rng: random.Random) -> tuple[str, ...]:
    """Targets of the kind that the skill wants; now and then somebody else."""
    kind = SKILLS[skill].get("target", "self")
    if kind == "self":
        return ()
    everybody = sorted(fighter.name for fighter in state.fighters)
    if rng.random() < 0.1:
        return (rng.choice(everybody),)
    friends = [name for name in everybody if state.of(name).team == user.team]
    pool = friends if kind in ("ally", "allies") else [name for name in everybody if name not in friends]
    most = len(pool) if kind in ("allies", "enemies", "onlookers") else 1
    return tuple(rng.sample(pool, rng.randint(1, most))) if pool else ()


SEEDS = st.integers(0, 2**32)


class Fights(RuleBasedStateMachine):
    """Strikes, skills, dodges, turns and nights of two against two."""

    table: Table
    fight: Fight
    first: FightState

    @initialize(
        overrides=st.dictionaries(st.sampled_from(sorted(OPEN)), st.integers(0, 3), max_size=12),
        seed=SEEDS,
    )
    def begin(self, overrides: dict[str, int], seed: int) -> None:
        readings = {name: OPEN[name][number % len(OPEN[name])] for name, number in overrides.items()}
        self.table = Table({**{name: ids[0] for name, ids in OPEN.items()}, **PLAIN, **readings})
        rng = random.Random(seed)
        teams: tuple[Team, ...] = ("heroes", "foes", "heroes", "foes")
        people = [somebody(name, team, rng) for name, team in zip(NAMES, teams, strict=True)]
        self.first = FightState(tuple(dataclasses.replace(p, **self.table.maximum(p)) for p in people))
        dice = Dice(seed)
        self.fight = self.table.begin(self.first, dice)
        self.opening = tuple(dice.shown)
        self.log: list[tuple[Move, tuple[int, ...]]] = []
        self.dead: dict[str, Any] = {}

    def play(self, move: Move, seed: int) -> None:
        dice = Dice(seed)
        self.fight = self.table.advance(self.fight, move, dice)
        self.log.append((move, tuple(dice.shown)))

    @precondition(lambda self: self.table.body(self.fight.actor) == "up" and len(self.fight.actions) < 4)
    @rule(means=st.sampled_from(("standard", "extra")), seed=SEEDS)
    def strike(self, means: str, seed: int) -> None:
        rng = random.Random(seed)
        actor = self.fight.actor
        foes = sorted(fighter.name for fighter in self.fight.state.fighters if fighter.team != actor.team)
        if foes:
            self.play(Move("strike", rng.choice(foes), means, rng.choice(KINDS)), seed)

    @precondition(lambda self: self.table.body(self.fight.actor) == "up" and len(self.fight.actions) < 2)
    @rule()
    def dodge(self) -> None:
        self.play(Move("dodge"), 0)

    @precondition(lambda self: len(self.fight.actions) < 2)
    @rule(seed=SEEDS)
    def use_a_skill(self, seed: int) -> None:
        self.skill_of(self.fight.actor, seed)

    @rule(seed=SEEDS)
    def react(self, seed: int) -> None:
        others = [f for f in self.fight.state.fighters if any(SKILLS[s]["kind"] == "reaction" for s in usable(f))]
        if others:
            self.skill_of(random.Random(seed).choice(others), seed, "reaction")

    def skill_of(self, user: Combatant, seed: int, kind: str = "") -> None:
        rng = random.Random(seed)
        skills = [name for name in usable(user) if (SKILLS[name]["kind"] == "reaction") == (kind == "reaction")]
        if not skills:
            return
        skill = rng.choice(skills)
        modes = tuple(SKILLS[skill].get("modes", ()))
        choice = Choice(
            mode=rng.choice(modes) if modes else "",
            subject=rng.choice(sorted(SKILLS)) if "cancel" in modes else "",
            animal=ANIMAL if SKILLS[skill].get("shape") else None,
        )
        on = meant(self.fight.state, user, skill, rng)
        self.play(Move("use", skill=skill, by=user.name, on=on, choice=choice), seed)

    @rule(seed=SEEDS)
    def pass_on(self, seed: int) -> None:
        self.play(Move("pass_on"), seed)

    @precondition(
        lambda self: self.fight.state.round > 2 and not self.fight.actions and self.log[-1][0].what != "a_night"
    )
    @rule()
    def a_night(self) -> None:
        self.play(Move("a_night"), 0)

    @invariant()
    def pools_stay_within_bounds(self) -> None:
        for fighter in self.fight.state.fighters:
            most = self.table.maximum(fighter)
            for pool in ("M", "SP"):
                assert 0 <= getattr(fighter, pool) <= most[pool], fighter
            assert self.table.under["Q10"] == "beyond" or fighter.hit_points <= most["HP"], fighter

    @invariant()
    def the_dead_come_back_by_a_class_alone(self) -> None:
        now = {f.name: f for f in self.fight.state.fighters if self.table.body(f) == "dead"}
        for name in self.dead.keys() - now.keys():
            last = self.log[-1][0] if self.log else Move("")
            skill = SKILLS.get(last.skill, {})
            revives = skill.get("revives") or skill.get("stands") or last.choice.mode == "heal"
            assert revives or name not in {fighter.name for fighter in self.fight.state.fighters}
        self.dead = now

    @invariant()
    def the_dead_do_not_act(self) -> None:
        if self.log and self.log[-1][0].what in ("strike", "dodge"):
            assert self.table.body(self.fight.actor) == "up"

    @invariant()
    def no_more_is_done_than_a_turn_grants(self) -> None:
        done = [action.means for action in self.fight.actions]
        assert done.count("standard") <= 1
        assert done.count("bonus") <= 1

    @invariant()
    def a_dodge_is_over_when_the_own_turn_begins(self) -> None:
        assert not self.fight.actor.dodging or any(action.what == "dodge" for action in self.fight.actions)

    @invariant()
    def durations_run_out(self) -> None:
        for fighter in self.fight.state.fighters:
            for effect in fighter.effects:
                assert effect.lasts != "rounds" or effect.left > 0, effect
                assert effect.lasts != "minute" or effect.passed < MINUTE, effect
                if effect.lasts == "rounds" and self.table.under["Q102"] == "longer":
                    # Rounds end with a turn or with the round: what has passed may be one ahead of what is left.
                    assert effect.left + effect.passed <= SKILLS[effect.skill].get("rounds", 1) + 1, effect

    @invariant()
    def what_is_used_up_has_a_limit(self) -> None:
        for fighter in self.fight.state.fighters:
            assert all(SKILLS[name].get("limit") for name in fighter.used)
            assert len(set(fighter.used)) == len(fighter.used)

    def teardown(self) -> None:
        """The same rolls lead to the same state."""
        if not hasattr(self, "log"):
            return
        again = self.table.begin(self.first, Script(self.opening))
        for move, rolls in self.log:
            again = self.table.advance(again, move, Script(rolls))
        assert again == self.fight


Fights.TestCase.settings = settings(max_examples=60, stateful_step_count=60, deadline=None)
TestFights = Fights.TestCase
