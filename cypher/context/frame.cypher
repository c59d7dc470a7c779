// purpose: what the context of a session is made of, but for the words of its messages: constraints and pinned items in force, recap, summaries, sizes
// params: agent_id STRING, session_id STRING, now ZONED DATETIME, facts INTEGER, mentioning INTEGER, messages INTEGER, chars INTEGER
// returns: session MAP, earlier LIST<MAP>, system LIST<MAP>, facts LIST<MAP>, memories LIST<MAP>, recaps LIST<MAP>, summaries LIST<MAP>, sizes LIST<MAP>, newest LIST<MAP>
// mode: read
// fragments: holds_now, summary_said_now
// why: one round trip; the words are read next, when it is known which of them fit
// why: three lists of sizes are read faster than one of many lists
// why: ordinals have no gap, so a range reads the last messages; in the order of all that the index has, its entries are read from the last
// why: on until one is a user's
// why: the words of parts stand in searchText, behind the name
// why: a session that goes on from another says itself with which of its summaries it starts; with none, and no recap, it has the session's
// why: a session summary has the top nodes beneath it too, so only a condensed summary counts as a parent
MATCH (s:Session {agent_id: $agent_id, id: $session_id})
OPTIONAL MATCH (p:Session {agent_id: $agent_id, id: s.continues})
OPTIONAL MATCH (q:Session {agent_id: $agent_id, id: p.continues})
WITH s, [x IN [p, q] WHERE x IS NOT NULL AND x <> s] AS earlier,
  CASE WHEN coalesce(s.frontier, 0) > coalesce(s.compactedThrough, 0) THEN s.frontier ELSE coalesce(s.compactedThrough, 0) END AS tailFrom
WITH s, earlier, tailFrom, COLLECT {
  UNWIND [s] + earlier AS x
  CALL (x) {
    MATCH (m:Message)
    WHERE m.agent_id = $agent_id AND m.sessionId = x.id AND m.ordinal >= x.extractedThrough - $mentioning
      AND m.ordinal < x.extractedThrough
    MATCH (m)-[:MENTIONS]->(e:Entity)
    RETURN DISTINCT e.id AS id
  }
  RETURN DISTINCT id
} AS mentioned
RETURN s {.id, .project, .contextWindow, .nextOrdinal, tailFrom: tailFrom} AS session,
  [x IN earlier | x {.id, .nextOrdinal}] AS earlier,
  COLLECT {
    MATCH (m:Message {agent_id: $agent_id, sessionId: s.id, ordinal: 0})
    WHERE m.role IN ['system', 'developer']
    RETURN m {.id, .messageId, .role, .name, text: CASE m.contentKind WHEN 'text' THEN m.content WHEN 'null' THEN ''
      ELSE substring(m.searchText, size(coalesce(m.name + ': ', '')), m.contentChars) END}
  } AS system,
  COLLECT {
    CALL () {
      MATCH (t:Attribute)
      WHERE t.agent_id = $agent_id AND t.kind = 'constraint' AND t.status = 'active' AND t.pinned IS NOT NULL
      RETURN t
      UNION
      MATCH (t:Attribute)
      WHERE t.agent_id = $agent_id AND t.kind = 'attribute' AND t.status = 'active' AND t.pinned = true
      RETURN t
    }
    WITH t WHERE holds_now(t)
    WITH t ORDER BY t.pinned DESC, t.importance DESC, t.createdAt, t.id LIMIT $facts
    MATCH (e:Entity {agent_id: $agent_id, id: t.entityId})
    RETURN t {.id, .kind, .content, .pinned, .project, entity: e.name, mentioned: e.id IN mentioned,
      names: COLLECT { MATCH (n:Name)-[:NAMES]->(e) RETURN n.canonical ORDER BY n.canonical LIMIT 20 },
      messageIds: COLLECT { MATCH (t)-[:DERIVED_FROM]->(:Memory|ColdMemory)-[:DERIVED_FROM]->(m:Message)
        RETURN DISTINCT m.messageId ORDER BY m.messageId LIMIT 20 }}
  } AS facts,
  COLLECT {
    MATCH (k:Memory)
    WHERE k.agent_id = $agent_id AND k.pinned = true AND k.status = 'active'
      AND holds_now(k)
    WITH k ORDER BY k.importance DESC, k.createdAt, k.id LIMIT $facts
    RETURN k {.id, .content, .project, messageIds: COLLECT { MATCH (k)-[:DERIVED_FROM]->(m:Message)
      RETURN DISTINCT m.messageId ORDER BY m.messageId LIMIT 20 }}
  } AS memories,
  COLLECT {
    UNWIND range(0, size(earlier)) AS back
    WITH back, ([s] + earlier)[back] AS x
    MATCH (y:Summary)
    WHERE y.agent_id = $agent_id AND y.sessionId = x.id AND y.kind = 'recap' AND y.archivedAt IS NULL
    RETURN y {.id, .content, .depth, .kind, back: back, said: summary_said_now(y), inOtherWords: coalesce(y.method = 'model', false)} ORDER BY back, y.createdAt DESC, y.id DESC LIMIT 1
  } AS recaps,
  COLLECT {
    CALL (s, earlier) {
      MATCH (s)-[:HAS_COMPACTION]->(y:Summary)
      WHERE y.archivedAt IS NULL AND NOT EXISTS { (:Summary {kind: 'condensed'})-[:HAS_CHILD]->(y) }
      RETURN y, 0 AS back
      UNION
      MATCH (s)-[:STARTS_WITH]->(y:Summary)
      WHERE y.archivedAt IS NULL AND y.kind <> 'recap'
      RETURN y, 1 AS back
      UNION
      UNWIND earlier[..1] AS x
      MATCH (x)-[:HAS_SUMMARY]->(y:Summary {kind: 'session'})
      WHERE y.archivedAt IS NULL AND NOT EXISTS { (s)-[:STARTS_WITH]->(:Summary) }
        AND NOT EXISTS { MATCH (r:Summary {agent_id: $agent_id, sessionId: x.id, kind: 'recap'}) }
      RETURN y, 1 AS back
    }
    RETURN y {.id, .content, .depth, .kind, back: back, said: summary_said_now(y), inOtherWords: coalesce(y.method = 'model', false)} ORDER BY back DESC, y.depth DESC, y.earliestAt, y.createdAt, y.id
  } AS summaries,
  COLLECT {
    MATCH (m:Message)
    WHERE m.agent_id = $agent_id AND m.sessionId = s.id AND m.ordinal >= tailFrom AND m.ordinal >= s.nextOrdinal - $messages
    WITH m ORDER BY m.ordinal
    RETURN {ordinals: collect(m.ordinal), tokens: collect(m.tokens),
      carried: collect(coalesce(size(m.toolCalls), 0) + CASE m.contentKind WHEN 'parts' THEN size(m.content) ELSE 0 END)}
  } AS sizes,
  COLLECT {
    MATCH (m:Message)
    WHERE m.agent_id = $agent_id AND m.sessionId = s.id AND m.ordinal >= 0 AND m.role = 'user' AND m.contentChars > 0
    WITH m ORDER BY m.agent_id DESC, m.sessionId DESC, m.ordinal DESC LIMIT 1
    RETURN m {.ordinal, .tokens, text: left(CASE m.contentKind WHEN 'text' THEN m.content
      ELSE substring(m.searchText, size(coalesce(m.name + ': ', '')), m.contentChars) END, $chars)}
  } AS newest
