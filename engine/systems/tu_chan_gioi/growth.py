"""What happens between fights: a step up, and a defeat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.procedures import Rules, invariant, procedure
from engine.systems.tu_chan_gioi.states import Defeat, StepUp


@procedure
def step_up(  # noqa: PLR0913, PLR0917
    rules: Rules, cap: int, stage: int, the_phach: int, cong_phap: int, HP: int, linh_luc_left: int
) -> StepUp:
    """The next stage, or the first of the next realm (TU-4.21)."""
    new_cap, new_stage = rules.next_cap(cap=cap, stage=stage), rules.next_stage(cap=cap, stage=stage)
    HP_max = rules.hp(cap=cap, stage=stage, the=the_phach)
    new_HP_max = rules.hp(cap=new_cap, stage=new_stage, the=the_phach)
    pool = rules.linh_luc(cap=cap, stage=stage, cong_phap=cong_phap)
    new_pool = rules.linh_luc(cap=new_cap, stage=new_stage, cong_phap=cong_phap)
    return StepUp(
        cap=new_cap,
        stage=new_stage,
        HP_max=new_HP_max,
        HP=rules.hp_after_step(HP=HP, HP_max=HP_max, new_HP_max=new_HP_max),
        pool=new_pool,
        linh_luc_left=rules.linh_luc_after_step(linh_luc_left=linh_luc_left, pool=pool, new_pool=new_pool),
        R=rules.realm_bonus(cap=new_cap, stage=new_stage),
    )


@procedure
def defeat(  # noqa: PLR0913, PLR0917
    rules: Rules,
    cap: int,
    foe_cap: int,
    HP: int,
    injuries: int,
    hours: int,
    linh_luc_left: int,
    pool: int,
    pills: int,
    stacks: tuple[int, ...],
) -> Defeat:
    """What a defeat takes (TU-9.13)."""
    return Defeat(
        HP=rules.hp_after_defeat(),
        injuries=rules.injuries_after_defeat(injuries=injuries),
        hours=rules.hours_after_defeat(hours=hours, cap=cap, foe_cap=foe_cap),
        linh_luc_left=rules.linh_luc_after_defeat(linh_luc_left=linh_luc_left, pool=pool),
        pills=pills - rules.lost_pills(pill="Hoi Xuan Dan", n=pills),
        stacks=tuple(rules.left_of(n=n) for n in stacks),
        lost=tuple(rules.lost_of(n=n) for n in stacks),
    )


@invariant(step_up)
def one_step_at_a_time(rules: Rules, inputs: Mapping[str, Any], outcome: StepUp) -> bool:
    """A step leads to the next stage, to the first of the next realm, or nowhere."""
    before, after = (inputs["cap"], inputs["stage"]), (outcome.cap, outcome.stage)
    return after in ((before[0], before[1] + 1), (before[0] + 1, 1), before)


@invariant(step_up)
def nothing_beyond_the_pool(rules: Rules, inputs: Mapping[str, Any], outcome: StepUp) -> bool:
    """Linh lực stay between nothing and the new pool, if they lay within the old one."""
    pool = rules.linh_luc(cap=inputs["cap"], stage=inputs["stage"], cong_phap=inputs["cong_phap"])
    return inputs["linh_luc_left"] > pool or 0 <= outcome.linh_luc_left <= outcome.pool


@invariant(step_up)
def no_hit_points_beyond_the_maximum(rules: Rules, inputs: Mapping[str, Any], outcome: StepUp) -> bool:
    """HP do not pass the new maximum, if they lay within the old one."""
    HP_max = rules.hp(cap=inputs["cap"], stage=inputs["stage"], the=inputs["the_phach"])
    return inputs["HP"] > HP_max or outcome.HP <= outcome.HP_max


@invariant(defeat)
def no_piece_is_made_or_forgotten(rules: Rules, inputs: Mapping[str, Any], outcome: Defeat) -> bool:
    """Of every stack, what is lost and what is left are what there was."""
    parts = zip(outcome.lost, outcome.stacks, strict=True)
    return tuple(lost + left for lost, left in parts) == tuple(inputs["stacks"])


@invariant(defeat)
def defeat_kills_nobody(rules: Rules, inputs: Mapping[str, Any], outcome: Defeat) -> bool:
    """Whoever is beaten lives on, injured."""
    return outcome.HP >= 1 and outcome.injuries >= 1


@invariant(defeat)
def pills_are_kept(rules: Rules, inputs: Mapping[str, Any], outcome: Defeat) -> bool:
    """Pills stay with their owner."""
    return bool(outcome.pills == inputs["pills"])
