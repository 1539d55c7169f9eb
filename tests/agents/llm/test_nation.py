"""Nations of a model in a season: who plans, when it is asked, what is remembered, kept and replayed."""

import copy
import json
import pickle
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cloudpickle  # type: ignore[import-untyped]
import numpy as np
import pytest
from hakoenv.agents.llm import Budget, LLMNation, Settings, Transcript
from hakoenv.agents.llm.prompt import EXAMPLE, Writer, example_lines
from hakoenv.agents.llm.tools import Tools
from hakoenv.agents.llm.transcript import TranscriptError

from hakoenv import Season, controllers
from hakoenv.controllers import StoppedError
from hakoenv.engine.codes import author, command, event, relation
from hakoenv.engine.commands.plans import plan_of, results_of, set_plan
from hakoenv.obs.language import answers
from hakoenv.obs.language.vocabulary import Vocabulary
from hakoenv.testing.hidden import vary_hidden
from hakoenv.testing.stub_model import Play, StubModel, sane

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])
Make = Callable[..., Season]


def nation(stub: StubModel, model: str = "stub-sane", **arguments: Any) -> LLMNation:
    arguments.setdefault("budget", Budget(seconds_per_turn=20))
    return LLMNation(stub.url, model, **arguments)


def authors(season: Season) -> list[int]:
    return season.world.nations["author"].tolist()


@pytest.mark.rule("LLM-001", "LLM-015")
def test_a_models_answer_is_played(stub: StubModel, season: Make) -> None:
    played = season(nation(stub), "external")
    played.play_turn()
    assert authors(played) == [author.LLM, author.EXTERNAL]
    assert played.controllers[0] == "llm:stub-sane"
    assert results_of(played.world, 0)


@pytest.mark.rule("LLM-002")
@pytest.mark.parametrize(
    "model", ["empty", "prose", "illegal", "truncated", "server-error", "no-key", "hang"]
)
def test_no_answer_that_holds_means_the_proxy_unless_commands_wait(
    model: str, stub: StubModel, season: Make
) -> None:
    played = season(nation(stub, f"stub-{model}", budget=Budget(seconds_per_turn=1.5)), "external")
    played.play_turn()
    assert authors(played) == [author.PROXY, author.EXTERNAL]
    played.world.nations["plan_length"][0] = 0
    with_queue = Season(played.snapshot())
    with_queue.set_controller(0, nation(stub, f"stub-{model}", budget=Budget(seconds_per_turn=1.5)))
    set_plan(with_queue.world, 0, [("fundraise",)])
    with_queue.play_turn()
    assert authors(with_queue) == [author.LLM, author.EXTERNAL]


@pytest.mark.rule("LLM-003")
def test_without_a_proxy_a_nation_is_external_and_fundraises(stub: StubModel, season: Make) -> None:
    model = nation(stub, "stub-prose", proxy=False)
    played = season(model, "external")
    played.play_turn()
    assert authors(played) == [author.EXTERNAL] * 2
    (idle,) = results_of(played.world, 0)
    assert idle.command == command.FUNDRAISE
    told = model.report()[0]
    assert told["idle_share"] == 1.0 and told["proxy_share"] == 0.0
    assert told["failures"] == {"unparsable": 2} and told["calls"] == 2


def test_nations_are_asked_at_the_same_time_and_a_dead_endpoint_holds_nobody_up(
    stub: StubModel, season: Make
) -> None:
    def slow(body: dict[str, Any], number: int) -> Play:
        time.sleep(0.8)
        return sane(body)

    with StubModel(slow) as other:
        dead = nation(stub, "stub-hang", budget=Budget(seconds_per_turn=2.0))
        played = season(dead, nation(other, "a"))
        played.play_turn()
        began = time.monotonic()
        played.play_turn()
        took = time.monotonic() - began
        assert authors(played) == [author.PROXY, author.LLM]
        writing = 1.5  # prompts and plans, where nothing is compiled
        assert took < 2.0 + 1.0 + writing
        both = nation(other, "b", concurrent=8)
        played = season(both, both)
        played.play_turn()
        assert authors(played) == [author.LLM] * 2 and len(both.report()) == 2
    assert dead.report()[0]["failures"] == {"timeout": 2}


