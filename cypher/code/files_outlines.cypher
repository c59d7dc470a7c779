// purpose: what the files of a repository say, and what they were about to say when a run ended too early
// params: agent_id STRING, repository STRING
// returns: path STRING, outline STRING, pending STRING
// mode: read
// why: the index is of all three, and is used only where something is asked of each
MATCH (f:SourceFile)
WHERE f.agent_id = $agent_id AND f.repository = $repository AND f.path IS NOT NULL
RETURN f.path AS path, f.outline AS outline, f.pending AS pending
