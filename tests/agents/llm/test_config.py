"""The configuration file, settings, budgets and keys."""

from pathlib import Path

import pytest
from hakoenv.agents.llm import Budget, LLMNation, Prices, Settings, config, keys
from hakoenv.agents.llm.budget import Meter, Usage
from hakoenv.agents.llm.settings import SettingsError

FILE = """
base_url = "http://127.0.0.1:8011/v1"
model = "small"
concurrent = 3

[settings]
hints = "names"
wake_on = ["war", "empty"]
commands = ["economy", "research"]

[budget]
seconds_per_turn = 20
tokens_per_season = 100000

[prices]
prompt_per_million = 1
answer_per_million = 4.5

[models."big"]
base_url = "http://127.0.0.1:8012/v1"
budget = { seconds_per_turn = 90 }
settings = { decide_every = 5 }
"""


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "llm.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_says_all_and_a_model_has_its_own_over_it(tmp_path: Path) -> None:
    read = config.read(written(tmp_path, FILE))
    small, big = read.nation(), read.nation("big", proxy=False, settings={"hints": "none"})
    assert (small.model, small.registered_name) == ("small", "llm:small")
    assert small.settings == Settings(hints="names", wake_on=("war", "empty"), commands="economy,research")
    assert small.budget == Budget(seconds_per_turn=20, tokens_per_season=100_000)
    assert small.prices == Prices(1, 4.5)
    assert big.settings == Settings(
        hints="none", wake_on=("war", "empty"), commands="economy,research", decide_every=5
    )
    assert big.budget == Budget(seconds_per_turn=90, tokens_per_season=100_000)
    assert small.code == 2 and big.code == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("base_url = 3", "base_url must be a text"),
        ("bass_url = ''", "'bass_url' is unknown; there are base_url"),
        ("api_key = 'x'", "no key may stand in a file"),
        ("models.x.token = 'y'", "no key may stand in a file"),
        ("concurrent = 0", "concurrent must be 1"),
        ("settings = 3", "settings must be a table"),
        ("models = 3", "models must be tables"),
        ("[settings]\nhint = 'full'", "'hint' is no setting"),
        ("[settings]\nhints = 'some'", "hints='some' must be one of none, names, full"),
        ("[settings]\ndecide_every = 0", r"decide_every=0 must be a whole number of 1\.\.1000"),
        ("[settings]\nwake_on = ['rain']", "wake_on='rain' must be one of war"),
        ("[budget]\ncalls_per_turn = 1.5", "calls_per_turn=1.5 must be a whole number above 0"),
        ("[budget]\nseconds_per_turn = -1", "seconds_per_turn=-1 must be a number above 0"),
        ("[budget]\nseconds = 1", "'seconds' is unknown here"),
        ("[prices]\nprompt_per_million = -1", "prompt_per_million=-1 must be a number of 0 or more"),
        ("[models.x.budget]\ntokens_per_turn = 0", "tokens_per_turn=0"),
        ("a = ", "can't be read as TOML"),
    ],
)
def test_what_can_not_be_is_named(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=said) as raised:
        config.read(written(tmp_path, text))
    assert str(tmp_path / "llm.toml") in str(raised.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="can't be read"):
        config.read(tmp_path / "none.toml")
    assert config.Config().nation().model == ""


def test_keys_come_from_the_environment_and_leave_every_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_KEY", "open-sesame-77")
    assert keys.key("SOME_KEY") == "open-sesame-77" and keys.key("NO_SUCH_KEY") == keys.NONE
    assert keys.scrubbed("I said open-sesame-77!") == "I said [key]!"
    assert keys.scrubbed_error("Bearer abc, sk-proj-12345678, sk-***1234567") == "[key] [key], [key]"
    assert keys.scrubbed("the bearer of news") == "the bearer of news"


def test_seconds_of_a_turn_are_those_left_in_the_season() -> None:
    meter = Meter(Budget(seconds_per_turn=10, seconds_per_season=25), Usage(seconds=18))
    assert meter.seconds() == 7
    assert Meter(Budget(seconds_per_turn=10), Usage(seconds=18)).seconds() == 10


@pytest.mark.parametrize(
    "line",
    [
        *("wake_on = 5", "wake_on = true", "commands = 5", "commands = [1, 2]", "commands = true"),
        *(
            'temperature = "hot"',
            "temperature = nan",
            "temperature = inf",
            "temperature = -1",
            "temperature = true",
        ),
        *('seed = "x"', "seed = 1.5", 'japanese = "no"', "japanese = 5"),
    ],
)
def test_a_setting_of_another_type_is_refused_by_its_name(line: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=line.split()[0]):
        config.read(written(tmp_path, f"[settings]\n{line}"))


@pytest.mark.parametrize(
    "address",
    [
        *(
            "",
            "not a url",
            "file:///etc/passwd",
            "127.0.0.1:8011/v1",
            "http://",
            "http://[bad",
            "http://a b/",
        ),
        *("http://h:99999999/v1", "http://h:-1/v1", "http://h:0/v1", "http://\\u0000/", "ftp://h/"),
        "http://" + "x" * 70_000 + "/",
    ],
)
def test_an_address_that_can_be_none_is_refused(address: str, tmp_path: Path) -> None:
    line = f'base_url = "{address}"'
    for text in (line, f"[models.m]\n{line}"):
        with pytest.raises(SettingsError, match="must be an address such as") as refused:
            config.read(written(tmp_path, text))
        assert len(str(refused.value)) < 400
    with pytest.raises(SettingsError, match="must be an address such as"):
        LLMNation(address, "m")


def test_no_password_stands_in_an_address(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="no key may stand in it") as refused:
        config.read(written(tmp_path, 'base_url = "https://me:a-password@example.org/v1"'))
    assert "a-password" not in str(refused.value)
    with pytest.raises(SettingsError, match="concurrent"):
        LLMNation("http://127.0.0.1:1/v1", "m", concurrent=0)
