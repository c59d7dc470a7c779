// purpose: erase payloads that no message holds any more
// params: agent_id STRING, hashes LIST<STRING>
// returns: sha256 STRING, where STRING
// mode: write
UNWIND $hashes AS sha256
MATCH (p:Payload {agent_id: $agent_id, sha256: sha256})
WHERE NOT EXISTS { (p)<-[:HAS_PAYLOAD]-(:Message) }
WITH p, p.sha256 AS hash, p.where AS where
DETACH DELETE p
RETURN hash AS sha256, where
