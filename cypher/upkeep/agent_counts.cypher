// purpose: how much an agent has stored
// params: agent_id STRING
// returns: sessions, messages, memories, entities, attributes, dependencies, summaries, cold, quarantined INTEGER
// mode: read
RETURN COUNT { MATCH (n:Session) WHERE n.agent_id = $agent_id AND n.id > '' } AS sessions,
       COUNT { MATCH (n:Message) WHERE n.agent_id = $agent_id AND n.id > '' } AS messages,
       COUNT { MATCH (n:Memory) WHERE n.agent_id = $agent_id AND n.id > '' } AS memories,
       COUNT { MATCH (n:Entity) WHERE n.agent_id = $agent_id AND n.id > '' } AS entities,
       COUNT { MATCH (n:Attribute) WHERE n.agent_id = $agent_id AND n.id > '' } AS attributes,
       COUNT { MATCH (e:Entity)-[d:DEPENDS_ON]->(:Entity) WHERE e.agent_id = $agent_id AND e.id > '' AND d.activeKey IS NOT NULL } AS dependencies,
       COUNT { MATCH (n:Summary) WHERE n.agent_id = $agent_id AND n.id > '' } AS summaries,
       COUNT { MATCH (n:ColdMemory) WHERE n.agent_id = $agent_id AND n.id > '' }
         + COUNT { MATCH (n:ColdEntity) WHERE n.agent_id = $agent_id AND n.id > '' } AS cold,
       COUNT { MATCH (n:Quarantined) WHERE n.agent_id = $agent_id } AS quarantined
