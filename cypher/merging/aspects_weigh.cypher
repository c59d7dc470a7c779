// purpose: give aspects another weight, where they still have the one expected
// params: agent_id STRING, rows LIST<MAP>
// returns: nothing
// mode: write
UNWIND $rows AS row
MATCH (s:Aspect {agent_id: $agent_id, id: row.id})
SET s.weight = CASE WHEN s.weight = row.expected THEN row.weight ELSE s.weight END
