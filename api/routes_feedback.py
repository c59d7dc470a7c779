"""The route of feedback."""

from fastapi import APIRouter, Response

from api.calls import Guarded, Services, Writing
from api.schemas import PROBLEMS
from graphmem.model.feedback import FeedbackReceipt, GiveFeedback

router = APIRouter(prefix="/api/memory", tags=["memory"], responses=PROBLEMS, route_class=Guarded)


@router.post("/feedback", response_model=FeedbackReceipt)
async def give_feedback(write: Writing, graphmem: Services, given: GiveFeedback) -> Response:
    """Say how good what the memory showed was, from -1 to 1; all of it is applied, or nothing."""
    return await write(lambda caller: graphmem.recall.feeding_back.give(caller, given))
