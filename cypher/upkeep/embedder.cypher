// purpose: the embedder the stored vectors come from
// params: none
// returns: id STRING, dimensions INTEGER
// mode: read
// scope: system
MATCH (e:Embedder {name: 'vectors'})
RETURN e.id AS id, e.dimensions AS dimensions
