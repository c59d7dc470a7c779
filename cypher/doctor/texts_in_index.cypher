// purpose: full-text indexes that find more or fewer texts under an agent's key than it has
// params: agent_id STRING, query STRING
// returns: name STRING, found INTEGER, stored INTEGER
// mode: read
// fragments: texts_of_index
CALL () {
  texts_of_index('message_text', Message)
  UNION ALL
  texts_of_index('memory_text', Memory)
  UNION ALL
  texts_of_index('attribute_text', Attribute)
  UNION ALL
  texts_of_index('summary_text', Summary)
  UNION ALL
  texts_of_index('entity_text', Entity)
  UNION ALL
  texts_of_index('message_grams', Message)
  UNION ALL
  texts_of_index('summary_grams', Summary)
}
WITH name, found, stored WHERE found <> stored
RETURN name, found, stored
