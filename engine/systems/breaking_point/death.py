"""What the dead lose and keep, and how an adventure's money is shared (BP-9.21, BP-9.22)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from engine.errors import CallError
from engine.procedures import Rules, invariant, procedure


@dataclass(frozen=True, slots=True)
class Thing:
    """One item of whoever dies."""

    name: str
    equipped: bool = False
    gained: bool = False
    bought: bool = False
    irreplaceable: bool = False
    broken: bool = False


@dataclass(frozen=True, slots=True)
class Death:
    """What is left and what is gone, where the dead go, and whether they return."""

    money: int
    lost_money: int
    kept: tuple[str, ...]
    lost: tuple[str, ...]
    place: str
    returns: bool


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody on an adventure: what he found, what he brought along, how many of his characters live."""

    name: str
    dead: bool = False
    found: int = 0
    brought: int = 0
    characters: int = 1

    def __post_init__(self) -> None:
        if not self.dead and not self.characters:
            raise CallError(f"{self.name[:60]} lives without a living character", "give it one, or say that it is dead")


@dataclass(frozen=True, slots=True)
class Payment:
    """What one player receives."""

    name: str
    amount: int | Fraction


@dataclass(frozen=True, slots=True)
class Sharing:
    """How the Zeddy of an adventure ends up: paid, with the NPCs, left over, or lost with the dead."""

    gathered: int
    shares: int
    paid: tuple[Payment, ...]
    to_npcs: int | Fraction
    unpaid: int | Fraction
    lost: int
    resurrected: tuple[str, ...]


@procedure
def death(rules: Rules, kind: str, carried: int, stored: int, items: tuple[Thing, ...] = ()) -> Death:
    """A player's or an NPC's death."""
    losses = rules.losses_apply(kind=kind)
    money = rules.money_after_death(carried=carried, stored=stored) if losses else carried + stored
    rules.step("money left", money, "BP-9.1", carried=carried, stored=stored)
    fate = [(thing.name, not losses or _keeps(rules, thing)) for thing in items]
    kept, lost = ([name for name, keeps in fate if keeps is wanted] for wanted in (True, False))
    place = rules.after_death(kind=kind)
    rules.step("after death", place, "BP-9.11")
    return Death(money, carried + stored - money, tuple(kept), tuple(lost), place, rules.returns(kind=kind))


def _keeps(rules: Rules, thing: Thing) -> bool:
    keeps = rules.still_owned(broken=thing.broken) and rules.kept(
        equipped=rules.still_equipped(equipped=thing.equipped, broken=thing.broken),
        gained=thing.gained,
        bought=thing.bought,
        irreplaceable=thing.irreplaceable,
    )
    rules.step(f"keeps {thing.name}", keeps, "BP-9.4")
    return bool(keeps)


@procedure
def end_of_adventure(rules: Rules, players: tuple[Player, ...], npcs: int = 0) -> Sharing:
    """The Zeddy is shared, and the dead are made ready for the next adventure."""
    sharing = [player for player in players if rules.has_share(dead_at_end=player.dead)]
    dead = [player for player in players if player not in sharing]
    found, found_dead = sum(p.found for p in sharing), sum(p.found for p in dead)
    brought_dead = sum(p.brought for p in dead)
    gathered = rules.to_share(found_living=found, found_dead=found_dead, brought_dead=brought_dead)
    living = {"survivors": len(sharing), "living_characters": sum(p.characters for p in sharing)}
    shares = rules.number_of_shares(**living, npcs=npcs)
    rules.step("Zeddy to share", gathered, "BP-9.7", shares=shares)

    def receives(characters: int, found: int) -> Any:
        return rules.player_receives(gathered=gathered, shares=shares, own_characters=characters, found_self=found)

    paid = tuple(
        Payment(player.name, receives(player.characters, player.found) if player in sharing else 0)
        for player in players
    )
    of_npcs = shares - rules.number_of_shares(**living, npcs=0)
    to_npcs = of_npcs * receives(1, 0) if of_npcs else 0
    return Sharing(
        gathered=gathered,
        shares=shares,
        paid=paid,
        to_npcs=to_npcs,
        unpaid=gathered - sum(payment.amount for payment in paid) - to_npcs,
        lost=found + found_dead + brought_dead - gathered,
        resurrected=tuple(player.name for player in dead),
    )


@invariant(death)
def every_item_is_kept_or_lost(_rules: Rules, inputs: Mapping[str, Any], outcome: Death) -> bool:
    """Every item is kept or lost, and none is both."""
    return sorted((*outcome.kept, *outcome.lost)) == sorted(thing.name for thing in inputs.get("items", ()))


@invariant(death)
def no_zeddy_is_made_or_lost_at_a_death(_rules: Rules, inputs: Mapping[str, Any], outcome: Death) -> bool:
    """What is left and what is lost is the money that there was."""
    return outcome.money + outcome.lost_money == inputs["carried"] + inputs["stored"] and outcome.lost_money >= 0


@invariant(end_of_adventure)
def no_zeddy_is_made_or_lost_in_sharing(_rules: Rules, inputs: Mapping[str, Any], outcome: Sharing) -> bool:
    """Paid, given to NPCs, left over and lost make up what was found, and what the dead had brought."""
    there = sum(player.found + (player.brought if player.dead else 0) for player in inputs["players"])
    paid = sum(payment.amount for payment in outcome.paid)
    return bool(paid + outcome.to_npcs + outcome.unpaid + outcome.lost == there)


@invariant(end_of_adventure)
def nobody_pays(_rules: Rules, _inputs: Mapping[str, Any], outcome: Sharing) -> bool:
    """Nobody receives less than nothing, and no more is handed out than there is."""
    return all(p.amount >= 0 for p in outcome.paid) and min(outcome.to_npcs, outcome.unpaid, outcome.lost) >= 0


@invariant(end_of_adventure)
def only_the_living_are_paid(_rules: Rules, inputs: Mapping[str, Any], outcome: Sharing) -> bool:
    """Nobody who is dead at the end is paid."""
    pairs = zip(inputs["players"], outcome.paid, strict=True)
    return all(payment.amount == 0 for player, payment in pairs if player.dead)
