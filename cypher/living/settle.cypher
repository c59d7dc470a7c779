// purpose: give dependencies the confidence they have by now
// params: agent_id STRING, rows LIST<MAP>
// returns: id STRING
// mode: write
// why: one that was written since it was looked at, or ended, is left for the next look
UNWIND $rows AS row
MATCH ()-[d:DEPENDS_ON {agent_id: $agent_id, id: row.id}]->()
SET d.lock = true
WITH d, row, d.confidence = row.before AND d.activeKey IS NOT NULL AS same
FOREACH (_ IN CASE WHEN same THEN [1] ELSE [] END |
  SET d.confidence = row.after, d.givenConfidence = row.given, d.livingConfidence = CASE WHEN row.given IS NULL THEN null ELSE row.after END)
REMOVE d.lock
WITH d, same
WHERE same
RETURN d.id AS id
