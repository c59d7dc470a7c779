// purpose: files that are gone are known no more; what was drawn from them stays in the cold tier
// params: agent_id STRING, repository STRING, paths LIST<STRING>
// returns: nothing
// mode: write
UNWIND $paths AS path
MATCH (f:SourceFile {agent_id: $agent_id, repository: $repository, path: path})
DETACH DELETE f
