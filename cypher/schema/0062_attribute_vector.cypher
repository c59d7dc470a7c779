// purpose: vectors of Attribute nodes, filtered inside the index
// params: dimensions INTEGER
// returns: nothing
// mode: schema
// scope: system
// why: the WITH list cannot grow without a rebuild; unquantised because scalar quantisation cost recall and saved no time
CYPHER 25
CREATE VECTOR INDEX attribute_vector IF NOT EXISTS
FOR (n:Attribute) ON n.embedding WITH [n.agent_id, n.status, n.project, n.sessionId, n.createdAt]
OPTIONS {indexConfig: {`vector.dimensions`: $dimensions, `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false}}
