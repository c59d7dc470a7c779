// purpose: how many supersessions of all agents have each status, and what people made of those that rules found
// params: none
// returns: status STRING, number INTEGER, accepted INTEGER, refuted INTEGER
// mode: read
// scope: system
// why: accepted and refuted as in agent_supersessions
MATCH (s:Supersession)
RETURN s.status AS status, count(*) AS number,
  count(CASE WHEN s.status = 'applied' AND s.acceptedAt IS NOT NULL THEN 1 END) AS accepted,
  count(CASE WHEN s.status = 'rejected' OR s.status = 'undone' AND s.method <> 'user' AND s.refinedBy IS NULL AND s.rolledBackBy IS NULL THEN 1 END) AS refuted
