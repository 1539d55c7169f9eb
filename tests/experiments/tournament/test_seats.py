"""Entrants of all kinds in their seats: what they may be, and how those who fail are charged."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest
from hakoenv.experiments import seeds
from hakoenv.experiments.tournament import entrants, season, workers
from hakoenv.experiments.tournament.entrants import Entrant, EntrantError
from hakoenv.experiments.tournament.fields import FIELDS
from hakoenv.experiments.tournament.seat import Forfeit
from hakoenv.experiments.tournament.seating import Task

from hakoenv import controllers
from hakoenv.controllers import ControllerError
from hakoenv.engine import season as engine_season
from hakoenv.engine.mapgen import ScenarioError

BOTS = """
import os
import threading
from functools import partial
import numpy as np
from hakoenv.engine.commands.plans import set_plan
from hakoenv.engine.codes import terrain
from hakoenv.envs import PolicyController

made = []
never = threading.Event()


def keep(observation):
    return None


def raises(observation):
    raise RuntimeError(f"no idea about {object()}")


def bad(observation):
    return "attack"


def leaves(observation):
    raise SystemExit(3)


def hangs(observation):
    never.wait()


def broken():
    raise OSError("no file")


def nobody():
    return 5


def fresh(seed):
    made.append(seed)
    return keep


def form():
    return PolicyController(keep, commands_per_turn=1, commands="economy")


class Farmer:
    code = 0

    def fill(self, world, rules, nations):
        world.nations["treasury"][:] = 1_000_000  # not its own: without effect
        for nation in nations:
            plains = (world.cells["owner"] == nation) & (world.cells["terrain"] == terrain.PLAINS)
            rows, columns = np.nonzero(plains)
            set_plan(world, nation, [("farm", x, y) for x, y in zip(columns, rows)])


def filed(path):
    with open(path, "rb") as file:
        file.read()
    return Farmer()


class Overlong(Farmer):
    def fill(self, world, rules, nations):
        world.nations["plan_length"][nations] = 51


class Grasping:
    # who has `begin` keeps a deadline of its own
    code = 0

    def begin(self, season, nations):
        self.season = season
        season.world.cells["owner"][season.world.cells["owner"] >= 0] = nations[0]
        season.rules.scalars["season_max_turns"] = 1
        season.event_totals.clear()

    def fill(self, world, rules, nations):
        assert self.season.world is world
        world.cells["owner"][world.cells["owner"] >= 0] = nations[0]
        world.nations["alive"][1 - nations[0]] = 0


class Lawless:
    code = 0
    seen = []

    def fill(self, world, rules, nations):
        self.seen.append(int(rules.scalars["season_max_turns"][0]))
        rules.scalars["season_max_turns"] = 1


class Silent(Exception):
    def __str__(self):
        raise SystemExit(0)


class SilentToo(BaseException):
    def __str__(self):
        raise KeyboardInterrupt


def silent(observation):
    raise Silent


def silent_too(observation):
    raise SilentToo


def surrogate(observation):
    raise ValueError("half \\ud800")


class CodeRaises:
    asked = 0

    @property
    def code(self):
        self.asked += 1
        if self.asked > 1:
            raise RuntimeError("code")
        return 0

    def fill(self, world, rules, nations):
        pass


class BeginRaises:
    code = 0

    @property
    def begin(self):
        raise RuntimeError("begin")

    def fill(self, world, rules, nations):
        pass


class BeginExits(Lawless):
    def begin(self, season, nations):
        raise SystemExit(0)


def forks(observation):
    children.append(os.fork())


children = []
number = 5
partly = partial(lambda one, other: None)


class Both:
    def __call__(self, one, other):
        return None


both = Both()


def two(one, other):
    return None
