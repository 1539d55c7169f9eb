"""Training with RLlib: what modules draw and judge, a run with a death in it, and going on with a run."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

pytest.importorskip("ray.rllib")
torch = pytest.importorskip("torch")
pytest.importorskip("yaml")

from hakoenv.agents.policy import checkpoint  # noqa: E402
from hakoenv.agents.policy.form import READ, Form  # noqa: E402
from hakoenv.agents.policy.network import PlanNetwork  # noqa: E402
from hakoenv.experiments import train_rllib  # noqa: E402
from hakoenv.experiments.training import config as configs  # noqa: E402
from hakoenv.experiments.training import rllib_command, rllib_module  # noqa: E402
from hakoenv.experiments.training.rllib_module import Judged, PlanLearner, PlanModule  # noqa: E402
from ray.rllib.core.columns import Columns  # noqa: E402
from ray.rllib.core.rl_module.rl_module import RLModuleSpec  # noqa: E402
from ray.rllib.evaluation.postprocessing import Postprocessing  # noqa: E402

from hakoenv.cli import main  # noqa: E402
from hakoenv.engine.season import Season  # noqa: E402
from hakoenv.envs.rllib import HakoenvMultiAgentEnv  # noqa: E402
from hakoenv.obs import pieces  # noqa: E402

pytestmark = pytest.mark.enable_socket
TURNS, FALLS_IN = 8, 5
# Who falls in a duel would end it; here the other one goes on to the end of the season.
RULES = {"season.end_on_sole_survivor": 0, "season.max_turns": TURNS}
SMALL = {
    "threads": 1,
    "game.rules": RULES,
    "game.commands_per_turn": 3,
    "network.width": 16,
    "network.depth": 32,
    "ppo.gamma": 1,
    "ppo.trace": 1,
    "ppo.iterations": 2,
    "rllib.worlds": 2,
    "rllib.turns": TURNS,
    "rllib.batch": 64,
    "ppo.minutes": 1000,
    "evaluation.every": 2,
    "evaluation.seasons": 2,
}


class DyingEnv(HakoenvMultiAgentEnv):
    """`nation_1` gives up in the turn `FALLS_IN` of every season (TURN-075)."""

    def step(self, action_dict: Any) -> Any:
        if self.nations.season.turn == FALLS_IN - 1:
            self.nations.world.nations["abandoning"][1] = 1
        return super().step(action_dict)


def module(env: HakoenvMultiAgentEnv, **model: Any) -> Any:
    settings = {"width": 16, "depth": 32, "reward_scale": 0.1, "clone": None} | model
    space = env.observation_spaces["nation_0"]
    return RLModuleSpec(
        PlanModule, observation_space=space, action_space=env.plan_space, model_config=settings
    ).build()


def stacked(observations: list[Any]) -> dict[str, Any]:
    """Observations as RLlib gives them to modules."""

    def together(parts: list[Any]) -> Any:
        if isinstance(parts[0], dict):
            return {name: together([part[name] for part in parts]) for name in parts[0]}
        return torch.from_numpy(np.stack(parts))

    return {Columns.OBS: together(observations)}


@pytest.fixture
def some() -> tuple[HakoenvMultiAgentEnv, dict[str, Any]]:
    """An environment, and a batch of what its nations see in some turns."""
    env = HakoenvMultiAgentEnv({"scenario": "duel", "commands_per_turn": 3, "pieces": READ, "infos": []})
    seen, _ = env.reset(seed=3)
    found = list(seen.values())
    for _ in range(4):
        found += env.step(env.nations.sample_legal())[0].values()
    return env, stacked(found)


def test_what_is_drawn_is_legal_and_judged_as_it_was_drawn(some: Any) -> None:
    env, batch = some
    torch.manual_seed(0)
    plans = module(env)
    drawn = plans.forward_exploration(batch)
    actions = drawn[Columns.ACTIONS]
    menus = {name: array.numpy() for name, array in batch[Columns.OBS]["action_mask"].items()}
    places = np.arange(len(actions))
    assert (env.plan_space.faults(menus, places, actions.numpy()) == -1).all()
    assert (plans.asked, plans.illegal) == (len(actions), 0)
    assert len(np.unique(actions.numpy(), axis=0)) > 5
    judged = plans.forward_train({**batch, **drawn})
    now = Judged.from_logits(judged[Columns.ACTION_DIST_INPUTS])
    then = Judged.from_logits(drawn[Columns.ACTION_DIST_INPUTS])
    torch.testing.assert_close(now.logp(actions), drawn[Columns.ACTION_LOGP], rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(then.kl(now), torch.zeros(len(actions)), rtol=0, atol=1e-5)
    assert (now.entropy() > 0).all() and now.entropy().requires_grad
    values = plans.compute_values(batch)
    torch.testing.assert_close(values, judged[Columns.EMBEDDINGS].detach(), rtol=1e-4, atol=1e-4)
    greedy = plans.forward_inference(batch)[Columns.ACTIONS]
    assert torch.equal(greedy, plans.forward_inference(batch)[Columns.ACTIONS])


def test_the_plan_that_rllib_repeats_at_an_end_is_not_judged(some: Any) -> None:
    """It may be impossible there: verbs that are none, cells that are none."""
    env, batch = some
    plans = module(env)
    drawn = plans.forward_exploration(batch)
    counts = torch.ones(len(drawn[Columns.ACTIONS]), dtype=torch.bool)
    counts[4] = False
    drawn[Columns.ACTIONS][4, 1:] = torch.from_numpy(env.plan_space.nvec[1:] - 1)
    judged = plans.forward_train({**batch, **drawn, Columns.LOSS_MASK: counts})
    likely = judged[Columns.ACTION_DIST_INPUTS][:, 0]
    torch.testing.assert_close(likely, drawn[Columns.ACTION_LOGP], rtol=1e-4, atol=1e-4)
    judged[Columns.ACTION_DIST_INPUTS][counts].sum().backward()
    assert all(torch.isfinite(p.grad).all() for p in plans.parameters() if p.grad is not None)


def test_the_clone_is_where_it_starts_and_no_part_of_it(some: Any, tmp_path: Path) -> None:
    env, batch = some
    torch.manual_seed(1)
    checkpoint.save(tmp_path / "clone.pt", PlanNetwork(Form.of(env.plan_space), 16, 32))
    plans = module(env, clone=str(tmp_path / "clone.pt"))
    drawn = plans.forward_exploration(batch)
    assert set(plans.state_dict()) == {f"network.{name}" for name in plans.network.state_dict()}
    plans.clone_weight = 0.2
    known = {**batch, **drawn}
    same = plans.forward_train(known)["clone_divergence"]
    torch.testing.assert_close(same, torch.zeros(len(same)), rtol=0, atol=1e-5)
    with torch.no_grad():
        plans.network.verb.bias[1] += 3.0
    for weight in (0.2, 0.0):  # after the penalty has faded, too
        plans.clone_weight = weight
        assert (plans.forward_train(known)["clone_divergence"] > 0).all()
    assert "clone_divergence" not in module(env).forward_train(known)


@pytest.fixture(scope="module")
def ray(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with train_rllib.ray_for(configs.load(None, SMALL), tmp_path_factory.mktemp("ray")):
        yield


@pytest.fixture(scope="module")
def run(ray: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """Two iterations of seasons in which a nation falls, and a third when the run is gone on with."""
    folder, batches = tmp_path_factory.mktemp("run"), []
    plain = PlanLearner.compute_loss_for_module

    def watched(self: Any, **given: Any) -> Any:
        loss = plain(self, **given)
        batches.append((given["batch"], given["fwd_out"], float(loss.detach()), self.share))
        return loss

    config = configs.load(None, SMALL)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PlanLearner, "compute_loss_for_module", watched)
        trainer = train_rllib.Trainer(config, folder, DyingEnv)
        trainer.run()
        trainer.stop()
        weights = {name: array.clone() for name, array in trainer.network.state_dict().items()}
        with (folder / "metrics.jsonl").open("a", encoding="utf-8") as file:
            file.write('{"iteration": 3, "min')  # a line that was cut off
        later = train_rllib.Trainer(configs.load(None, SMALL | {"ppo.iterations": 3}), folder, DyingEnv)
        resumed = {name: array.clone() for name, array in later.network.state_dict().items()}
        later.run()
        later.stop()
    yield {
        "folder": folder,
        "batches": batches,
        "trainer": trainer,
        "later": later,
        "weights": weights,
        "resumed": resumed,
    }


def metrics(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(text) for text in (folder / "metrics.jsonl").read_text().splitlines()]


def test_one_season_in_an_iteration_is_noted(ray: None, tmp_path: Path) -> None:
    changes = {"rllib.worlds": 1, "ppo.iterations": 1, "evaluation.every": 0}
    trainer = train_rllib.Trainer(configs.load(None, SMALL | changes), tmp_path, DyingEnv)
    trainer.run()
    trainer.stop()
    assert trainer.results.endings == {"turn_limit": 1}


def test_losses_are_finite_and_the_first_ratio_is_1(run: Any) -> None:
    assert all(math.isfinite(loss) for _, _, loss, _ in run["batches"])
    batch, judged, *_ = run["batches"][0]
    change = judged[Columns.ACTION_DIST_INPUTS][:, 0] - batch[Columns.ACTION_LOGP]
    torch.testing.assert_close(change, torch.zeros(len(change)), rtol=0, atol=1e-3)
    assert batch[Columns.LOSS_MASK].sum() > 10


def test_no_illegal_plan_was_drawn(run: Any) -> None:
    # two seasons an iteration: all turns of one nation, the first ones of the other
    assert run["trainer"].steps == 2 * 2 * (TURNS + FALLS_IN)
    assert run["trainer"].illegal == 0
    space = HakoenvMultiAgentEnv({"scenario": "duel", "commands_per_turn": 3}).plan_space
    for batch, *_ in run["batches"]:
        counts = batch[Columns.LOSS_MASK].numpy()
        menus = {name: array.numpy()[counts] for name, array in batch[Columns.OBS]["action_mask"].items()}
        actions = batch[Columns.ACTIONS].numpy()[counts]
        assert (space.faults(menus, np.arange(len(actions)), actions) == -1).all()


def test_what_is_to_come_ends_with_a_nation_and_with_the_season(run: Any) -> None:
    """Undiscounted, a target is the sum of the rewards to come, and both nations' sum to 0 at any time."""
    (turn,) = (k for k, column in enumerate(pieces.CLOCK) if column.name == "turn")
    targets: dict[float, set[float]] = defaultdict(set)
    for batch, _, _, share in run["batches"]:
        if share > 0:
            continue  # only the first iteration, all of whose seasons are whole
        for i in np.flatnonzero(batch[Columns.LOSS_MASK].numpy()):
            targets[int(batch[Columns.OBS]["clock"][i, turn])].add(
                round(float(batch[Postprocessing.VALUE_TARGETS][i]), 2)
            )
    first = sorted(targets[min(targets)])
    assert len(first) >= 2 and first[0] < -10 and first[-1] > 10  # the fallen have 0 points in the end
    for turn_of, found in targets.items():
        if turn_of < min(targets) + FALLS_IN:
            assert sorted(found) == pytest.approx(sorted(-target for target in found), abs=0.02)
        else:
            assert len(found) <= 2 and max(map(abs, found)) < 0.02  # all 100 points are the survivor's


