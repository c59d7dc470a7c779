// purpose: single derivations, by the ids of what was made and of what it was made of: who or what did it, and whether that says something else now
// params: agent_id STRING, pairs LIST<LIST<STRING>>
// returns: made STRING, used STRING, via STRING, by STRING, changed BOOLEAN, madeLabels LIST<STRING>, usedLabels LIST<STRING>
// mode: read
// why: the walk brings ids only, of which most are not listed; an edge that went meanwhile gives no row
// why: a statement may have been drawn from several places of one message: they are one derivation
UNWIND $pairs AS pair
MATCH (made:Message|Memory|ColdMemory|Attribute|Summary {agent_id: $agent_id, id: pair[0]})
CALL (pair) {
  MATCH (n:Message|Memory|ColdMemory|Attribute|Summary {agent_id: $agent_id, id: pair[1]}) RETURN n AS used
  UNION
  MATCH (n:Payload {agent_id: $agent_id, sha256: pair[1]}) RETURN n AS used
}
MATCH (made)-[l:DERIVED_FROM|COVERS|HAS_CHILD|HAS_PAYLOAD|SUPERSEDED_BY WHERE l.undoneAt IS NULL AND l.lost IS NULL]->(used)
WITH pair, made, used, l ORDER BY l.start
WITH pair, made, used, collect(l) AS found
WITH pair, made, used, found, head(found) AS l
RETURN pair[0] AS made, pair[1] AS used, type(l) AS via,
  coalesce(l.by, made.by, head(COLLECT { MATCH (s:Supersession {agent_id: $agent_id, id: l.supersessionId}) RETURN s.method }), made.method,
    CASE WHEN l.mergeId IS NOT NULL THEN 'merge' END) AS by,
  any(one IN found WHERE one.sha256 <> used.sha256) AS changed, labels(made) AS madeLabels, labels(used) AS usedLabels
