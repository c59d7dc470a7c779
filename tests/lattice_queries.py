"""Lattice queries and turns by chance, the same for the same seed: what tests compare two ways of answering with."""

from random import Random

TAGS = ("api.py", "ledger", 'odd, "quoted" ] tag', "@scope/pkg")
ROLES = ("user", "assistant", "tool")
DIMENSIONS = 4


def some_turn(rng: Random, session_id: str) -> dict[str, object]:
    """A turn as it is stored, once analysed; some have no vector."""
    importance = rng.randint(1, 10)
    shift = importance >= 7 and rng.random() < 0.5
    return {
        "role": rng.choice(ROLES),
        "sessionId": session_id,
        "overlays": [rng.choice((0.0, 2.5, 5.0, 7.0, 10.0)) for _ in range(7)],
        "novelty": rng.choice((0.0, 0.25, 0.5, 0.7, 1.0)),
        "importance": importance,
        "paradigmShift": shift,
        "class": "preserved" if importance >= 7 else "summarized" if importance >= 3 else "compressed",
        "tags": rng.sample(TAGS, rng.randint(0, 2)),
        "embedding": [rng.uniform(-0.3, 1) for _ in range(DIMENSIONS)] if rng.random() < 0.9 else None,
    }


def some_query(rng: Random, sessions: tuple[str, ...], *, depth: int = 3, meets: bool = True) -> str:
    """A query of the language, with every operator it has."""
    if depth == 0 or rng.random() < 0.15:
        return _primary(rng, sessions)
    operators = ["+", "|", " OR ", " JOIN ", "-", " \\ ", "&", " AND "] + (
        ["~", " MEET ", "->", " TO "] if meets else []
    )

    def part() -> str:
        return some_query(rng, sessions, depth=depth - 1, meets=meets and rng.random() < 0.5)

    kind = rng.random()
    if kind < 0.2:
        return rng.choice(("!", "NOT ")) + f"({part()})"
    if kind < 0.7:
        return f"({part()}){rng.choice(operators)}({part()})"
    return f"{part()} {rng.choice(operators)} {part()} {rng.choice(operators)} {_primary(rng, sessions)}"


def _primary(rng: Random, sessions: tuple[str, ...]) -> str:
    overlay, kind = f"O{rng.randint(1, 7)}", rng.random()
    if kind < 0.25:
        return overlay
    if kind < 0.6:
        return f"{overlay} {rng.choice(('>', '>=', '<', '<=', '=', '==', '!='))} {rng.choice((0, 2.5, 5, 7, 10, 11))}"
    if kind < 0.75:
        return rng.choice((f"importance >= {rng.randint(1, 10)}", f"novelty < {rng.choice((0.25, 0.7, 1))}"))
    filters = (
        rng.choice(ROLES),
        "role=user,tool",
        f"session_id={rng.choice(sessions)}",
        f"is_paradigm_shift={rng.choice(('true', 'false'))}",
        f"is_routine={rng.choice(('true', 'false', 'true,false'))}",
        "tag=" + ",".join(_quoted(tag) for tag in rng.sample(TAGS, 2)),
    )
    return f"{overlay}[{rng.choice(filters)}]"


def _quoted(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
