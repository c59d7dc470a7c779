// purpose: note what files of a repository are about to become, that they are it now, or that they are known no more
// params: agent_id STRING, repository STRING, rows LIST<MAP>, paths LIST<STRING>
// returns: nothing
// mode: write
// variants: pend | settle | forget
// why: a run that ends too early leaves the note, and the next one retires what only this one drew // [pend]
UNWIND $rows AS row // [pend, settle]
MERGE (f:SourceFile {agent_id: $agent_id, repository: $repository, path: row.path}) // [pend]
ON CREATE SET f.sha256 = '', f.reader = '' // [pend]
SET f.pending = row.pending, f.gone = row.gone // [pend]
// MATCH (f:SourceFile {agent_id: $agent_id, repository: $repository, path: row.path}) // [settle]
// SET f.sha256 = row.sha256, f.reader = row.reader, f.outline = f.pending // [settle]
// REMOVE f.pending, f.gone // [settle]
// UNWIND $paths AS path // [forget]
// MATCH (f:SourceFile {agent_id: $agent_id, repository: $repository, path: path}) // [forget]
// DETACH DELETE f // [forget]
