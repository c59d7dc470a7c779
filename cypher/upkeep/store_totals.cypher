// purpose: how much there is of all agents together, and how much of it waits
// params: none
// returns: nodes MAP, unembedded INTEGER, unsealed INTEGER
// mode: read
// scope: system
// why: a count of one label alone is read from the store's own counters, whatever the label holds
CALL () { MATCH (n:Session) RETURN count(n) AS sessions }
CALL () { MATCH (n:Message) RETURN count(n) AS messages }
CALL () { MATCH (n:Memory) RETURN count(n) AS memories }
CALL () { MATCH (n:Entity) RETURN count(n) AS entities }
CALL () { MATCH (n:Attribute) RETURN count(n) AS attributes }
CALL () { MATCH (n:Summary) RETURN count(n) AS summaries }
CALL () { MATCH (n:Unembedded) RETURN count(n) AS unembedded }
CALL () { MATCH (n:Unsealed) RETURN count(n) AS unsealed }
RETURN {Session: sessions, Message: messages, Memory: memories, Entity: entities, Attribute: attributes,
  Summary: summaries} AS nodes, unembedded, unsealed
