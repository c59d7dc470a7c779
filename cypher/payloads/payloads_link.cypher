// purpose: payloads, each once by its hash, on the messages they were taken out of
// params: agent_id STRING, rows LIST<MAP>
// returns: linked INTEGER
// mode: write
UNWIND $rows AS row
MATCH (m:Message {agent_id: $agent_id, id: row.messageId})
MERGE (p:Payload {agent_id: $agent_id, sha256: row.sha256})
ON CREATE SET p.bytes = row.bytes, p.mediaType = row.media_type, p.where = row.where, p.createdAt = m.ingestedAt
MERGE (m)-[:HAS_PAYLOAD]->(p)
RETURN count(*) AS linked
