// purpose: let altered memories say again what they said, where no other memory has their key
// params: agent_id STRING, rows LIST<MAP>
// returns: id STRING
// mode: write
// why: one that has no key, because another one says the same, gets none
UNWIND $rows AS row
MATCH (k:Memory|ColdMemory {agent_id: $agent_id, id: row.id})
WHERE k.contentKey IS NULL OR NOT EXISTS { MATCH (o:Memory {agent_id: $agent_id, contentKey: row.key}) WHERE o.id <> row.id }
SET k.content = row.content, k.searchText = row.content, k.type = row.type,
  k.contentKey = CASE WHEN k.contentKey IS NULL THEN null ELSE row.key END
FOREACH (_ IN CASE WHEN k:Memory THEN [1] ELSE [] END | SET k:Unembedded)
RETURN k.id AS id
