// What a change of an entity reaches: up to three steps against the arrows, each with a confidence of 0.7 or more
// Parameters: agent and name, such as  :param {agent: 'demo', name: 'PostgreSQL'}
MATCH (:Name {agent_id: $agent, canonical: replace(replace(toLower(trim($name)), '-', ' '), '_', ' ')})-[:NAMES]->(changed:Entity)
MATCH p = (affected:Entity)-[:DEPENDS_ON*1..3]->(changed)
WHERE affected <> changed
  AND all(d IN relationships(p) WHERE d.activeKey IS NOT NULL AND d.confidence >= 0.7
    AND d.validFrom <= datetime() AND (d.validTo IS NULL OR datetime() < d.validTo))
RETURN p
LIMIT 1000
