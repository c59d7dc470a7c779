// Changes of mind: each chain of facts from the first to the one that holds now, with its entity
// Parameters: agent, such as  :param agent => 'demo'
MATCH about = (:Entity {agent_id: $agent})-[:HAS_ASPECT]->(:Aspect)-[:HAS_ATTRIBUTE]->(first:Attribute)
WHERE NOT EXISTS { (first)<-[before:SUPERSEDED_BY WHERE properties(before).undoneAt IS NULL]-() }
MATCH chain = (first)-[:SUPERSEDED_BY*1..20]->(last:Attribute)
WHERE all(link IN relationships(chain) WHERE properties(link).undoneAt IS NULL)
  AND NOT EXISTS { (last)-[after:SUPERSEDED_BY WHERE properties(after).undoneAt IS NULL]->() }
RETURN about, chain
LIMIT 300
