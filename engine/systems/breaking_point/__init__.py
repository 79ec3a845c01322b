"""Breaking Point: attacks built, blows defended, battles of two and of parties, deaths, ends of adventures.

Every number and every choice comes from `spec/breaking_point`; here stands only what follows what. Nothing is rolled.
"""

from engine.systems.breaking_point.attack import build_attack, the_item_and_the_skill_make_the_power
from engine.systems.breaking_point.death import (
    death,
    end_of_adventure,
    every_item_is_kept_or_lost,
    no_zeddy_is_made_or_lost_at_a_death,
    no_zeddy_is_made_or_lost_in_sharing,
    nobody_pays,
    only_the_living_are_paid,
)
from engine.systems.breaking_point.defence import (
    armour_never_grows,
    broken_armour_does_not_break_again,
    defend,
    health_never_grows,
)
from engine.systems.breaking_point.duel import (
    battle,
    nobody_gains_by_fighting,
    the_loser_is_dead_and_the_winner_is_not,
)
from engine.systems.breaking_point.party import (
    a_beaten_party_has_lost_somebody,
    nobody_dead_strikes,
    nobody_in_a_party_gains_by_fighting,
    party_battle,
    the_dead_are_those_without_health,
)

__all__ = [
    "a_beaten_party_has_lost_somebody",
    "armour_never_grows",
    "battle",
    "broken_armour_does_not_break_again",
    "build_attack",
    "death",
    "defend",
    "end_of_adventure",
    "every_item_is_kept_or_lost",
    "health_never_grows",
    "no_zeddy_is_made_or_lost_at_a_death",
    "no_zeddy_is_made_or_lost_in_sharing",
    "nobody_dead_strikes",
    "nobody_gains_by_fighting",
    "nobody_in_a_party_gains_by_fighting",
    "nobody_pays",
    "only_the_living_are_paid",
    "party_battle",
    "the_dead_are_those_without_health",
    "the_item_and_the_skill_make_the_power",
    "the_loser_is_dead_and_the_winner_is_not",
]
