// purpose: messages with a very big text
// params: agent_id STRING, chars INTEGER
// returns: number INTEGER, ids LIST<STRING>
// mode: read
MATCH (m:Message)
WHERE m.agent_id = $agent_id AND m.id > '' AND m.contentChars > $chars
RETURN count(m) AS number, collect(m.id)[..5] AS ids
