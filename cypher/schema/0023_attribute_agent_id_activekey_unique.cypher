// purpose: an entity holds the same active fact once
// params: none
// returns: nothing
// mode: schema
// scope: system
// why: activeKey is the hash of entity and content, and null once the fact is retired
CREATE CONSTRAINT attribute_agent_id_activekey_unique IF NOT EXISTS
FOR (a:Attribute) REQUIRE (a.agent_id, a.activeKey) IS UNIQUE
