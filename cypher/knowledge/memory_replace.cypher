// purpose: mark a memory as superseded by the statement that corrects it
// params: agent_id STRING, id STRING, new_id STRING
// returns: id STRING
// mode: write
MATCH (k:Memory {agent_id: $agent_id, id: $id})
MATCH (n:Memory {agent_id: $agent_id, id: $new_id})
SET k.ownValidTo = CASE WHEN k.status = 'superseded' THEN k.ownValidTo ELSE k.validTo END
SET k.status = 'superseded', k.supersededBy = n.id,
  k.validTo = CASE WHEN k.validTo IS NULL OR k.validTo > n.validFrom THEN n.validFrom ELSE k.validTo END
RETURN k.id AS id