def test_figures_are_those_of_the_other_trainer(run: Any) -> None:
    lines = metrics(run["folder"])
    assert [line["iteration"] for line in lines] == [1, 2, 3]
    figures = set(rllib_module.FIGURES) - {"clone_divergence"}  # there is no clone
    for line in lines:
        assert {"minutes", "agent_steps", "agent_steps_per_second", *figures} <= set(line)
        assert "clone_divergence" not in line
        assert all(math.isfinite(line[name]) for name in figures)
        assert line["illegal"] == 0 and line["decisions"] == 2 * (TURNS + FALLS_IN)
        assert line["endings"] == {"turn_limit": 2 * line["iteration"]}
        assert line["payoffs"] == {}  # the policy has all seats
    assert "against_rule_ai" in lines[1] and "against_rule_ai" not in lines[2]


def test_a_run_goes_on_from_its_checkpoint(run: Any) -> None:
    assert all(torch.equal(run["weights"][name], array) for name, array in run["resumed"].items())
    later = run["later"]
    assert later.iteration == 3 and later.steps == 3 * 2 * (TURNS + FALLS_IN)
    assert any(not torch.equal(run["weights"][name], p) for name, p in later.network.state_dict().items())
    assert [path.name for path in (run["folder"] / "rllib").iterdir()] == ["3"]