"""
LIMIT = 2.0


@pytest.fixture
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A folder with a module of entrants, in which we are; its name."""
    name = f"bots_{abs(hash(str(tmp_path)))}"
    (tmp_path / f"{name}.py").write_text(BOTS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setitem(sys.modules, name, None)  # so that it is gone again afterwards
    del sys.modules[name]
    return name


def played(
    *specs: str, turns: int = 4, limit: float = 60.0, charged: tuple[Forfeit, ...] = ()
) -> tuple[Any, bool]:
    """A duel of two specs."""
    found = entrants.parse([f"{letter}={spec}" for letter, spec in zip("AB", specs, strict=True)])
    job = season.Job("duel", {}, tuple(found), FIELDS["standard-1"], turns, limit)
    return season.play(job, Task(0, seeds.evaluation(0), ("A", "B")), charged)


def test_the_engines_own_play_as_in_a_season_of_theirs() -> None:
    from hakoenv.engine.season import Season

    found, hung = played("rule_ai", "rule_ai", turns=30)
    plain = Season.new("duel", seeds.evaluation(0), agents="rule_ai")
    plain.run(30)
    assert found["state_hash"] == plain.state_hash()
    assert (found["points"], found["ranks"]) == (plain.result()["points"], plain.result()["ranks"])
    assert (found["ending"], found["turns"], found["forfeits"], hung) == ("truncated", 30, [], False)


def test_a_policy_plays_as_in_a_season_of_its_own(bots: str) -> None:
    from hakoenv.engine.season import Season

    found, _ = played("rule_ai", f"{bots}:keep", turns=10)
    plain = Season.new("duel", seeds.evaluation(0), agents=["rule_ai", lambda observation: None])
    plain.run(10)
    assert found["points"] == plain.result()["points"]
    assert found["state_hash"] == plain.state_hash()


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("raises", "raised RuntimeError: no idea about <object object at 0x...>"),
        ("leaves", "raised SystemExit: 3"),
        ("broken", "raised OSError: no file"),
        ("nobody", "raised ControllerError: nobody is driven by 5"),
        ("Overlong", "raised ValueError: plan_length is 51; a plan has 0..50 commands"),
        ("silent", "raised Silent, which does not tell its text"),
        ("silent_too", "raised SilentToo, which does not tell its text"),
        ("surrogate", "raised ValueError: half \\ud800"),
        ("CodeRaises", "raised RuntimeError: code"),
        ("BeginRaises", "raised RuntimeError: begin"),
        ("BeginExits", "raised SystemExit: 0"),
        ("bad", "raised ValueError: controllers: the policy of nation_1 gave 'attack' for turn 1"),
    ],
)
def test_who_fails_is_charged_and_the_others_go_on(bots: str, name: str, reason: str) -> None:
    found, hung = played("rule_ai", f"{bots}:{name}")
    (forfeit,) = found["forfeits"]
    assert (forfeit["seat"], forfeit["entrant"], forfeit["turn"]) == (1, "B", 1)
    assert forfeit["reason"].startswith(reason)
    assert found["turns"] == 4
    assert found["points"] == [pytest.approx(100), 0]
    assert found["ranks"] == [1, 2] and not hung


def test_who_hangs_is_charged_and_its_process_is_done(bots: str) -> None:
    found, hung = played("rule_ai", f"{bots}:hangs", limit=LIMIT)
    assert found["forfeits"][0]["reason"] == "took longer than 2 s"
    assert found["turns"] == 4 and hung
    sys.modules[bots].never.set()


def test_from_then_on_its_nation_is_idle(bots: str) -> None:
    """Also where it was charged before the season, since it takes its process down."""
    charged = Forfeit(1, "B", 1, "ended its process")
    outcomes = [
        played("rule_ai", "idle", turns=12)[0],
        played("rule_ai", f"{bots}:raises", turns=12)[0],
        played("rule_ai", f"{bots}:keep", turns=12, charged=(charged,))[0],
    ]
    assert len({outcome["state_hash"] for outcome in outcomes}) == 1
    assert outcomes[0]["points"][1] > 0  # as an entrant that may be idle
    assert [outcome["points"] for outcome in outcomes[1:]] == [[pytest.approx(100), 0]] * 2


def test_a_factory_makes_a_new_one_every_season_from_a_seed_of_its_own(bots: str) -> None:
    for _ in range(2):
        found, _ = played("rule_ai", f"{bots}:fresh")
        assert found["forfeits"] == []
    first, second = sys.modules[bots].made
    assert first == second == entrants.own_seed(seeds.evaluation(0), "B", 1)
    assert first != entrants.own_seed(seeds.evaluation(0), "B", 0)


def test_a_controller_changes_nothing_but_plans(bots: str) -> None:
    found, _ = played(f"{bots}:Farmer", f"{bots}:form", turns=12)
    assert found["forfeits"] == []
    idle, _ = played("idle", "idle", turns=12)
    assert found["points"][0] != idle["points"][0]  # its farms
    for share in found["points"]:
        assert 20 < share < 80  # no millions


def test_who_begins_plans_on_a_copy_too(bots: str) -> None:
    found, _ = played("idle", f"{bots}:Grasping")
    idle, _ = played("idle", "idle")
    assert found["forfeits"] == [] and found["turns"] == 4
    assert found["state_hash"] == idle["state_hash"]


def test_nobody_changes_the_rules(bots: str) -> None:
    found, _ = played("idle", f"{bots}:Lawless")
    assert found["forfeits"] == [] and (found["ending"], found["turns"]) == ("truncated", 4)
    seen = sys.modules[bots].Lawless.seen
    assert len(seen) == 4 and set(seen) == {seen[0]} and seen[0] > 4


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a system without fork")
def test_who_is_forked_off_ends_with_the_call(bots: str) -> None:
    found, _ = played("idle", f"{bots}:forks", turns=1)
    assert found["forfeits"] == []
    (child,) = sys.modules[bots].children
    assert os.waitpid(child, 0) == (child, 0)