def test_a_stop_gives_up_the_turn_and_leaves_the_season_as_it_was(stub: StubModel, season: Make) -> None:
    model = nation(stub, "stub-hang", transcript=Transcript(), budget=Budget(seconds_per_turn=60))
    played = season(model, "external")
    before = played.state_hash()
    threading.Timer(1.0 + 2.0, played.stop_planning).start()
    began = time.monotonic()
    with pytest.raises(StoppedError):
        played.play_turn()
    assert time.monotonic() - began < 3.0 + 2.0
    assert played.state_hash() == before and played.turn == 0
    assert model.transcript is not None and not model.transcript.turns


def test_a_model_is_asked_when_it_is_due_or_something_happens(stub: StubModel, season: Make) -> None:
    model = nation(stub, settings=Settings(decide_every=4, wake_on=("war",)), transcript=Transcript())
    played = season(model, "external")
    for turn in range(1, 7):
        if turn == 4:
            played.world.relations["state"][:] = relation.PENDING
        played.play_turn()
    assert model.transcript is not None
    asked = {turn: line["why_asked"] for (turn, _), line in model.transcript.turns.items() if line["asked"]}
    assert asked == {1: "due", 4: "war"}
    told = model.report()[0]
    assert (told["asked"], told["turns"]) == (2, 6)
    assert told["queue_share"] + told["proxy_share"] == pytest.approx(4 / 6, abs=1e-3)


def test_what_wakes_a_model(season: Make) -> None:
    from hakoenv.agents.llm import wake

    played = season("external", "external")
    played.run(until=1)
    world, asleep = played.world, wake.outlook(played.world, 0)

    def why(before: wake.Outlook = asleep, wake_on: tuple[str, ...] = wake.REASONS) -> str:
        return wake.reason(world, played.rules, 0, before, wake.outlook(world, 0), 1, 99, wake_on)

    assert why() == "empty" and why(wake_on=("war",)) == ""
    world.nations["plan_length"][0] = 1
    assert why() == ""
    world.relations["offer_until"][1, 0] = 5
    assert why() == "offer" and why(wake.outlook(world, 0)) == ""
    world.relations["state"][0, 1] = relation.WAR
    assert why() == "war"
    seen = wake.outlook(world, 0)
    capital = int(world.nations["capital"][0])
    place = int(world.clock["event_count"][0])
    world.events[place] = np.zeros(1, world.events.dtype)[0]
    world.events["kind"][place], world.events["nation"][place] = event.CAPITAL_MOVED, 0
    world.events["cell"][place] = capital
    world.clock["event_count"] += 1
    assert why(seen) == "capital"


def test_an_enemy_on_the_capital_wakes_a_model() -> None:
    """It wears down resistance there without any battle; a friend does not."""
    from hakoenv.agents.llm import wake

    from hakoenv.testing import SmallWorld

    w = SmallWorld(height=9, width=9, nations=2, turn=50)
    w.cell(2, 4, terrain="town", owner=0, population=50, capital=True)
    w.cell(6, 6, terrain="town", owner=1, population=30, capital=True)
    w.unit(1, "infantry", 2, 4, strength=50)

    def why() -> str:
        now = wake.outlook(w.world, 0)
        return wake.reason(w.world, w.rules, 0, now, now, 50, 99, ("capital",))

    assert why() == ""
    w.war(1, 0)
    assert why() == "capital"
    w.world.units["owner"][int(w.world.cells["unit"][4, 2])] = 0
    assert why() == ""


@pytest.mark.parametrize("commands", ["farm,frm", "bank_loan"])
def test_commands_that_there_are_not_are_refused_in_one_sentence(
    commands: str, stub: StubModel, season: Make
) -> None:
    played = season(nation(stub, settings=Settings(commands=commands)), "external")
    with pytest.raises(controllers.ControllerError, match="^settings: commands"):
        played.play_turn()


