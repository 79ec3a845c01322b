"""What a turn can do: an attack, an art, a pill."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.procedures import Rules, invariant, procedure
from engine.systems.tu_chan_gioi.rolls import check, d20
from engine.systems.tu_chan_gioi.states import Art, Attack, Blow, Cast, Pill, Side

# Each procedure takes what its clause lists, by the names of the book; hence the many inputs.


def blow(rules: Rules, up: int, the_phach: int, R: int, injuries: int, ho_the_now: int) -> Blow:
    """An attack on a foe who is felt to be `up` realms up, as far as the damage that it does (TU-5.16)."""
    rolled = rules.part(d20, rules.attack_advantages(up=up), rules.attack_disadvantages(up=up))
    total = rules.attack_total(die=rolled.die, the_phach=the_phach, R=R, injuries=injuries)
    hit = rules.attack_hits(natural=rolled.natural, total=total, ho_the_now=ho_the_now)
    margin = rules.margin_of(total=total, target=ho_the_now)
    critical = rules.attack_is_critical(natural=rolled.natural, margin=margin)
    damage = rules.part(hurt, up, the_phach, critical) if hit else 0
    # Asked only where it may be so: TU-Q07 decides nothing for a blow that is not critical.
    injures = critical and rules.attack_injures(natural=rolled.natural, critical=critical, hit=hit)
    return Blow(rolled.die, rolled.natural, total, hit, critical, damage, injures)


def strike(rules: Rules, up: int, the_phach: int, R: int, injuries: int, ho_the_now: int) -> tuple[int, bool]:
    """Of a blow no more than a fight goes on with: its damage, and whether it injures."""
    made = blow(rules, up, the_phach, R, injuries, ho_the_now)
    return made.damage, made.injures


def hurt(rules: Rules, up: int, the_phach: int, critical: bool) -> int:
    """The damage of a hit."""
    count = rules.attack_dice(critical=critical)
    rolled = rules.roll(f"{count}d{rules.attack_die_sides()}")
    worth = rules.dice_worth(critical=critical, rolled=rolled)
    raw = rules.damage_sum(rolled=worth, the_phach=rules.term_of(modifier=the_phach))
    times = rules.halvings(saved=False, suppressed=rules.suppresses_damage(up=up))
    damage: int = rules.damage_taken(raw=raw, times=times)
    return damage


@procedure
def attack(  # noqa: PLR0913, PLR0917
    rules: Rules,
    cap: int,
    the_phach: int,
    R: int,
    injuries: int,
    foe_cap: int,
    ho_the_now: int,
    HP: int,
    foe_injuries: int,
    side: Side = "player",
) -> Attack:
    """An attack (TU-5.16)."""
    up = rules.realms_felt(up=rules.realms_up(cap=cap, foe_cap=foe_cap), side=side)
    made = rules.part(blow, up, the_phach, R, injuries, ho_the_now)
    left = rules.injuries_with_one_more(injuries=foe_injuries) if made.injures else foe_injuries
    return Attack(made.die, made.natural, made.total, made.hit, made.critical, made.damage, HP - made.damage, left)


def art_effect(  # noqa: PLR0913, PLR0917
    rules: Rules,
    art: str,
    up: int,
    DC: int,
    than_thuc: int,
    modifier: int,
    foe_R: int,
    foe_injuries: int,
    guarding: bool,
) -> Art:
    """The save against an art, and its damage (TU-6.13, steps 3 and 4)."""
    advantages = rules.save_advantages(up=up) + rules.guard_save_advantages(guarding=guarding)
    save = check(rules, modifier, foe_R, foe_injuries, advantages, rules.save_disadvantages(up=up), DC)
    suppressed = rules.suppresses_damage(up=up)
    return Art(DC, save, rules.part(art_hurt, art, than_thuc, save.degree, suppressed))


def art_hurt(rules: Rules, art: str, than_thuc: int, degree: str, suppressed: bool) -> int:
    """The damage that comes of an art's dice."""
    rolled = rules.roll(f"{rules.art_dice(art=art)}d{rules.art_die_sides()}")
    raw = rules.art_damage(rolled=rolled, than_thuc=rules.term_of(modifier=than_thuc))
    damage: int = rules.art_damage_taken(result=degree, raw=raw, suppressed=suppressed)
    return damage


def art_strike(  # noqa: PLR0913, PLR0917
    rules: Rules,
    art: str,
    up: int,
    DC: int,
    than_thuc: int,
    modifier: int,
    foe_R: int,
    foe_injuries: int,
    guarding: bool,
) -> int:
    """Of an art no more than a fight goes on with: its damage."""
    return art_effect(rules, art, up, DC, than_thuc, modifier, foe_R, foe_injuries, guarding).damage


