// purpose: statements, facts and summaries as a question is compared with them
// params: agent_id STRING, ids LIST<STRING>, vector LIST<FLOAT>, chars INTEGER
// returns: passages LIST<LIST>
// mode: read
// why: one row with times as numbers: the driver takes longer over hundreds of rows and times than the search itself
UNWIND $ids AS id
MATCH (n:Memory|Attribute|Summary {agent_id: $agent_id, id: id})
RETURN collect([id, left(n.searchText, $chars), size(n.searchText), CASE WHEN n.embedding IS NOT NULL AND $vector IS NOT NULL THEN vector.similarity.cosine(n.embedding, $vector) END,
  coalesce(n.validFrom, n.latestAt, n.createdAt).epochMillis, coalesce(n.feedback, 0.0)]) AS passages
