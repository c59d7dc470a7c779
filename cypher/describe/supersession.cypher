// purpose: what a supersession is: the fact that went, and the one that came
// params: agent_id STRING, id STRING, chars INTEGER, children INTEGER
// returns: found MAP
// mode: read
MATCH (u:Supersession {agent_id: $agent_id, id: $id})
OPTIONAL MATCH (o:Attribute {agent_id: $agent_id, id: u.oldId})
OPTIONAL MATCH (n:Attribute {agent_id: $agent_id, id: u.newId})
WITH u, coalesce(left(o.content, $chars), '') + ' -> ' + coalesce(left(n.content, $chars), '') + coalesce('. ' + u.reason, '') AS text,
  [x IN [o, n] WHERE x IS NOT NULL | {id: x.id, kind: 'attribute', preview: left(x.content, 120)}] AS facts
RETURN {
  chars: size(text),
  preview: left(text, $chars),
  metadata: u {.oldId, .newId, .status, .method, .by, .confidence, .createdAt, .decidedAt},
  counts: {attributes: size(facts)},
  depths: [],
  childCount: size(facts),
  children: facts[..$children]
} AS found
