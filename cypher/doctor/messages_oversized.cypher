// purpose: messages that are very big, or hold a file as base64
// params: agent_id STRING, chars INTEGER, mark STRING
// returns: kind STRING, number INTEGER, ids LIST<STRING>
// mode: read
MATCH (m:Message)
WHERE m.agent_id = $agent_id AND (m.contentChars > $chars OR m.content CONTAINS $mark)
WITH CASE WHEN m.contentChars > $chars THEN 'size' ELSE 'base64' END AS kind, m.id AS id
RETURN kind, count(id) AS number, collect(id)[..5] AS ids
ORDER BY kind
