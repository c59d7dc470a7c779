// purpose: one session, as its readers ask for it
// params: agent_id STRING, session_id STRING
// returns: session MAP // [whole, locked]
// returns: source STRING, nextOrdinal INTEGER, frontier INTEGER, extractedThrough INTEGER, archivedAt ZONED DATETIME // [frontier]
// returns: project STRING, source STRING, through INTEGER, extractor STRING, archivedAt ZONED DATETIME // [read]
// returns: waiting BOOLEAN // [waiting]
// returns: continues STRING, continuedBy LIST<STRING> // [lineage]
// returns: gate STRING, endedAt ZONED DATETIME, judgedThrough INTEGER, jobId STRING, jobStatus STRING // [end]
// mode: read // [whole, frontier, read, waiting, lineage, end]
// mode: write // [locked]
// variants: whole | locked | frontier | read | waiting | lineage | end
// fragments: session_row
MATCH (s:Session {agent_id: $agent_id, id: $session_id})
// SET s.lock = true // [locked]
RETURN session_row(s) AS session // [whole, locked]
// RETURN s.source AS source, s.nextOrdinal AS nextOrdinal, coalesce(s.frontier, 0) AS frontier, // [frontier]
//   s.extractedThrough AS extractedThrough, s.archivedAt AS archivedAt // [frontier]
// RETURN s.project AS project, s.source AS source, s.extractedThrough AS through, s.extractor AS extractor, s.archivedAt AS archivedAt // [read]
// RETURN s:Unanalysed AS waiting // [waiting]
// RETURN s.continues AS continues, // [lineage]
//   COLLECT { MATCH (o:Session) // [lineage]
//     WHERE o.agent_id = $agent_id AND o.continues = $session_id RETURN o.id ORDER BY o.startedAt, o.id } AS continuedBy // [lineage]
// OPTIONAL MATCH (j:Job {agent_id: $agent_id, id: s.endJobId}) // [end]
// RETURN s.gate AS gate, s.endedAt AS endedAt, s.judgedThrough AS judgedThrough, j.id AS jobId, j.status AS jobStatus // [end]
