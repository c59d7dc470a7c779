// purpose: one payload by the hash of its bytes
// params: agent_id STRING, sha256 STRING
// returns: sha256 STRING, bytes INTEGER, mediaType STRING, where STRING
// mode: read
MATCH (p:Payload {agent_id: $agent_id, sha256: $sha256})
RETURN p.sha256 AS sha256, p.bytes AS bytes, p.mediaType AS mediaType, p.where AS where
