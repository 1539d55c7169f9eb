"""The number codes of the compiled tables: position in a list = code. Lists mirror the data (tested)."""

ITEM_NAMES = ("wood", "stone", "ore", "oil", "fuel", "goods", "ammo", "steel", "food", "funds")
"""Items 0..8 in the order of the source, then funds. A materials vector has the first nine."""
MATERIALS = ITEM_NAMES[:9]

TERRAIN_KINDS = ("nature", "urban", "industry", "economy", "resource", "military", "sea", "special", "ship")
DOMAINS = ("water", "land", "ship")
TARGET_KINDS = ("none", "own_cell", "near_cell", "any_cell", "own_ship", "nation", "nation_cell", "fields")
COMMAND_STATUS = ("on", "locked", "private_only")
COMMAND_CATEGORIES = (
    "develop",
    "build",
    "operate",
    "army",
    "navy",
    "attack",
    "diplomacy",
    "trade",
    "faction",
    "finance",
)
RESEARCH_BRANCHES = ("production", "military", "shipping")
DEPOSITS = ("none", "iron", "stone", "coal", "open_pit", "uranium", "oil")
FUEL_BASES = ("none", "output_value", "sales_value")
HARDENING = ("none", "odd_turns", "even_turns")
MONSTER_DOMAINS = ("sea", "land")
WORLD_STYLES = ("continents", "archipelago", "pangaea")
CLIMATES = ("tropical", "subtropical", "temperate", "subarctic", "arctic")
WEATHERS = ("clear", "fine", "cloudy", "fog", "rain", "heavy_rain", "thunder", "snow", "blizzard")

FACILITIES = (
    "farm",
    "large_farm",
    "factory",
    "large_factory",
    "refinery",
    "arsenal",
    "market",
    "port",
    "port_level_2",
    "power_plant",
    "warehouse",
    "mines",
    "fish_farm",
    "tunnel",
    "breakwater",
    "naval_mine",
    "naval_port",
    "modern_city",
    "seabed_city",
)
MINES = (
    "iron_mine",
    "quarry",
    "coal_mine",
    "open_pit",
    "uranium_mine",
    "large_mine",
    "offshore_oil",
    "land_oil",
    "barren_mountain",
)
INDUSTRIES = ("light", "heavy", "advanced", "refinery", "arsenal", "agriculture", "town_farming", "commerce")

FACILITY_ROWS: dict[str, int] = {name: row for row, name in enumerate(FACILITIES)}
MINE_ROWS: dict[str, int] = {name: row for row, name in enumerate(MINES)}
INDUSTRY_ROWS: dict[str, int] = {name: row for row, name in enumerate(INDUSTRIES)}

DEPOSIT_OF_MINE: dict[str, str] = {
    "iron_mine": "iron",
    "quarry": "stone",
    "coal_mine": "coal",
    "open_pit": "open_pit",
    "uranium_mine": "uranium",
    "large_mine": "iron",
    "offshore_oil": "oil",
    "land_oil": "oil",
    "barren_mountain": "none",
}
