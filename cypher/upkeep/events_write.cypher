// purpose: append to the history
// params: agent_id STRING, rows LIST<MAP>
// returns: nothing
// mode: write
// why: what is there is left as it is, so that a transaction carried out again after a lost answer writes no line twice
// why: no MERGE, whose properties are set one after the other: CREATE with all of them takes two thirds of the time
// why: times as text: the driver takes 100 times as long to pack a time
UNWIND $rows AS row
OPTIONAL MATCH (there:Event {agent_id: $agent_id, id: row.id})
WITH row WHERE there IS NULL
CREATE (:Event:Unsealed {agent_id: $agent_id, id: row.id, kind: row.kind, subjectId: row.subjectId, actor: row.actor, at: datetime(row.at),
  before: row.before, after: row.after, reason: row.reason})
