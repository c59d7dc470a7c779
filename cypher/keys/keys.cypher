// purpose: keys, oldest first: all, those of an agent, the one with a hash
// params: agent_id STRING, hash STRING
// returns: key MAP
// mode: read
// scope: system // [all, hash]
// variants: all | agent | hash
// fragments: key_row
// why: asked before it is known whose request it is // [hash]
MATCH (k:Key) // [all]
// MATCH (k:Key {agent_id: $agent_id}) // [agent]
// MATCH (k:Key {hash: $hash}) // [hash]
RETURN key_row(k) AS key
ORDER BY key.createdAt, key.id // [all, agent]
