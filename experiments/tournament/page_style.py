"""How the report looks: colours for light and dark screens, tables that scroll on small ones."""

from __future__ import annotations

LINES = 8
"""How many colours of lines there are."""

_LIGHT = ("#1f6f8b", "#b5541c", "#5b7f2b", "#7b4ea3", "#a8892c", "#b03a5b", "#3b5bb5", "#5f6a70")
_DARK = ("#5db4d3", "#e8925c", "#9cc565", "#b894dd", "#d9bf62", "#e47f9b", "#8aa4ef", "#a3adb3")


def _colours(lines: tuple[str, ...]) -> str:
    return " ".join(f"--c{k}: {colour};" for k, colour in enumerate(lines))


STYLE = (
    f"""
:root {{ --paper: #fdfdfb; --ink: #1d2327; --soft: #5c666e; --rule: #dcdfe1;
  --accent: #1f6f8b; --warm: #b5541c; {_colours(_LIGHT)} }}
@media (prefers-color-scheme: dark) {{ :root {{ --paper: #15191c; --ink: #e6e9eb; --soft: #9aa5ad;
  --rule: #333b41; --accent: #5db4d3; --warm: #e8925c; {_colours(_DARK)} }} }}"""
    + """
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 56rem;
  background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans", "Noto Sans CJK JP", sans-serif; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.15rem; margin: 2.5rem 0 .5rem; }
p { margin: .5rem 0; max-width: 44rem; }
.soft { color: var(--soft); font-size: .87rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .92rem; }
th, td { padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--rule); text-align: left;
  vertical-align: top; }
th { font-weight: 600; color: var(--soft); }
td.n, th.n { text-align: right; white-space: nowrap; padding-left: .5rem; }
td.name { overflow-wrap: anywhere; min-width: 7rem; }
td.m { min-width: 6.5rem; }
td small { color: var(--soft); display: block; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; font-size: .92rem;
  margin: 1rem 0; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
svg.plot { display: block; margin: .75rem 0; overflow: visible; max-width: 44rem; }
svg text { fill: var(--ink); font-size: 13px; paint-order: stroke; stroke: var(--paper); stroke-width: 4px; }
svg text.soft, svg tspan.soft { fill: var(--soft); font-size: 12px; }
svg .name { font-weight: 600; }
svg .grid, svg .axis { stroke: var(--rule); stroke-width: 1; }
svg .mark { stroke: var(--warm); stroke-width: 1.5; stroke-dasharray: 4 4; }
svg .whisker { stroke: var(--accent); stroke-width: 3; stroke-linecap: round; opacity: .55; }
svg .dot, svg .bar { fill: var(--accent); }
svg .course { fill: none; stroke-width: 2; vector-effect: non-scaling-stroke; stroke: var(--c0); }
.small { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: .5rem 1.5rem; }
.keys { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; font-size: .9rem; max-width: none; }
.key::before { content: ""; display: inline-block; width: .9rem; height: 3px; margin-right: .4rem;
  vertical-align: middle; background: var(--c0); }
"""
    + "".join(
        f"svg .c{k} {{ stroke: var(--c{k}); }} .key.c{k}::before {{ background: var(--c{k}); }}\n"
        for k in range(LINES)
    )
)