def test_whatever_breaks_in_leaves_the_checkpoint(
    ray: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run against rule_ai that is interrupted, can't save, and is gone on with; then a broken checkpoint.

    Two seasons an iteration count 1.99 after the first, 0.99 * (0.99 * 1.99 + 1) + 1 = 3.94 after the second.
    """
    config = configs.load(None, SMALL | {"evaluation.every": 0, "rllib.against": "rule_ai"})
    first = train_rllib.Trainer(config, tmp_path)
    first.run(lambda at: True)

    def interrupted() -> None:
        raise KeyboardInterrupt

    def full(place: str) -> None:
        Path(place).mkdir(parents=True)
        (Path(place) / "half").write_text("of it", encoding="utf-8")
        raise OSError("no space left")

    monkeypatch.setattr(first.algorithm, "train", interrupted)
    monkeypatch.setattr(first.algorithm, "save_to_path", full)
    with pytest.raises(KeyboardInterrupt):
        first.run()
    first.save()  # it is there already
    first.iteration = 2
    with pytest.raises(OSError, match="no space left"):
        first.save()
    first.stop()
    assert json.loads((tmp_path / "run.json").read_text())["iteration"] == 1

    again = train_rllib.Trainer(config, tmp_path)
    assert again.iteration == 1
    again.run()
    again.stop()
    lines = metrics(tmp_path)
    assert [line["iteration"] for line in lines] == [1, 2]
    assert [line["payoffs"]["rule_ai"]["seasons"] for line in lines] == [2.0, 3.9]
    assert [line["endings"] for line in lines] == [{"turn_limit": 2}, {"turn_limit": 4}]
    assert [path.name for path in (tmp_path / "rllib").iterdir()] == ["2"]

    for file in (tmp_path / "rllib").rglob("*.pkl"):
        file.write_bytes(b"nothing")
    with pytest.raises(checkpoint.CheckpointError) as error:
        train_rllib.Trainer(config, tmp_path)
    assert str(error.value).startswith(f"{tmp_path / 'rllib' / '2'}: can't be gone on from (")
    assert "\n" not in str(error.value)


def test_the_policy_plays_a_season(run: Any) -> None:
    season = Season.new("duel", 5, rules=RULES, agents=[f"policy:{run['folder']}/policy.pt", "rule_ai"])
    season.run()
    assert season.turn == TURNS


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--clone", "nowhere.pt"], "--clone: nowhere.pt: there is no such file"),
        (["--against", "rule_a"], "--against: "),
        (["--iterations", "0"], "--iterations: '0' is not a whole number of 1 or more"),
        (["--set", "rllib.world=3"], "rllib.world: did you mean worlds?"),
        (["--set", "game.scenario=duell"], "duell"),
    ],
)
def test_impossible_options_are_one_sentence(arguments: list[str], words: str, tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["train-rllib", "--out", str(tmp_path / "run"), *arguments])
    assert result.exit_code == 2
    assert words in result.output and len(result.output.strip().splitlines()) == 1
    assert not (tmp_path / "run").exists()


def test_a_policy_of_other_plans_is_refused(some: Any, tmp_path: Path) -> None:
    env, _ = some
    checkpoint.save(tmp_path / "clone.pt", PlanNetwork(Form.of(env.plan_space), 16, 32))
    result = CliRunner().invoke(main, ["train-rllib", "--clone", str(tmp_path / "clone.pt")])
    assert "gives 3 commands a turn; use --set game.commands_per_turn=3" in result.output


def test_another_start_is_refused_by_the_name_of_its_option(some: Any, tmp_path: Path) -> None:
    env, _ = some
    form = Form.of(env.plan_space)
    for name in ("one.pt", "two.pt"):
        checkpoint.save(tmp_path / name, PlanNetwork(form, 16, 32))
    held = tmp_path / "config.json"

    def refused(start: str | None, *arguments: str) -> str:
        held.write_text(json.dumps({"start": start}), encoding="utf-8")
        options = ["train-rllib", "--out", str(tmp_path), "--set", "game.commands_per_turn=3", *arguments]
        result = CliRunner().invoke(main, options)
        assert result.exit_code == 2 and len(result.output.strip().splitlines()) == 1
        return result.output

    one, two = (("--clone", str(tmp_path / name)) for name in ("one.pt", "two.pt"))
    run = f"--clone: the run in '{tmp_path}' started from"
    assert f"{run} nothing, not from '{one[1]}'; leave --clone out" in refused(None, *one)
    digest = rllib_command._digest(one[1])
    assert f"{run} another policy than '{two[1]}'; give its copy, '{tmp_path}/clone.pt'" in refused(
        digest, *two
    )
    assert f"{run} a policy; give its copy" in refused(digest)


@pytest.mark.parametrize(
    "option, words",
    [
        ("--against=llm:none", "--against: llm:none needs a season of its own"),
        ("--against=external", "--against: nobody can give the plans of an external nation here"),
        ("--minutes=abc", "--minutes='abc' must be a number of 0 or more"),
    ],
)
def test_what_cannot_play_or_be_is_refused_by_the_option(tmp_path: Path, option: str, words: str) -> None:
    result = CliRunner().invoke(main, ["train-rllib", "--out", str(tmp_path / "run"), option])
    assert result.exit_code == 2 and words in result.output
    assert not (tmp_path / "run").exists()


def test_a_run_of_the_other_command_is_refused(tmp_path: Path) -> None:
    for held in ({"seed": 0}, {"command": "train"}):
        (tmp_path / "config.json").write_text(json.dumps(held), encoding="utf-8")
        result = CliRunner().invoke(main, ["train-rllib", "--out", str(tmp_path)])
        assert result.exit_code == 2 and "holds a run of hakoenv train; take another folder" in result.output
