// purpose: what the full-text indexes lead to for some words
// params: agent_id STRING, query STRING
// returns: name STRING, text STRING
// mode: read
// why: the texts come along, because an index knows stems: what only shares one is no trace
CALL () {
  CALL db.index.fulltext.queryNodes('message_text', $query) YIELD node AS n
  WHERE n.agent_id = $agent_id
  RETURN 'message_text' AS name, n.searchText AS text
  UNION ALL
  CALL db.index.fulltext.queryNodes('memory_text', $query) YIELD node AS n
  WHERE n.agent_id = $agent_id
  RETURN 'memory_text' AS name, n.searchText AS text
  UNION ALL
  CALL db.index.fulltext.queryNodes('attribute_text', $query) YIELD node AS n
  WHERE n.agent_id = $agent_id
  RETURN 'attribute_text' AS name, n.searchText AS text
  UNION ALL
  CALL db.index.fulltext.queryNodes('summary_text', $query) YIELD node AS n
  WHERE n.agent_id = $agent_id
  RETURN 'summary_text' AS name, n.searchText AS text
  UNION ALL
  CALL db.index.fulltext.queryNodes('entity_text', $query) YIELD node AS n
  WHERE n.agent_id = $agent_id
  RETURN 'entity_text' AS name, n.searchText AS text
}
RETURN name, text
