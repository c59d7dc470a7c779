// purpose: give facts the keys under which they are kept once, where those are free
// params: agent_id STRING, rows LIST<MAP>
// returns: id STRING
// mode: write
UNWIND $rows AS row
MATCH (t:Attribute {agent_id: $agent_id, id: row.id})
WHERE t.status = row.status
  AND (row.key IS NULL OR NOT EXISTS { (o:Attribute {agent_id: $agent_id, activeKey: row.key}) WHERE o.id <> row.id })
SET t.activeKey = row.key
RETURN t.id AS id
