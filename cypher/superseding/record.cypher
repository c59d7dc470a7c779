// purpose: the record of one fact being superseded by another, or the one of the same fact that gave way to a closer one
// params: agent_id STRING, old_id STRING, new_id STRING, id STRING
// returns: id STRING
// mode: read
// variants: pair | refined
// why: it may have given way several times, since it comes back where the closer one is undone // [refined]
// why: newId is always there; asking for it is what lets the index on (agent_id, oldId, newId) serve // [refined]
MATCH (s:Supersession {agent_id: $agent_id, oldId: $old_id, newId: $new_id}) // [pair]
RETURN s.id AS id // [pair]
// MATCH (s:Supersession) // [refined]
// WHERE s.agent_id = $agent_id AND s.oldId = $old_id AND s.newId IS NOT NULL AND s.status = 'undone' // [refined]
//   AND (s.refinedBy = $id OR $id IN s.refinedBefore) // [refined]
// RETURN s.id AS id ORDER BY s.decidedAt DESC LIMIT 1 // [refined]
