// purpose: keep the traits of facts, by which those are found that may contradict them
// params: agent_id STRING, rows LIST<MAP>
// returns: nothing
// mode: write
// why: they say themselves of what words and by what code they are, so nobody has to take them away
UNWIND $rows AS row
MATCH (t:Attribute {agent_id: $agent_id, id: row.id})
SET t.traits = row.traits
