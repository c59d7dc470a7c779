// purpose: take the vectors of some texts away, whoever's they are, and have them embedded by another embedder
// params: limit INTEGER
// returns: dropped INTEGER
// mode: write
// scope: system
// why: vectors of two embedders compare nonsense, or not at all; those of archived texts come back with them
MATCH (n:Message|Memory|ColdMemory|Attribute|Summary)
WHERE n.embedding IS NOT NULL OR n.archivedEmbedding IS NOT NULL
WITH n LIMIT $limit
FOREACH (_ IN CASE WHEN n.embedding IS NOT NULL AND NOT n:ColdMemory THEN [1] ELSE [] END | SET n:Unembedded)
REMOVE n.embedding, n.archivedEmbedding
RETURN count(n) AS dropped
