// purpose: what became of supersessions of facts: those that wait for a person, and those that one decided against
// params: agent_id STRING, ids LIST<STRING>
// returns: oldId STRING, newId STRING, status STRING
// mode: read
// why: newId is always there; asking for it is what lets the index on (agent_id, oldId, newId) serve
UNWIND $ids AS id
MATCH (s:Supersession)
WHERE s.agent_id = $agent_id AND s.oldId = id AND s.newId IS NOT NULL
  AND (s.status IN ['proposed', 'rejected'] OR s.status = 'undone' AND s.refinedBy IS NULL)
RETURN s.oldId AS oldId, s.newId AS newId, s.status AS status
