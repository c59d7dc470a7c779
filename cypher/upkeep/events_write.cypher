// purpose: append to the history
// params: agent_id STRING, rows LIST<MAP>
// returns: nothing
// mode: write
// why: MERGE, so that a transaction carried out again after a lost answer writes no line twice
UNWIND $rows AS row
MERGE (e:Event {agent_id: $agent_id, id: row.id})
ON CREATE SET e:Unsealed, e.kind = row.kind, e.subjectId = row.subjectId, e.actor = row.actor,
  e.at = row.at, e.before = row.before, e.after = row.after, e.reason = row.reason
