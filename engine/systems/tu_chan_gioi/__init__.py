"""Tu Chân Giới: checks, attacks, arts, pills, rounds and fights, steps up and defeats.

Every number and every choice comes from `spec/tu_chan_gioi`; here stands only what follows what.
"""

from engine.systems.tu_chan_gioi.blows import (
    a_miss_takes_nothing,
    a_pill_is_gone_when_taken,
    a_pill_leaves_injuries,
    an_art_that_is_not_cast_does_nothing,
    attack,
    cast,
    damage_is_what_is_lost,
    only_a_critical_injures,
    take_pill,
    the_price_is_paid_once,
)
from engine.systems.tu_chan_gioi.duels import sweep_duel
from engine.systems.tu_chan_gioi.fights import (
    a_fighter_is_the_same_person,
    a_round_has_two_turns_at_most,
    fight,
    fight_round,
    nothing_comes_back,
    somebody_has_won,
    turns_fit_into_the_rounds,
)
from engine.systems.tu_chan_gioi.growth import (
    defeat,
    defeat_kills_nobody,
    no_hit_points_beyond_the_maximum,
    no_piece_is_made_or_forgotten,
    nothing_beyond_the_pool,
    one_step_at_a_time,
    pills_are_kept,
    step_up,
)
from engine.systems.tu_chan_gioi.rolls import (
    a_degree_says_whether_it_succeeds,
    check,
    naturals_are_final,
    nothing_but_the_die_is_random,
    the_die_is_one_of_twenty,
)

__all__ = [
    "a_degree_says_whether_it_succeeds",
    "a_fighter_is_the_same_person",
    "a_miss_takes_nothing",
    "a_pill_is_gone_when_taken",
    "a_pill_leaves_injuries",
    "a_round_has_two_turns_at_most",
    "an_art_that_is_not_cast_does_nothing",
    "attack",
    "cast",
    "check",
    "damage_is_what_is_lost",
    "defeat",
    "defeat_kills_nobody",
    "fight",
    "fight_round",
    "naturals_are_final",
    "no_hit_points_beyond_the_maximum",
    "no_piece_is_made_or_forgotten",
    "nothing_beyond_the_pool",
    "nothing_but_the_die_is_random",
    "nothing_comes_back",
    "one_step_at_a_time",
    "only_a_critical_injures",
    "pills_are_kept",
    "somebody_has_won",
    "step_up",
    "sweep_duel",
    "take_pill",
    "the_die_is_one_of_twenty",
    "the_price_is_paid_once",
    "turns_fit_into_the_rounds",
]
