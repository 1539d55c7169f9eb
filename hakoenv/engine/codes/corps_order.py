"""Orders of a corps (enums.csv: corps_order; ARMY-003, ARMY-063)."""

HOLD = 0
ATTACK = 1
ADVANCE = 2
MOVE = 3
DEFEND = 4
RETREAT = 5

COUNT = 6
NAMES = ("hold", "attack", "advance", "move", "defend", "retreat")
