// purpose: files are what they were about to become, now that all that follows from it is drawn
// params: agent_id STRING, repository STRING, rows LIST<MAP>
// returns: nothing
// mode: write
UNWIND $rows AS row
MATCH (f:SourceFile {agent_id: $agent_id, repository: $repository, path: row.path})
SET f.sha256 = row.sha256, f.reader = row.reader, f.outline = f.pending
REMOVE f.pending, f.gone
