// purpose: facts that something holds down are superseded, until what their links say
// params: agent_id STRING, ids LIST<STRING>, now ZONED DATETIME
// returns: id STRING
// mode: write
// why: what the fact's own end was is kept once, when it steps back
UNWIND $ids AS id
MATCH (t:Attribute {agent_id: $agent_id, id: id})
SET t.ownValidTo = CASE WHEN t.status = 'superseded' THEN t.ownValidTo ELSE t.validTo END,
  t.retiredAt = CASE WHEN t.status = 'superseded' THEN t.retiredAt ELSE $now END
SET t.status = 'superseded', t.activeKey = null,
  t.supersededBy = head(COLLECT { MATCH (t)-[l:SUPERSEDED_BY]->(n:Attribute) WHERE l.undoneAt IS NULL RETURN n.id ORDER BY l.at DESC LIMIT 1 }),
  t.validTo = head(COLLECT {
    CALL (t) {
      MATCH (t)-[l:SUPERSEDED_BY|RETIRED_BY]->() WHERE l.undoneAt IS NULL RETURN l.validTo AS end
      UNION
      WITH t WHERE t.ownValidTo IS NOT NULL RETURN t.ownValidTo AS end
    }
    RETURN end ORDER BY end LIMIT 1 })
RETURN t.id AS id
