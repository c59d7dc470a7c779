// purpose: chain events by their hashes
// params: agent_id STRING, rows LIST<MAP>, expected STRING, last STRING
// returns: sealed INTEGER
// mode: write
// why: the chain's node is locked first: two sealers cannot fork the chain
MERGE (c:EventChain {agent_id: $agent_id})
SET c.lock = true
WITH c
WHERE coalesce(c.hash, '') = $expected
UNWIND $rows AS row
MATCH (e:Event {agent_id: $agent_id, id: row.id})
SET e.prevHash = row.prevHash, e.hash = row.hash, c.hash = $last
REMOVE e:Unsealed
RETURN count(e) AS sealed
