// purpose: what a dependency is now, or that it is retired because a person says so
// params: agent_id STRING, id STRING, note STRING, now ZONED DATETIME
// returns: dependency MAP
// mode: read // [now]
// mode: write // [deleted]
// variants: now | deleted
// why: without a key nothing brings it back: neither its memory nor its entity, nor a merge that is undone // [deleted]
MATCH ()-[d:DEPENDS_ON {agent_id: $agent_id, id: $id}]->()
// SET d.status = 'deleted', d.activeKey = null, d.coldKey = null, d.retiredAt = coalesce(d.retiredAt, $now), d.deletedAt = $now, d.note = $note // [deleted]
RETURN d {.id, .status, .deletedAt, .note} AS dependency
