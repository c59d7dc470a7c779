"""What routes share: paging parameters and the shape of an error. Bodies are the objects of graphmem/model."""

from typing import Annotated, Any

from fastapi import Path, Query
from pydantic import BaseModel

from graphmem.model.inputs import Instant

Limit = Annotated[int, Query(ge=1, le=1000, description="Items in one answer")]
Id = Annotated[str, Path(alias="id")]
Reason = Annotated[str | None, Query(description="Why, in a person's words; kept with it", max_length=10_000)]
AsOf = Annotated[Instant | None, Query(alias="asOf", description="What held at this time; now where left out")]
KnownAt = Annotated[
    Instant | None, Query(alias="knownAt", description="What the store knew at this time; now where left out")
]
Cursor = Annotated[str | None, Query(description="nextCursor of the answer before")]


class ProblemField(BaseModel):
    loc: list[str | int]
    msg: str


class Problem(BaseModel):
    """The one body of every error."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    errors: list[ProblemField] | None = None


PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": text, "content": {"application/problem+json": {}}}
    for status, text in {
        401: "No key where one is needed, or one that is not valid",
        403: "The key does not allow this",
        404: "Unknown, or another agent's",
        409: "Contradicts what is stored",
        422: "A field is wrong; `errors` says where",
        503: "The database is away; see Retry-After",
        507: "The disk has too little room for a write",
    }.items()
}


def also(status: int, model: type[BaseModel]) -> dict[int | str, dict[str, Any]]:
    """The description of a second success: 201 where something was made, 200 where it was there before."""
    told = {200: "It was there before", 201: "It was made"}
    return {status: {"model": model, "description": told[status]}}
