// purpose: which ids something of the agent has already
// params: agent_id STRING, ids LIST<STRING>
// returns: id STRING
// mode: read
UNWIND $ids AS id
WITH id WHERE EXISTS { (:Entity {agent_id: $agent_id, id: id}) } OR EXISTS { (:ColdEntity {agent_id: $agent_id, id: id}) }
  OR EXISTS { (:MergedEntity {agent_id: $agent_id, id: id}) } OR EXISTS { (:Attribute {agent_id: $agent_id, id: id}) }
  OR EXISTS { (:Memory {agent_id: $agent_id, id: id}) } OR EXISTS { (:ColdMemory {agent_id: $agent_id, id: id}) }
  OR EXISTS { ()-[:DEPENDS_ON {agent_id: $agent_id, id: id}]->() }
RETURN id