def test_prompts_offer_only_what_is_in_the_game(season: Make) -> None:
    played = season("external", "external")
    words = Vocabulary.of(played.world, played.ruleset, "all", played.names)
    writer = Writer(Settings(), words)
    whole = writer.system + json.dumps(writer.schemas)
    for name in ("place_unit:armor", "build_ship:cruiser", "faction_apply", "league_join", "aid_reserves"):
        assert name in whole, name
    for name in ("bank_", "abandon_nation"):
        assert name not in whole, name


def test_a_turn_that_is_taken_back_counts_once_but_its_calls_do(
    stub: StubModel, season: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Four calls: two for turn 2, whose first try failed after the plan was given, one for the others."""
    import hakoenv.engine.season as module

    model = nation(stub, "stub-sane", transcript=tmp_path / "t.jsonl")
    played = season(model, "external")
    whole = season(nation(stub, "stub-sane"), "external")
    real = module.turn

    def broken(*_: Any) -> None:
        raise RuntimeError("out of luck")

    played.play_turn()
    monkeypatch.setattr(module, "turn", broken)
    with pytest.raises(RuntimeError):
        played.play_turn()
    monkeypatch.setattr(module, "turn", real)
    for this in (played, whole):
        this.run(until=3)
    told, plain = model.report()[0], whole._drivers[0][2].report()[0]  # type: ignore[attr-defined]
    assert (told["calls"], plain["calls"]) == (4, 3)
    used = {"calls", "prompt_tokens", "answer_tokens", "seconds", "estimated_tokens", "cost"}
    assert {k: v for k, v in told.items() if k not in used} == {
        k: v for k, v in plain.items() if k not in used
    }
    assert (told["turns"], told["asked"], told["plans"]) == (3, 3, 3) and told["commands"] > 3
    again = nation(stub, "stub-sane", transcript=tmp_path / "t.jsonl")  # what a resumed season remembers
    again._memories[0] = again._memory(0, 4)
    assert again.report()[0] == told


def test_notes_and_what_was_refused_come_back_the_next_turn(secret: str, season: Make) -> None:
    said = {"mode": "replace", "commands": ["fundraise", "farm at (0,0)"], "notes": "A" * 50 + "\x00B"}
    with StubModel(lambda body, number: Play(json.dumps(said))) as stub:
        model = nation(stub, "x", settings=Settings(notes_characters=40))
        played = season(model, "external")
        played.play_turn()
        played.play_turn()
        first, second = (body["messages"][1]["content"] for body in stub.requests)
    assert "Your notes" not in first and f"## Your notes\n{'A' * 40}\n" in second
    assert "## Not played of your last answer\ncommands[1]: farm at (0,0): " in second


def test_half_a_sign_in_an_answer_spoils_no_later_prompt(secret: str, season: Make) -> None:
    def odd(body: dict[str, Any], number: int) -> Play:
        if number == 0:
            function = {"name": "ins\ud800", "arguments": '{"x": "\ud800"}'}
            call = {"id": "\udfff", "type": "function", "function": function}
            return Play("\ud800", "tool_calls", members={"tool_calls": [call]})
        return Play(
            '{"mode": "replace", "commands": ["fundraise", "farm \ud800"], "notes": "\\ud800 \ud800"}'
        )

    with StubModel(odd) as stub:
        model = nation(stub, "x", settings=Settings(tool_calls=1), transcript=Transcript())
        played = season(model, "external")
        played.run(until=2)
    assert model.report()[0]["failures"] == {} and len(stub.requests) == 3
    assert "## Your notes" in stub.requests[-1]["messages"][1]["content"]


def test_a_new_season_is_begun_without_memory(stub: StubModel, season: Make, tmp_path: Path) -> None:
    model = nation(stub, transcript=tmp_path / "t.jsonl")
    season(model, "external").run(until=2)
    played = season(model, "external")
    played.play_turn()
    assert model.report()[0]["turns"] == 1
    assert Transcript(tmp_path / "t.jsonl").turns.keys() == {(1, 0)}
    assert "Your notes" not in stub.requests[-1]["messages"][1]["content"]


def test_what_is_shown_as_legal_is_read_and_legal(stub: StubModel, season: Make) -> None:
    played = season(nation(stub), "rule_ai")
    for _ in range(3):
        played.play_turn()
    words = Vocabulary.of(played.world, played.ruleset, "all", played.names)
    for seat in (0, 1):
        prompt = Writer(Settings(), words).write(played.world, played.rules, seat, played.names)
        lines = example_lines(prompt.user)
        assert len(lines) > 10
        for line in lines:
            said = json.dumps({"commands": [line]})
            result = answers.parse(said, played.world, played.rules, seat, words)
            assert not result.failure and not result.rejected, (line, result)
        assert EXAMPLE in prompt.system
        result = answers.parse(EXAMPLE, played.world, played.rules, seat, words)
        assert not result.failure and not result.rejected


def test_prompts_have_a_name_and_hints_of_three_kinds(season: Make) -> None:
    played = season("external", "external")
    words = Vocabulary.of(played.world, played.ruleset, "all", played.names)
    writers = {kind: Writer(Settings(hints=kind), words) for kind in ("none", "names", "full")}
    users = {
        kind: writer.write(played.world, played.rules, 0, played.names).user
        for kind, writer in writers.items()
    }
    assert len({writer.prompt_id for writer in writers.values()}) == 3
    assert Writer(Settings(), words).prompt_id == writers["full"].prompt_id
    assert "legal now" not in users["none"].lower()
    assert "Commands that are legal now\n" in users["names"] and "`" not in users["names"]
    assert len(users["none"]) < len(users["names"]) < len(users["full"])
    both = Writer(Settings(japanese=True), words)
    assert "funds 資金 " in both.write(played.world, played.rules, 0, played.names).user
    assert both.prompt_id != writers["full"].prompt_id and "資金" not in users["full"]
    short = Writer(Settings(text_characters=2000, hints="none"), words)
    assert len(short.write(played.world, played.rules, 0, played.names).user) < 2200


def test_prompt_and_tools_tell_nothing_that_is_hidden(season: Make) -> None:
    played = season("rule_ai", "rule_ai")
    played.run(until=4)
    words = Vocabulary.of(played.world, played.ruleset, "all", played.names)
    writer = Writer(Settings(), words)
    height, width = played.world.cells.shape

    def everything(world: Any) -> list[str]:
        tools = Tools(world, played.rules, words, 0, played.names, played.statistics.curves())
        asked = [("inspect", {"x": x, "y": y}) for x in range(0, width, 4) for y in range(0, height, 4)]
        asked += [("map", {"x": 0, "y": 0, "width": width, "height": height})]
        asked += [("nation", {"id": n}) for n in (0, 1)] + [("history", {"stat": "area"})]
        asked += [("check", {"plan": '{"commands": ["farm at (3,4)", "fundraise"]}'})]
        said = [tools.use(name, json.dumps(arguments)) for name, arguments in asked]
        return [writer.write(world, played.rules, 0, played.names).user, *said]

    told = everything(played.world)
    for seed in range(4):
        changed = vary_hidden(played.world, played.rules, 0, np.random.default_rng(seed))
        assert everything(changed) == told


def test_tools_answer_whatever_they_are_given(season: Make) -> None:
    played = season("rule_ai", "rule_ai")
    played.run(until=2)
    words = Vocabulary.of(played.world, played.ruleset, "all", played.names)
    tools = Tools(played.world, played.rules, words, 0, played.names, played.statistics.curves())
    capital = int(played.world.nations["capital"][0])
    y, x = divmod(capital, played.world.cells.shape[1])
    assert json.loads(tools.use("inspect", json.dumps({"x": x, "y": y})))["owner"] == 0
    chart = tools.use("map", json.dumps({"x": max(0, x - 3), "y": max(0, y - 3), "width": 7, "height": 7}))
    assert "*A" in chart and "Owners: A you" in chart and len(chart.split("\n")) == 10
    assert json.loads(tools.use("inspect", json.dumps({"x": x, "y": y})))["resistance"] == 150  # ARMY-009
    assert "; you" in tools.use("nation", '{"id": 0}') and "nation_1" in tools.use("nation", '{"id": 1}')
    assert tools.use("history", '{"stat": "population"}').count("\n") == 2
    assert tools.use("rules", '{"id": "DEV-010"}').startswith("DEV-010 ") and "DEV-011" in tools.use(
        "rules", '{"id": "DEV"}'
    )
    plan = json.dumps({"plan": '{"commands": ["fundraise", "farm at (0,0)"]}'})
    assert tools.use("check", plan).startswith("legal: fundraise\ncommands[1]: ")
    for name in ("inspect", "map", "nation", "history", "rules", "check", "shell", "__class__"):
        for arguments in ("", "{", "[]", "{}", '{"x": -1, "y": 1e9}', '{"id": null}', '{"id": "../x"}',
                          '{"stat": 3}', '{"plan": {"commands": ["fundraise"]}}', "[" * 9000):  # fmt: skip
            assert isinstance(tools.use(name, arguments), str)


def test_tools_are_offered_and_used(stub: StubModel, season: Make) -> None:
    model = nation(stub, "stub-tools", settings=Settings(tool_calls=7), budget=Budget(60, calls_per_turn=9))
    played = season(model, "external")
    played.play_turn()
    assert authors(played)[0] == author.LLM
    told = [m["content"] for m in stub.requests[-1]["messages"] if m["role"] == "tool"]
    assert len(told) == 7 and model.report()[0]["calls"] == 8


def test_a_transcript_is_replayed_to_the_same_world_and_refused_for_another(
    stub: StubModel, season: Make, tmp_path: Path
) -> None:
    path = tmp_path / "t.jsonl"
    kept = Transcript(path)
    settings = Settings(decide_every=2, tool_calls=2)
    models = [
        nation(stub, name, transcript=kept, settings=settings) for name in ("stub-tools", "stub-sometimes")
    ]
    played = season(*models)
    played.run(until=5)
    stub.close()  # nobody answers any more
    replay = Transcript.existing(path)
    again = season(*(LLMNation(None, model.model, replay=replay) for model in models))
    again.run(until=5)
    assert again.state_hash() == played.state_hash()
    for seat, model in enumerate(models):
        (old,), (new,) = model.report().values(), again._drivers[seat][2].report().values()  # type: ignore[attr-defined]
        assert new == old
    again = season(*(LLMNation(None, model.model, replay=replay) for model in models))
    with pytest.raises(TranscriptError, match="no turn 6"):
        again.run(until=6)
    other = season(*(LLMNation(None, model.model, replay=replay) for model in models))
    other.world.nations["treasury"][0, 8] += 1
    with pytest.raises(TranscriptError, match="another game or prompt"):
        other.play_turn()
    with pytest.raises(TranscriptError, match="llm:stub-tools, llm:stub-sometimes, not llm:x"):
        LLMNation(None, "x", replay=replay)


def test_a_season_goes_on_from_save_and_transcript_as_if_it_had_not_stopped(
    stub: StubModel, season: Make, tmp_path: Path
) -> None:
    settings = Settings(decide_every=3)

    def model(name: str) -> LLMNation:
        return nation(
            stub, settings=settings, transcript=tmp_path / name, budget=Budget(20, calls_per_season=2)
        )

    whole = season(model("whole.jsonl"), "external")
    whole.run(until=8)
    part = season(model("part.jsonl"), "external")
    part.run(until=5)
    part.save(tmp_path / "a.save")
    part.play_turn()  # played once more below: its line is superseded
    rest, _ = Season.load(tmp_path / "a.save", agents=[model("part.jsonl"), "external"])
    rest.run(until=8)
    assert rest.state_hash() == whole.state_hash()
    lines = [Transcript(tmp_path / name).turns for name in ("whole.jsonl", "part.jsonl")]
    assert [{key: (line["asked"], line["outcome"]) for key, line in part.items()} for part in lines][0] == {
        key: (line["asked"], line["outcome"]) for key, line in lines[1].items()
    }
    assert lines[0][7, 0]["outcome"] == "budget"  # the two calls of the season are used up


def test_a_transcript_whose_last_line_was_cut_is_taken_up(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    kept = Transcript(path)
    kept.header("llm:x", {"settings": {}})
    whole = path.read_text(encoding="utf-8")
    path.write_text(whole + '{"kind": "turn", "tu', encoding="utf-8")
    again = Transcript(path)
    assert again.headers.keys() == {"llm:x"}
    again.prompt("digest", "text")
    assert path.read_text(encoding="utf-8").startswith(whole + '{"kind": "prompt"')
    path.write_text("hello\n" + whole, encoding="utf-8")
    with pytest.raises(TranscriptError, match="line 1"):
        Transcript(path)
    with pytest.raises(TranscriptError, match="no such"):
        Transcript.existing(tmp_path / "none")


def test_copies_and_pickles_ask_the_same_model_and_hold_no_key(
    stub: StubModel, season: Make, secret: str
) -> None:
    model = nation(stub, settings=Settings(hints="none"))
    season(model, "external").play_turn()
    for twin in (
        copy.deepcopy(model),
        pickle.loads(pickle.dumps(model)),
        cloudpickle.loads(cloudpickle.dumps(model)),
    ):
        assert (twin.model, twin.settings, twin.budget) == (model.model, model.settings, model.budget)
        played = season(twin, "external")
        played.play_turn()
        assert authors(played)[0] == author.LLM
    assert secret.encode() not in pickle.dumps(model) and secret not in repr(model)
    assert secret not in repr(vars(model)) + repr(model._backend)


def test_a_season_and_an_environment_take_a_model(stub: StubModel) -> None:
    import hakoenv

    env = hakoenv.parallel_env("duel", controllers={"nation_1": nation(stub)}, max_turns=2)
    observations, infos = env.reset(seed=3)
    while env.agents:
        observations, _, _, _, infos = env.step({"nation_0": None})
    assert env.season.controllers == ["external", "llm:stub-sane"]
    assert env.world.nations["author"].tolist() == [author.EXTERNAL, author.LLM]
    assert plan_of(env.world, 0) == []


def test_models_by_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, stub: StubModel, season: Make
) -> None:
    file = tmp_path / "llm.toml"
    file.write_text(f'base_url = "{stub.url}"\nmodel = "stub-sane"\n', encoding="utf-8")
    monkeypatch.setenv("HAKOENV_LLM_CONFIG", str(file))
    for name, model in (("llm", "stub-sane"), ("llm:stub-prose", "stub-prose")):
        made = controllers.get(name)
        assert isinstance(made, LLMNation) and made.model == model
    monkeypatch.delenv("HAKOENV_LLM_CONFIG")
    nameless = season(controllers.get("llm"), "external")
    with pytest.raises(controllers.ControllerError, match="no model is named: use llm:MODEL"):
        nameless.play_turn()
    with pytest.raises(controllers.ControllerError, match="takes no argument"):
        controllers.get("rule_ai:hard")
    with pytest.raises(controllers.ControllerError, match="unknown controller 'lim:x'"):
        controllers.get("lim:x")
    with pytest.raises(controllers.ControllerError, match="unknown controller 'llm:'"):
        controllers.get("llm:")


def test_without_the_package_a_sentence_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    from hakoenv.agents.llm import nation as module

    monkeypatch.setattr(module, "find_spec", lambda name: None)
    with pytest.raises(controllers.ControllerError, match=r"pip install 'hakoenv\[llm\]'"):
        controllers.get("llm:x")


def noting(body: dict[str, Any], number: int) -> Play:
    return Play(json.dumps({"mode": "replace", "commands": ["fundraise"] * 2, "notes": f"note {number}"}))


def test_a_replay_goes_on_from_a_save_and_changes_settings_where_they_changed(
    stub: StubModel, season: Make, tmp_path: Path
) -> None:
    stub.behaviour = noting
    path = tmp_path / "t.jsonl"
    played = season(nation(stub, "m", transcript=path), "external")
    played.run(until=2)
    played.save(tmp_path / "2.save")
    other = Settings(hints="none", decide_every=2, wake_on=(), notes_characters=3)
    rest, _ = Season.load(
        tmp_path / "2.save", agents=[nation(stub, "m", transcript=path, settings=other), "external"]
    )
    rest.run(until=4)
    rest.save(tmp_path / "4.save")
    rest.run(until=6)
    asked = len(stub.requests)
    replay = Transcript.existing(path)
    whole = season(LLMNation(model="m", replay=replay), "external")
    whole.run(until=6)
    assert whole.state_hash() == rest.state_hash() and len(stub.requests) == asked
    for turn in (2, 4):
        model = LLMNation(model="m", replay=replay)
        part, _ = Season.load(tmp_path / f"{turn}.save", agents=[model, "external"])
        part.run(until=6)
        assert part.state_hash() == rest.state_hash()
        assert model.report()[0] == whole._drivers[0][2].report()[0]  # type: ignore[attr-defined]


def test_who_is_asked_first_changes_from_turn_to_turn(stub: StubModel, season: Make) -> None:
    model = nation(stub, concurrent=1)
    played = season(model, model)
    played.run(until=4)
    users = [body["messages"][1]["content"] for body in stub.requests]
    seats = ["You are nation_1 " in user for user in users]
    assert seats[0] != seats[1] and seats[:4] == seats[4:8] and seats[:2] == seats[3:1:-1]


def test_what_is_under_way_at_a_stop_was_used(stub: StubModel, season: Make) -> None:
    model = nation(stub, "stub-hang", transcript=Transcript(), budget=Budget(seconds_per_turn=60))
    played = season(model, "external")

    def when_asked() -> None:
        while not stub.requests:
            time.sleep(0.05)
        played.stop_planning()

    threading.Thread(target=when_asked).start()
    with pytest.raises(StoppedError):
        played.play_turn()
    told = model.report()[0]
    assert told["calls"] == 1 and told["prompt_tokens"] == told["estimated_tokens"] > 1000
    assert told["failures"] == {"abandoned": 1} and told["turns"] == 0


def test_an_endpoint_that_hangs_uses_up_a_seasons_tokens(stub: StubModel, season: Make) -> None:
    limits = Budget(seconds_per_turn=1.0, tokens_per_season=8000)
    model = nation(stub, "stub-hang", budget=limits, transcript=Transcript())
    played = season(model, "external")
    played.run(until=4)
    outcomes = model.report()[0]["outcomes"]
    assert outcomes["budget"] >= 1 and outcomes["timeout"] == len(stub.requests) < 4
    replay = model.transcript
    again = LLMNation(model="stub-hang", replay=replay)
    twin = season(again, "external")
    twin.run(until=4)
    assert twin.state_hash() == played.state_hash() and again.report() == model.report()


def test_a_controller_that_cannot_begin_leaves_no_call_uncounted(stub: StubModel, season: Make) -> None:
    model = nation(stub, "stub-hang", budget=Budget(seconds_per_turn=2))
    played = season(model, LLMNation(stub.url, ""))
    with pytest.raises(controllers.ControllerError, match="no model is named"):
        played.play_turn()
    while not stub.requests:
        time.sleep(0.05)
    played.set_controller(1, "external")
    played.play_turn()
    assert model.report()[0]["failures"].keys() == {"timeout"}
