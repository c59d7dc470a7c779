// purpose: the files of a repository: as they were last read, with what they say, or those of certain paths
// params: agent_id STRING, repository STRING, paths LIST<STRING>
// returns: path STRING, sha256 STRING, reader STRING, halted BOOLEAN // [marks]
// returns: path STRING, outline STRING, pending STRING // [outlines]
// returns: path STRING // [known]
// mode: read
// variants: marks | outlines | known
// why: the index is of all three, and is used only where something is asked of each
MATCH (f:SourceFile)
WHERE f.agent_id = $agent_id AND f.repository = $repository AND f.path IS NOT NULL
RETURN f.path AS path, f.sha256 AS sha256, f.reader AS reader, f.pending IS NOT NULL OR coalesce(f.gone, false) AS halted // [marks]
// RETURN f.path AS path, f.outline AS outline, f.pending AS pending // [outlines]
// AND f.path IN $paths // [known]
// RETURN f.path AS path // [known]
