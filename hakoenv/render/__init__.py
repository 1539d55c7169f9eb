"""Pictures of a world: maps as PNG, as small arrays and as terminal text, and curves of the statistics.

Nothing here opens a display. `map_image` draws the large map, `pixels` the small frame of render mode
`rgb_array`, `ansi` the terminal map, `curves` the statistics; `scene` says what a picture may show.
"""
