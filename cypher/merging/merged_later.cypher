// purpose: the last merge behind another that built on it: into the same survivor, or of what it moved
// params: agent_id STRING, id STRING
// returns: mergeId STRING
// mode: read
// why: the lower bound of createdAt leads into its index, which the agent alone does not
MATCH (this:Merge {agent_id: $agent_id, id: $id})
MATCH (later:Merge)
WHERE later.agent_id = $agent_id AND later.createdAt > datetime({epochMillis: 0}) AND later.status = 'applied'
  AND later.decidedAt > this.decidedAt
  AND (this.intoId IN [later.fromId, later.intoId] OR any(id IN later.edgeIds WHERE id IN this.edgeIds))
RETURN later.id AS mergeId
ORDER BY later.decidedAt DESC LIMIT 1
