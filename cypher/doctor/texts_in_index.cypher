// purpose: full-text indexes that find more or fewer texts under an agent's key than it has
// params: agent_id STRING, query STRING
// returns: name STRING, found INTEGER, stored INTEGER
// mode: read
CALL () {
  CALL db.index.fulltext.queryNodes('message_text', $query) YIELD node AS n, score
  WHERE n.agent_id = $agent_id
  WITH count(n) AS found
  RETURN 'message_text' AS name, found, COUNT { MATCH (m:Message) WHERE m.agent_id = $agent_id AND m.id > '' AND m.agentKey IS NOT NULL } AS stored
  UNION ALL
  CALL db.index.fulltext.queryNodes('memory_text', $query) YIELD node AS n, score
  WHERE n.agent_id = $agent_id
  WITH count(n) AS found
  RETURN 'memory_text' AS name, found, COUNT { MATCH (m:Memory) WHERE m.agent_id = $agent_id AND m.id > '' AND m.agentKey IS NOT NULL } AS stored
  UNION ALL
  CALL db.index.fulltext.queryNodes('attribute_text', $query) YIELD node AS n, score
  WHERE n.agent_id = $agent_id
  WITH count(n) AS found
  RETURN 'attribute_text' AS name, found, COUNT { MATCH (m:Attribute) WHERE m.agent_id = $agent_id AND m.id > '' AND m.agentKey IS NOT NULL } AS stored
  UNION ALL
  CALL db.index.fulltext.queryNodes('summary_text', $query) YIELD node AS n, score
  WHERE n.agent_id = $agent_id
  WITH count(n) AS found
  RETURN 'summary_text' AS name, found, COUNT { MATCH (m:Summary) WHERE m.agent_id = $agent_id AND m.id > '' AND m.agentKey IS NOT NULL } AS stored
  UNION ALL
  CALL db.index.fulltext.queryNodes('entity_text', $query) YIELD node AS n, score
  WHERE n.agent_id = $agent_id
  WITH count(n) AS found
  RETURN 'entity_text' AS name, found, COUNT { MATCH (m:Entity) WHERE m.agent_id = $agent_id AND m.id > '' AND m.agentKey IS NOT NULL } AS stored
  UNION ALL
  CALL db.index.fulltext.queryNodes('message_grams', $query) YIELD node AS n, score
  WHERE n.agent_id = $agent_id
  WITH count(n) AS found
  RETURN 'message_grams' AS name, found, COUNT { MATCH (m:Message) WHERE m.agent_id = $agent_id AND m.id > '' AND m.agentKey IS NOT NULL } AS stored
  UNION ALL
  CALL db.index.fulltext.queryNodes('summary_grams', $query) YIELD node AS n, score
  WHERE n.agent_id = $agent_id
  WITH count(n) AS found
  RETURN 'summary_grams' AS name, found, COUNT { MATCH (m:Summary) WHERE m.agent_id = $agent_id AND m.id > '' AND m.agentKey IS NOT NULL } AS stored
}
WITH name, found, stored WHERE found <> stored
RETURN name, found, stored
