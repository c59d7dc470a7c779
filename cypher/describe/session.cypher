// purpose: what a session is, without its words: the beginning of its summary, else of its first message, and its first parts
// params: agent_id STRING, id STRING, chars INTEGER, children INTEGER
// returns: found MAP
// mode: read
MATCH (s:Session {agent_id: $agent_id, id: $id})
CALL (s) {
  OPTIONAL MATCH (s)-[:HAS_SUMMARY|HAS_COMPACTION]->(y:Summary)
  WITH y ORDER BY y.depth DESC, y.latestAt DESC, y.id
  RETURN [d IN collect(y) | {id: d.id, kind: 'summary', preview: left(d.content, 120)}] AS summaries, head(collect(y)) AS top
}
CALL (s) {
  OPTIONAL MATCH (m:Message {agent_id: $agent_id, sessionId: s.id})
  WHERE m.ordinal >= 0
  WITH m ORDER BY m.ordinal LIMIT $children
  RETURN [d IN collect(m) | {id: d.id, kind: 'message', preview: left(d.searchText, CASE WHEN d.contentChars < 120 THEN d.contentChars + size(coalesce(d.name + ': ', '')) ELSE 120 END)}] AS messages,
    head(collect(m)) AS first
}
RETURN {
  chars: CASE WHEN top IS NULL THEN first.contentChars ELSE size(top.content) END,
  preview: CASE WHEN top IS NOT NULL THEN left(top.content, $chars) WHEN first IS NULL THEN ''
    ELSE substring(first.searchText, size(coalesce(first.name + ': ', '')), CASE WHEN first.contentChars < $chars THEN first.contentChars ELSE $chars END) END,
  metadata: s {.project, .source, .startedAt, .endedAt, .contextWindow, .continues, frontier: coalesce(s.frontier, 0)},
  counts: {messages: s.messages, tokens: s.tokens, summaries: size(summaries)},
  depths: COLLECT { MATCH (s)-[:HAS_SUMMARY|HAS_COMPACTION]->(y:Summary) WITH y.depth AS depth, count(y) AS number RETURN {depth: depth, number: number} ORDER BY depth },
  childCount: s.messages + size(summaries),
  children: (summaries + messages)[..$children]
} AS found
