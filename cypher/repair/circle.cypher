// purpose: the youngest link of the circle in which a fact supersedes itself, and the fact that it retired
// params: agent_id STRING, id STRING
// returns: id STRING, linkId STRING, entityId STRING, content STRING
// mode: read
MATCH (a:Attribute {agent_id: $agent_id, id: $id})
MATCH (a) ((x)-[l:SUPERSEDED_BY WHERE l.undoneAt IS NULL]->(y)){1,20} (a)
UNWIND range(0, size(l) - 1) AS place
WITH x[place] AS old, l[place] AS link
ORDER BY link.at DESC, old.id
LIMIT 1
RETURN old.id AS id, link.id AS linkId, old.entityId AS entityId, old.content AS content
