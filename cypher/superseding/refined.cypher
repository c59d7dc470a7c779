// purpose: the supersession of the same fact that gave way to a closer one
// params: agent_id STRING, old_id STRING, id STRING
// returns: id STRING
// mode: read
// why: it may have given way several times, since it comes back where the closer one is undone
// why: newId is always there; asking for it is what lets the index on (agent_id, oldId, newId) serve
MATCH (s:Supersession)
WHERE s.agent_id = $agent_id AND s.oldId = $old_id AND s.newId IS NOT NULL AND s.status = 'undone'
  AND (s.refinedBy = $id OR $id IN s.refinedBefore)
RETURN s.id AS id ORDER BY s.decidedAt DESC LIMIT 1
