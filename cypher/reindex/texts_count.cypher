// purpose: how many texts of an agent have a vector or wait for one, by kind
// params: agent_id STRING
// returns: messages INTEGER, memories INTEGER, attributes INTEGER, summaries INTEGER
// mode: read
RETURN COUNT { MATCH (n:Message) WHERE n.agent_id = $agent_id AND n.id > '' AND n.archivedAt IS NULL } AS messages,
  COUNT { MATCH (n:Memory) WHERE n.agent_id = $agent_id AND n.id > '' } AS memories,
  COUNT { MATCH (n:Attribute) WHERE n.agent_id = $agent_id AND n.id > '' } AS attributes,
  COUNT { MATCH (n:Summary) WHERE n.agent_id = $agent_id AND n.id > '' AND n.archivedAt IS NULL } AS summaries
