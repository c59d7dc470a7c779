// purpose: facts whose retirement does not hold together: no successor, a circle, a link of an active fact, a link and a record that disagree
// params: agent_id STRING, limit INTEGER
// returns: id STRING, fault STRING, linkId STRING, newId STRING
// mode: read
// why: a link that was undone stays, with undoneAt, and is none of these; what a roll-back took back needs no successor, nor does what lost it by an erasure
CALL () {
  MATCH (a:Attribute)
  WHERE a.agent_id = $agent_id AND a.id > '' AND a.status = 'superseded' AND a.erasedSuccessor IS NULL
    AND NOT EXISTS { (a)-[l:SUPERSEDED_BY|RETIRED_BY]->(:Attribute|Rollback) WHERE l.undoneAt IS NULL }
  RETURN a.id AS id, 'no successor' AS fault, null AS linkId, a.supersededBy AS newId
  UNION ALL
  MATCH (a:Attribute)
  WHERE a.agent_id = $agent_id AND a.id > '' AND a.status IN ['superseded', 'active']
    AND EXISTS { (a) (()-[l:SUPERSEDED_BY WHERE l.undoneAt IS NULL]->()){1,20} (a) }
  RETURN a.id AS id, 'in a circle' AS fault, null AS linkId, null AS newId
  UNION ALL
  MATCH (a:Attribute)-[l:SUPERSEDED_BY]->(n:Attribute)
  WHERE a.agent_id = $agent_id AND a.id > '' AND l.undoneAt IS NULL AND a.status = 'active'
    AND NOT EXISTS { (a) (()-[o:SUPERSEDED_BY WHERE o.undoneAt IS NULL]->()){1,20} (a) }
  RETURN a.id AS id, 'active' AS fault, l.id AS linkId, n.id AS newId
  UNION ALL
  MATCH (a:Attribute)-[l:SUPERSEDED_BY]->(n:Attribute)
  WHERE a.agent_id = $agent_id AND a.id > '' AND l.undoneAt IS NULL AND a.status = 'superseded'
    AND NOT EXISTS { (s:Supersession {agent_id: $agent_id, oldId: a.id, newId: n.id}) WHERE s.status = 'applied' AND s.id = coalesce(l.supersessionId, l.id) }
  RETURN a.id AS id, 'record' AS fault, l.id AS linkId, n.id AS newId
}
RETURN id, fault, linkId, newId
ORDER BY id, fault LIMIT $limit
