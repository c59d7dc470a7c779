// purpose: the number of the last passage of a repository; null where there is none
// params: agent_id STRING, within STRING
// returns: ordinal INTEGER
// mode: read
MATCH (k:Passage)
WHERE k.agent_id = $agent_id AND k.within = $within
RETURN max(k.ordinal) AS ordinal
