// purpose: the next agent that has something of a kind, by name
// params: after STRING
// returns: agent_id STRING
// mode: read
// scope: system
// variants: memories | summaries | feedback | unembedded
// why: read off the index in its order, one agent for one seek, however many memories each has // [memories]
// why: read off the index in its order, one agent for one seek, however many summaries each has // [summaries]
// why: read off the index in its order, one agent for one seek, however much feedback each gave // [feedback]
MATCH (n:Memory) // [memories]
// MATCH (n:Summary) // [summaries]
// MATCH (n:Unembedded) // [unembedded]
WHERE n.agent_id > $after AND n.id > '' // [memories, summaries]
// WHERE n.agent_id > $after // [unembedded]
// MATCH (n:Feedback) // [feedback]
// WHERE n.agent_id > $after AND n.id IS NOT NULL // [feedback]
RETURN n.agent_id AS agent_id // [memories, summaries, feedback]
ORDER BY n.agent_id // [memories, summaries, feedback]
LIMIT 1 // [memories, summaries, feedback]
// RETURN min(n.agent_id) AS agent_id // [unembedded]
