// purpose: retire a dependency because a person says so
// params: agent_id STRING, id STRING, note STRING, now ZONED DATETIME
// returns: dependency MAP
// mode: write
// why: without a key nothing brings it back: neither its memory nor its entity, nor a merge that is undone
MATCH ()-[d:DEPENDS_ON {agent_id: $agent_id, id: $id}]->()
SET d.status = 'deleted', d.activeKey = null, d.coldKey = null, d.retiredAt = coalesce(d.retiredAt, $now), d.deletedAt = $now, d.note = $note
RETURN d {.id, .status, .deletedAt, .note} AS dependency
