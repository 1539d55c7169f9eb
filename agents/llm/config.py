"""The file that says where models are and what they may use (TOML). Keys never stand in it.

```toml
base_url = "http://127.0.0.1:8011/v1"
key_variable = "OPENAI_API_KEY"    # the environment variable that holds the key
model = "stub-sane"                # where --agents says just `llm`

[settings]                         # hakoenv.agents.llm.Settings
[budget]                           # hakoenv.agents.llm.Budget
[prices]                           # hakoenv.agents.llm.Prices

[models."big-one"]                 # any of these again, for one model
base_url = "https://example.org/v1"
budget = { seconds_per_turn = 120 }
```
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hakoenv.agents.llm import keys
from hakoenv.agents.llm.budget import Budget, Prices
from hakoenv.agents.llm.settings import Settings, SettingsError, check_address
from hakoenv.agents.llm.transcript import Transcript

if TYPE_CHECKING:
    from hakoenv.agents.llm.nation import LLMNation

VARIABLE = "HAKOENV_LLM_CONFIG"
_PLAIN = {"base_url": str, "key_variable": str, "model": str, "concurrent": int}
_TABLES = ("settings", "budget", "prices")
_LOOKS_LIKE_A_KEY = ("key", "token", "secret", "password", "authorization")


@dataclass(frozen=True)
class Config:
    """What a configuration file says.

    Attributes:
        common: for all models.
        models: for some, over what is common.
    """

    common: dict[str, Any] = field(default_factory=dict)
    models: dict[str, dict[str, Any]] = field(default_factory=dict)

    def nation(
        self,
        model: str = "",
        *,
        proxy: bool = True,
        transcript: Transcript | None = None,
        replay: Transcript | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> LLMNation:
        """A controller of a model.

        Args:
            model: its name; empty: the file's.
            proxy: see `LLMNation`, as for the next two.
            transcript: what is kept.
            replay: what is replayed.
            settings: some that win over the file's.
        """
        from hakoenv.agents.llm.nation import LLMNation

        name = model or str(self.common.get("model", ""))
        said = _over(self.common, self.models.get(name, {}))
        return LLMNation(
            said.get("base_url"),
            name,
            Budget.of(said.get("budget", {})),
            settings=Settings.of({**said.get("settings", {}), **(settings or {})}),
            prices=Prices.of(said.get("prices", {})),
            transcript=transcript,
            replay=replay,
            proxy=proxy,
            key_variable=said.get("key_variable", keys.DEFAULT),
            concurrent=said.get("concurrent", 8),
        )


def read(path: str | os.PathLike[str]) -> Config:
    """Read a configuration file.

    Raises:
        SettingsError: it can't be read, or something in it can't be; the message names it.
    """
    try:
        said = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise SettingsError(f"{os.fspath(path)}: can't be read as TOML ({reason})") from None
    models = said.pop("models", {})
    if not isinstance(models, dict) or not all(isinstance(table, dict) for table in models.values()):
        raise SettingsError(f'{os.fspath(path)}: models must be tables: [models."NAME"]')
    try:
        _check(said)
        for table in models.values():
            _check(table)
            _check(_over(said, table))
    except SettingsError as error:
        raise SettingsError(f"{os.fspath(path)}: {error}") from None
    return Config(said, models)


def from_environment() -> Config:
    """The configuration that the environment names, or an empty one.

    Raises:
        SettingsError: see `read`.
    """
    path = os.environ.get(VARIABLE, "")
    return read(path) if path else Config()


def _over(common: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """What is common with one's own over it, table by table."""
    return {
        **common,
        **own,
        **{name: {**common.get(name, {}), **own.get(name, {})} for name in _TABLES},
    }


def _check(said: Mapping[str, Any]) -> None:
    for name, value in said.items():
        if name in _TABLES:
            if not isinstance(value, dict):
                raise SettingsError(f"{name} must be a table: [{name}]")
        elif name not in _PLAIN:
            if any(word in name.casefold() for word in _LOOKS_LIKE_A_KEY):
                raise SettingsError(
                    f"{name!r}: no key may stand in a file; put it into an environment variable and name "
                    'that: key_variable = "OPENAI_API_KEY"'
                )
            known = ", ".join([*_PLAIN, *_TABLES, "models"])
            raise SettingsError(f"{name!r} is unknown; there are {known}")
        elif not isinstance(value, _PLAIN[name]) or isinstance(value, bool):
            raise SettingsError(f"{name} must be a {'text' if _PLAIN[name] is str else 'whole number'}")
    if said.get("concurrent", 1) < 1:
        raise SettingsError("concurrent must be 1 or more")
    if "base_url" in said:
        check_address(said["base_url"])
    Settings.of(said.get("settings", {}))
    Budget.of(said.get("budget", {}))
    Prices.of(said.get("prices", {}))