@pytest.mark.parametrize("line", ["import sys; sys.exit(0)", "class X(BaseException): pass\nraise X"])
def test_a_module_that_leaves_while_it_is_imported_is_named(bots: str, line: str) -> None:
    Path(f"exits_{bots}.py").write_text(line, encoding="utf-8")
    with pytest.raises(EntrantError, match=r"entrant 'x': module 'exits_.*' can't be imported"):
        entrants.parse(["rule_ai", f"x=exits_{bots}:f"])


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["rule_ai"], "1 are too few; name 2 or more"),
        (["rule_ai", "rule_ai"], "named twice"),
        (["rule_ai", "="], "expected NAME=SPEC"),
        (["rule_ai", "field=random"], "name of the field"),
        (["rule_ai", "x" * 61 + "=random"], "1..60"),
        (["rule_ai", "rule_a1"], "no controller is called 'rule_a1': .* did you mean rule_ai"),
        (["rule_ai", "external"], "external nation"),
        (["rule_ai", "random:7"], "random takes no argument"),
        (["rule_ai", "no_such_module:play"], "no controller is called 'no_such_module', and no module"),
        (["rule_ai", "BOTS:number"], "has no function 'number'; it has .*keep"),
        (["rule_ai", "BOTS:two"], r"two\(one, other\): a policy has one argument"),
        (["rule_ai", "BOTS:partly"], r"partly\(one, other\): a policy has one argument"),
        (["rule_ai", "BOTS:both"], r"both\(one, other\): a policy has one argument"),
    ],
)
def test_who_cannot_enter(bots: str, texts: list[str], message: str) -> None:
    with pytest.raises(EntrantError, match=message):
        entrants.parse([text.replace("BOTS", bots) for text in texts], ["field"])


def test_a_world_without_room_is_stood_in_for(bots: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A factory draws from the seed that is played, as anybody who replays the record will."""
    make = engine_season.make_world

    def too_few(setup: Any) -> Any:
        if setup.seed < seeds.evaluation(0) + 2 * seeds.STRIDE:
            raise ScenarioError("too few sites")
        return make(setup)

    there = seeds.evaluation(0) + 2 * seeds.STRIDE
    with monkeypatch.context() as patched:
        patched.setattr(engine_season, "make_world", too_few)
        found, _ = played("rule_ai", f"{bots}:fresh")
    plain = engine_season.Season.new("duel", there, agents=["rule_ai", lambda observation: None])
    plain.run(4)
    assert found["seed"] == there and found["state_hash"] == plain.state_hash()
    assert sys.modules[bots].made == [entrants.own_seed(there, "B", 1)]


def test_a_worker_tells_that_no_map_has_room(bots: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where it would only have warmed up."""

    def too_few(setup: Any) -> Any:
        raise ScenarioError("too few sites")

    monkeypatch.setattr(engine_season, "make_world", too_few)
    monkeypatch.setattr(workers, "_warmed", set())
    found = tuple(entrants.parse(["rule_ai", f"B={bots}:keep"]))
    job = season.Job("duel", {}, found, FIELDS["standard-1"])
    task = Task(0, seeds.evaluation(0), ("rule_ai", "B"))
    record, _, refusal = workers.Player(job, "").play(task, (), None)
    assert record is None
    assert isinstance(refusal, ScenarioError) and "no map of a hundred has sites" in str(refusal)


def test_a_policy_plans_once_before_its_time_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first plan of all compiles what draws it, which may take longer than a turn's limit."""
    made: list[str] = []

    def make(entrant: Entrant, seed: int) -> Any:
        made.append(entrant.spec)
        return controllers.get("idle")

    monkeypatch.setattr(entrants, "make", make)
    monkeypatch.setattr(workers, "_warmed", set())
    found = (Entrant("A", "rule_ai"), Entrant("B", "policy:a.pt"), Entrant("C", "policy:b.pt"))
    job = season.Job("duel", {}, found, FIELDS["standard-1"])
    for _ in range(2):
        workers._warm(job, Task(0, seeds.evaluation(0), ("A", "B")))
    assert made == ["policy:a.pt"]


def test_a_file_that_changes_while_a_run_lasts_is_refused(bots: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As training goes on and writes its policy anew."""
    places = {**controllers._places(), "filed": f"{bots}:filed"}
    monkeypatch.setattr(controllers, "_places", lambda: places)
    Path("policy.pt").write_bytes(b"one")
    entrant, _ = entrants.parse(["a=filed:policy.pt", "rule_ai"])
    assert len(entrant.digest) == 64
    assert entrants.make(entrant, 0).code == 0
    Path("policy.pt").write_bytes(b"two")
    assert entrants.parse(["a=filed:policy.pt", "rule_ai"])[0].digest != entrant.digest
    with pytest.raises(ControllerError, match="entrant 'a': filed:policy.pt is not the file that entered"):
        entrants.make(entrant, 0)


def test_an_entrant_is_known_by_its_file(bots: str) -> None:
    one, other = entrants.parse([f"a={bots}:keep", "rule_ai"])
    assert len(one.digest) == 64 and other.digest == ""
    (Path.cwd() / f"{bots}.py").write_text(BOTS + "\n", encoding="utf-8")
    assert entrants.parse([f"a={bots}:keep", "rule_ai"])[0].digest != one.digest
