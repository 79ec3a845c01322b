"""Worlds Awakening: level-ups, magic points, attacks, the order of actions, rounds and duels.

Every number and every choice comes from `spec/worlds_awakening`; here stands only what follows what.
"""

from engine.systems.worlds_awakening.attacks import (
    a_miss_does_nothing,
    abilities_are_not_owed,
    an_unused_ability_does_nothing,
    attack,
    damage_is_what_is_lost,
    only_hit_points_change,
    the_fallen_have_nothing_left,
    use_ability,
)
from engine.systems.worlds_awakening.fights import (
    a_duel_has_an_end,
    blows_fit_into_the_rounds,
    duel,
    everybody_once,
    fight_round,
    hit_points_are_passed_on,
    nobody_strikes_the_fallen,
    one_turn_each,
    order_follows_scores,
    the_winner_stands,
    turn_order,
)
from engine.systems.worlds_awakening.growth import (
    a_rise_wounds_nobody,
    dice_within_reach,
    hit_points_within_the_maximum,
    level_up,
    magic_points_not_negative,
    nothing_is_lost,
    nothing_is_owed,
    one_level,
    spend_mp,
    unused_is_free,
)
from engine.systems.worlds_awakening.states import Ability, Character, Contender, Fighter, Weapon

__all__ = [
    "Ability",
    "Character",
    "Contender",
    "Fighter",
    "Weapon",
    "a_duel_has_an_end",
    "a_miss_does_nothing",
    "a_rise_wounds_nobody",
    "abilities_are_not_owed",
    "an_unused_ability_does_nothing",
    "attack",
    "blows_fit_into_the_rounds",
    "damage_is_what_is_lost",
    "dice_within_reach",
    "duel",
    "everybody_once",
    "fight_round",
    "hit_points_are_passed_on",
    "hit_points_within_the_maximum",
    "level_up",
    "magic_points_not_negative",
    "nobody_strikes_the_fallen",
    "nothing_is_lost",
    "nothing_is_owed",
    "one_level",
    "one_turn_each",
    "only_hit_points_change",
    "order_follows_scores",
    "spend_mp",
    "the_fallen_have_nothing_left",
    "the_winner_stands",
    "turn_order",
    "unused_is_free",
    "use_ability",
]
