"""The economy moves stocks through the books only, and each phase can run alone (TURN-038, TURN-059)."""

import pytest

from hakoenv.engine.codes import author
from hakoenv.testing import SmallWorld

PHASES = (
    "accounts_open",
    "natural_stock",
    "income",
    "consumption",
    "industry",
    "hex_growth",
    "accounts_close",
)


def busy_world() -> SmallWorld:
    """A nation with something of everything that phases 6 to 12 touch."""
    small = SmallWorld(9, 9, 1, turn=60)
    for x in range(6):
        small.cell(x, 0, terrain="modern_city", owner=0, population=250, capital=x == 0)
    works = [("farm", 40), ("quarry", 5), ("iron_mine", 4), ("coal_mine", 9), ("factory", 40),
             ("refinery", 6), ("arsenal", 7), ("market", 3), ("power_plant", 9), ("mountain", 0),
             ("forest", 3)]  # fmt: skip
    for k, (name, level) in enumerate(works):
        small.cell(k % 6, 2 + k // 6, terrain=name, owner=0, level=level)
    small.world.cells["pile"][2] = 40
    small.nation(0, food=2500, funds=300, oil=80, ore=50, goods=60, steel=70, fuel=20, reserves=250,
                 conscripts=30, production=2, policy="advanced", shares=[40, 50, 10])  # fmt: skip
    return small


@pytest.mark.rule("TURN-004", "TURN-038")
def test_every_change_of_a_stock_is_booked():
    small = busy_world()
    for phase in PHASES:
        small.phase(phase)
    booked = small.world.accounts[0].sum(axis=0)
    assert booked.tolist() == small.world.nations[0]["treasury"].tolist()
    assert small.world.clock[0]["discrepancies"] == 0
    assert (small.world.accounts[0][1:] != 0).sum() >= 15  # something happened under many causes


@pytest.mark.rule("TURN-059", "IND-048")
def test_industry_alone_assigns_workers_and_burns_fuel_first():
    alone, after = busy_world(), busy_world()
    after.phase("income")
    alone.phase("industry")
    after.world.nations[0]["treasury"][:] = busy_world().world.nations[0]["treasury"]
    after.nation(0, fuel=20 - 9)  # what the power plants took
    after.phase("industry")
    for name in ("ore", "oil", "steel", "factory_workers", "arsenal_workers", "plant_fuel"):
        assert getattr(alone.nation(0), name) == getattr(after.nation(0), name), name


@pytest.mark.rule("IND-033", "IND-048")
def test_nobody_works_twice():
    small = busy_world()
    small.phase("income")
    nation = small.nation(0)
    sectors = small.world.nations[0]["assigned"]
    industry = nation.mine_workers + nation.factory_workers + nation.refinery_workers + nation.arsenal_workers
    assert sectors.tolist() == [nation.farm_workers, industry, nation.market_workers]
    assert sectors.sum() + nation.town_farmers == 1500


@pytest.mark.rule("AI-031")
@pytest.mark.parametrize(("writer", "first"), [(author.LLM, 0), (author.PROXY, 1)])
def test_a_language_model_has_the_ai_order_of_workers_when_the_ai_made_its_plan(writer, first):
    small = SmallWorld(9, 9, 1)
    small.cell(4, 4, terrain="metropolis", owner=0, population=200)
    small.nation(0, controller="llm", food=1201)  # 200 people eat 40: more than 30 turns
    small.world.nations["author"][0] = writer
    small.phase("accounts_open")
    assert small.nation(0).mines_first == first
