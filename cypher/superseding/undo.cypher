// purpose: let a superseded fact hold again; the link stays, closed
// params: agent_id STRING, id STRING, active_key STRING, now ZONED DATETIME
// returns: id STRING, newId STRING
// mode: write
// why: a repeat takes back the sources that it lent to the fact it repeats (confirm)
// why: only the fact that this very supersession retired comes back, and not beside an equal one
MATCH (s:Supersession {agent_id: $agent_id, id: $id, status: 'applied'})
MATCH (old:Attribute {agent_id: $agent_id, id: s.oldId})-[l:SUPERSEDED_BY]->(new:Attribute {agent_id: $agent_id, id: s.newId})
WHERE l.undoneAt IS NULL AND old.status = 'superseded' AND old.supersededBy = new.id
  AND NOT EXISTS { (:Attribute {agent_id: $agent_id, activeKey: $active_key}) }
SET l.undoneAt = $now, s.status = 'undone', s.decidedAt = $now, old.status = 'active', old.activeKey = $active_key,
  old.validTo = old.ownValidTo
REMOVE old.supersededBy, old.retiredAt, old.ownValidTo
WITH old, new
CALL (old, new) {
  MATCH (new)-[r:DERIVED_FROM]->()
  WHERE r.repeats = old.id
  DELETE r
}
RETURN old.id AS id, new.id AS newId
