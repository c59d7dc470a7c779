// purpose: note what files of a repository are about to become
// params: agent_id STRING, repository STRING, rows LIST<MAP>
// returns: nothing
// mode: write
// why: a run that ends too early leaves the note, and the next one retires what only this one drew
UNWIND $rows AS row
MERGE (f:SourceFile {agent_id: $agent_id, repository: $repository, path: row.path})
ON CREATE SET f.sha256 = '', f.reader = ''
SET f.pending = row.pending, f.gone = row.gone
