"""How a pending or open war between two nations came about."""

DECLARATION = 0  # one declared on the other
JOINT = 1  # a joint declaration of the containment (CONT-014)
PACT = 2  # drawn in by the containment's defensive pact (CONT-011)
