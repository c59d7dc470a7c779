// purpose: a file of a repository is known once
// params: none
// returns: nothing
// mode: schema
// scope: system
CREATE CONSTRAINT sourcefile_agent_id_repository_path_unique IF NOT EXISTS
FOR (f:SourceFile) REQUIRE (f.agent_id, f.repository, f.path) IS UNIQUE
