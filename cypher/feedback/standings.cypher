// purpose: how a page of things that were given feedback stand, and when that last changed
// params: agent_id STRING, after STRING, limit INTEGER
// returns: last STRING, things LIST<MAP>
// mode: read
// why: the page is of all that ever was given feedback, so that the next one begins behind it; only what still stands otherwise for it is answered
MATCH (f:Feedback {agent_id: $agent_id})
WHERE f.targetId > $after AND f.at IS NOT NULL
WITH f.targetId AS asked, max(f.at) AS given
ORDER BY asked LIMIT $limit
WITH collect({id: asked, given: given}) AS page
RETURN page[-1].id AS last, COLLECT {
  UNWIND page AS one
  CALL (one) {
    MATCH (n:Message {agent_id: $agent_id, id: one.id}) RETURN 'message' AS kind, null AS weight, n AS n
    UNION
    MATCH (n:Memory|ColdMemory {agent_id: $agent_id, id: one.id}) RETURN 'memory' AS kind, null AS weight, n AS n
    UNION
    MATCH (n:Summary {agent_id: $agent_id, id: one.id}) RETURN 'summary' AS kind, null AS weight, n AS n
    UNION
    MATCH (n:Entity|ColdEntity {agent_id: $agent_id, id: one.id}) RETURN 'entity' AS kind, null AS weight, n AS n
    UNION
    MATCH (n:Attribute {agent_id: $agent_id, id: one.id}) RETURN 'attribute' AS kind, null AS weight, n AS n
    UNION
    MATCH (n:Aspect {agent_id: $agent_id, id: one.id}) RETURN 'aspect' AS kind, n.weight AS weight, n AS n
    UNION
    MATCH ()-[n:DEPENDS_ON {agent_id: $agent_id, id: one.id}]->() RETURN 'dependency' AS kind, n.strength AS weight, n AS n
  }
  WITH one, kind, weight, n WHERE n.feedback <> 0
  RETURN {id: one.id, kind: kind, weight: weight, own: n.unmoved, feedback: n.feedback,
    since: CASE WHEN n.fadedThrough > one.given THEN n.fadedThrough ELSE one.given END}
} AS things
