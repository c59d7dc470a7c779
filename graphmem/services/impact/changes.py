"""What a change of files touches: entities, owners, and decisions about them."""

from collections.abc import Callable, Sequence

from graphmem.errors import ChangeUnknown
from graphmem.model.changes import ChangedFile, ChangeReport, Touched, TouchedEntity, TouchedPart
from graphmem.model.inputs import ImpactQuestion
from graphmem.model.knowledge import DependencyType, EntityType
from graphmem.rules.code import never_read, not_of_it, unique_sayings, united
from graphmem.services.impact.impacting import Impacting
from graphmem.services.ports import CodeReads

MOST_STARTS = 200
"""Most entities from which a radius starts; a change of more is reported as truncated."""
MOST_SAYINGS, SAYINGS_EACH = 50, 5
OWNERS_OF = 1_000
SYMBOLIC = frozenset({EntityType.MODULE, EntityType.CLASS, EntityType.FUNCTION})
BUT_PARTS = tuple(type_ for type_ in DependencyType if type_ is not DependencyType.PART_OF)
"""For code whose changed lines are known, the radius leaves out what is merely in the same file: changed parts of it
are starts themselves."""


class Changes:
    def __init__(self, code: CodeReads, impacting: Impacting, is_read: Callable[[str], bool]) -> None:
        """`is_read`: whether a file of this path would be read."""
        self._code = code
        self._impacting = impacting
        self._is_read = is_read

    async def impact(
        self, agent_id: str, repository: str, files: Sequence[ChangedFile], asked: ImpactQuestion
    ) -> ChangeReport:
        """What the files of a diff touch and affect. For a changed function the radius starts at the function, its
        class and its file. Everything in `asked` but the entity applies.

        Errors: ChangeUnknown where the repository was never read, or no file that the diff changes was in it.
        """
        await self._check(agent_id, repository, files)
        parts = [_part(file) for file in files if file.status != "added"]
        touched = await self._code.touched(agent_id, repository, parts)
        known = {one.file for one in touched}
        starts = touched[:MOST_STARTS]
        radii = [await self._impacting.impact(agent_id, _question(one, asked)) for one in starts]
        own = frozenset(one.id for one in touched)
        groups, total = united((report.groups for report in radii), own, asked.limit)
        listed = [one.id for group in groups for one in group.entities][: OWNERS_OF - min(len(own), OWNERS_OF)]
        ids = [*(one.id for one in touched), *listed]
        sayings = await self._code.about(agent_id, [one.id for one in starts], SAYINGS_EACH)
        return ChangeReport(
            repository=repository,
            files=len(files),
            unknown=tuple(file.path for file in files if file.path not in known),
            touched=tuple(_told(one) for one in touched),
            groups=groups,
            total=total,
            truncated=len(touched) > len(starts) or total > asked.limit or any(one.truncated for one in radii),
            owners=tuple(await self._code.owners(agent_id, ids)),
            decisions=tuple(unique_sayings(sayings, MOST_SAYINGS)),
        )

    async def _check(self, agent_id: str, repository: str, files: Sequence[ChangedFile]) -> None:
        """Nothing found must mean that nothing depends on the change. Files without a reader are never known."""
        read = await self._code.repositories(agent_id)
        if repository not in read:
            raise ChangeUnknown(never_read(repository, read))
        changed = [file.path for file in files if file.status != "added" and self._is_read(file.path)]
        if changed and not await self._code.known(agent_id, repository, changed):
            raise ChangeUnknown(not_of_it(repository, changed, read))


def _part(file: ChangedFile) -> TouchedPart:
    return TouchedPart(file.path, file.lines if file.status == "changed" else None)


def _question(one: Touched, asked: ImpactQuestion) -> ImpactQuestion:
    return asked.model_copy(update={"entity_id": one.id} | ({"types": BUT_PARTS} if one.type in SYMBOLIC else {}))


def _told(one: Touched) -> TouchedEntity:
    return TouchedEntity(id=one.id, name=one.name, type=one.type, file=one.file, line=one.line)
