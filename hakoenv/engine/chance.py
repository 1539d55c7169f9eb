"""Every random draw of the game.

A draw is a pure function of (seed, turn, purpose, subject, index): no stream, no state. So a fire
in one town does not depend on how often another nation fired, loops may run in any order, and two
runs that differ in one command differ only in what follows from it.

``purpose`` says what is drawn (one constant each, below), ``subject`` for whom (a cell, nation or
ship), ``index`` which of several draws of that subject.
"""

from __future__ import annotations

import numpy as np

from hakoenv.engine.kernel import JIT_ENABLED, kernel
from hakoenv.engine.world import World

# Purposes of world generation and founding (drawn with turn 0).
MAP_NOISE = 1
MAP_SEEDS = 2
MAP_DEPOSIT = 3
MAP_TREES = 4
MAP_SHALLOWS = 5
SITE_CHOICE = 6
NATION_NAMES = 7
# Purposes of a turn.
WEATHER = 16
NATION_ORDER = 17
SMALL_COAL = 18
HEX_ORDER = 19
TOWN_GROWTH = 20
NEW_VILLAGE = 21
SETTLEMENT = 22
WASTELAND_RECOVERY = 23
FAMINE_LOSS = 24
SURVEY_FIND = 25
FIRE = 26
MINE_COLLAPSE = 27
EARTHQUAKE = 28
EARTHQUAKE_HIT = 29
SEA_EARTHQUAKE = 30
ERUPTION = 31
TSUNAMI = 32
TSUNAMI_HIT = 33
METEOR = 34
HUGE_METEOR = 35
TYPHOON = 36
TYPHOON_HIT = 37
UNIT_SEARCH = 38
ATTACK_ROLL = 39
COUNTER_ROLL = 40
ITEM_TAKEN = 41
MISSILE_LANDING = 42
MISSILE_INTERCEPT = 43
MISSILE_PIERCE = 44
MISSILE_DAMAGE = 45
MONSTER_SPAWN = 46
MONSTER_KIND = 47
WHALE_SPAWN = 49
MONSTER_STEP = 50
MONSTER_DROP = 51
CUP_ITEM = 52
SHELL_LANDING = 53
SHELL_DAMAGE = 54
SHIP_TARGET = 55
SHIP_RECOVERY = 56
PIRATE_SPAWN = 57
PIRATE_STEP = 58
FISHING_GROUND = 59
RAID = 60
RAID_OUTCOME = 61
# Purposes of the rule AI and the random agent (drawn by controllers, never by the turn).
CONTROLLER = 48

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_SHIFT_30 = np.uint64(30)
_SHIFT_27 = np.uint64(27)
_SHIFT_31 = np.uint64(31)
_SHIFT_32 = np.uint64(32)
_SHIFT_11 = np.uint64(11)


@kernel
def mix(state: np.uint64) -> np.uint64:
    """One splitmix64 step: a bijection of the 64-bit numbers that scatters neighbours."""
    z = state + _GAMMA
    z = (z ^ (z >> _SHIFT_30)) * _MIX_1
    z = (z ^ (z >> _SHIFT_27)) * _MIX_2
    return z ^ (z >> _SHIFT_31)


@kernel
def draw_at(seed: np.uint64, turn: int, purpose: int, subject: int, index: int) -> np.uint64:
    """A 64-bit number that depends on all five arguments and on nothing else."""
    key = mix(np.uint64(seed))
    key = mix(key ^ np.uint64(turn))
    key = mix(key ^ np.uint64(purpose))
    key = mix(key ^ np.uint64(subject))
    return mix(key ^ np.uint64(index))


@kernel
def roll(world: World, purpose: int, subject: int, index: int, sides: int) -> int:
    """A number in 0..sides-1, each equally likely (``sides`` below 2**32)."""
    clock = world.clock[0]
    high = draw_at(np.uint64(clock.seed), clock.turn, purpose, subject, index) >> _SHIFT_32
    return int(np.int64((high * np.uint64(sides)) >> _SHIFT_32))


@kernel
def between(world: World, purpose: int, subject: int, index: int, low: int, high: int) -> int:
    """A number in low..high, both included, each equally likely."""
    return low + roll(world, purpose, subject, index, high - low + 1)


@kernel
def happens(world: World, purpose: int, subject: int, index: int, percent: float) -> bool:
    """True with a chance of ``percent`` in 100 (fractions count; 0 never, 100 always)."""
    clock = world.clock[0]
    bits = draw_at(np.uint64(clock.seed), clock.turn, purpose, subject, index) >> _SHIFT_11
    return float(bits) * (100.0 / 9007199254740992.0) < percent


if not JIT_ENABLED:  # 64-bit arithmetic is meant to wrap here, and only here
    mix = np.errstate(over="ignore")(mix)