@procedure
def cast(  # noqa: PLR0913, PLR0917
    rules: Rules,
    art: str,
    cap: int,
    R: int,
    than_thuc: int,
    injuries: int,
    linh_luc_left: int,
    foe_cap: int,
    foe_than_phap: int,
    foe_than_thuc: int,
    foe_R: int,
    foe_injuries: int,
    guarding: bool,
    HP: int,
    side: Side = "player",
) -> Cast:
    """A bí pháp or thần thông (TU-6.13)."""
    if not rules.can_afford(linh_luc_left=linh_luc_left, art=art):
        rules.step("the art is not cast", linh_luc_left)
        return Cast(cast=False, DC=None, total=None, degree=None, damage=0, HP=HP, linh_luc_left=linh_luc_left)
    made = rules.part(
        art_effect,
        art,
        rules.realms_felt(up=rules.realms_up(cap=cap, foe_cap=foe_cap), side=side),
        rules.art_dc_now(R=R, than_thuc=rules.term_of(modifier=than_thuc), injuries=injuries),
        than_thuc,
        rules.art_save_modifier(than_phap=foe_than_phap, than_thuc=foe_than_thuc),
        foe_R,
        foe_injuries,
        guarding,
    )
    return Cast(
        cast=True,
        DC=made.DC,
        total=made.save.total,
        degree=made.save.degree,
        damage=made.damage,
        HP=HP - made.damage,
        linh_luc_left=linh_luc_left - rules.art_price(art=art),
    )


def pill_effect(rules: Rules, cap: int) -> int:
    """What the dice of a pill heal."""
    rolled = rules.roll(f"{rules.pill_dice(cap=cap)}d{rules.pill_die_sides()}")
    healed: int = rules.pill_heal(rolled=rolled, cap=cap)
    return healed


@procedure
def take_pill(  # noqa: PLR0913, PLR0917
    rules: Rules, cap: int, made_at_cap: int, HP: int, HP_max: int, pills: int, injuries: int, poisoned: bool
) -> Pill:
    """A Hồi Xuân Đan (TU-8.16)."""
    if not pills:
        rules.step("no pill is left", 0)
        return Pill(taken=False, healed=0, HP=HP, pills=0, injuries=injuries, poisoned=poisoned)
    healed = rules.part(pill_effect, rules.pill_cap(cap=cap, made_at_cap=made_at_cap))
    return Pill(
        taken=True,
        healed=healed,
        HP=rules.hp_after_pill(HP=HP, HP_max=HP_max, healed=healed),
        pills=pills - 1,
        injuries=0 if rules.pill_cures(ailment="injury") else injuries,
        poisoned=poisoned and not rules.pill_cures(ailment="poison"),
    )


@invariant(attack)
def a_miss_takes_nothing(rules: Rules, inputs: Mapping[str, Any], outcome: Attack) -> bool:
    """A miss does no damage."""
    return outcome.hit or (outcome.damage, outcome.HP) == (0, inputs["HP"])


@invariant(attack)
def damage_is_what_is_lost(rules: Rules, inputs: Mapping[str, Any], outcome: Attack) -> bool:
    """The foe loses as many HP as there is damage."""
    return bool(outcome.HP == inputs["HP"] - outcome.damage)


@invariant(attack)
def only_a_critical_injures(rules: Rules, inputs: Mapping[str, Any], outcome: Attack) -> bool:
    """An attack that is not critical injures nobody, and none heals an injury."""
    more = outcome.foe_injuries - inputs["foe_injuries"]
    return more == 0 or (outcome.critical and (more == 1 or inputs["foe_injuries"] > 1))


@invariant(cast)
def the_price_is_paid_once(rules: Rules, inputs: Mapping[str, Any], outcome: Cast) -> bool:
    """An art costs its price, once, and linh lực never fall below 0."""
    spent = inputs["linh_luc_left"] - outcome.linh_luc_left
    return spent == (rules.art_price(art=inputs["art"]) if outcome.cast else 0) and outcome.linh_luc_left >= 0


@invariant(cast)
def an_art_that_is_not_cast_does_nothing(rules: Rules, inputs: Mapping[str, Any], outcome: Cast) -> bool:
    """Without the price nothing happens."""
    return outcome.cast or (outcome.damage, outcome.HP) == (0, inputs["HP"])


@invariant(take_pill)
def a_pill_is_gone_when_taken(rules: Rules, inputs: Mapping[str, Any], outcome: Pill) -> bool:
    """A pill that is taken is spent, and none is ever owed."""
    return outcome.pills == inputs["pills"] - outcome.taken and outcome.pills >= 0


@invariant(take_pill)
def a_pill_leaves_injuries(rules: Rules, inputs: Mapping[str, Any], outcome: Pill) -> bool:
    """Injuries stay; poison goes with the pill."""
    return outcome.injuries == inputs["injuries"] and not (outcome.taken and outcome.poisoned)
