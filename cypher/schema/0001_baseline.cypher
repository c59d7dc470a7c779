// purpose: all that is unique and all that is indexed
// params: dimensions INTEGER
// returns: nothing
// mode: schema
// scope: system
// why: made from declarations.toml by scripts/schema.py, and carried out in one transaction
CREATE CONSTRAINT migration_number_unique IF NOT EXISTS
FOR (n:Migration) REQUIRE (n.number) IS UNIQUE;

CREATE CONSTRAINT lease_name_unique IF NOT EXISTS
FOR (n:Lease) REQUIRE (n.name) IS UNIQUE;

CREATE CONSTRAINT embedder_name_unique IF NOT EXISTS
FOR (n:Embedder) REQUIRE (n.name) IS UNIQUE;

CREATE CONSTRAINT eventchain_agent_id_unique IF NOT EXISTS
FOR (n:EventChain) REQUIRE (n.agent_id) IS UNIQUE;

CREATE CONSTRAINT session_agent_id_id_unique IF NOT EXISTS
FOR (n:Session) REQUIRE (n.agent_id, n.id) IS UNIQUE;

CREATE CONSTRAINT message_agent_id_id_unique IF NOT EXISTS
FOR (n:Message) REQUIRE (n.agent_id, n.id) IS UNIQUE;

CREATE CONSTRAINT memory_agent_id_id_unique IF NOT EXISTS
FOR (n:Memory) REQUIRE (n.agent_id, n.id) IS UNIQUE;

CREATE CONSTRAINT coldmemory_agent_id_id_unique IF NOT EXISTS
FOR (n:ColdMemory) REQUIRE (n.agent_id, n.id) IS UNIQUE;

CREATE CONSTRAINT entity_agent_id_id_unique IF NOT EXISTS
FOR (n:Entity) REQUIRE (n.agent_id, n.id) IS UNIQUE;

CREATE CONSTRAINT coldentity_agent_id_id_unique IF NOT EXISTS
FOR (n:ColdEntity) REQUIRE (n.agent_id, n.id) IS UNIQUE;

CREATE CONSTRAINT aspect_agent_id_id_unique IF NOT EXISTS
FOR (n:Aspect) REQUIRE (n.agent_id, n.id) IS UNIQUE;

CREATE CONSTRAINT attribute_agent_id_id_unique IF NOT EXISTS
FOR (n:Attribute) REQUIRE (n.agent_id, n.id) IS UNIQUE;

CREATE CONSTRAINT summary_agent_id_id_unique IF NOT EXISTS
FOR (n:Summary) REQUIRE (n.agent_id, n.id) IS UNIQUE;

CREATE CONSTRAINT supersession_agent_id_id_unique IF NOT EXISTS
FOR (n:Supersession) REQUIRE (n.agent_id, n.id) IS UNIQUE;

CREATE CONSTRAINT event_agent_id_id_unique IF NOT EXISTS
FOR (n:Event) REQUIRE (n.agent_id, n.id) IS UNIQUE;

CREATE CONSTRAINT job_agent_id_id_unique IF NOT EXISTS
FOR (n:Job) REQUIRE (n.agent_id, n.id) IS UNIQUE;

CREATE CONSTRAINT message_agent_id_sessionid_messageid_unique IF NOT EXISTS
FOR (n:Message) REQUIRE (n.agent_id, n.sessionId, n.messageId) IS UNIQUE;

CREATE CONSTRAINT message_agent_id_sessionid_ordinal_unique IF NOT EXISTS
FOR (n:Message) REQUIRE (n.agent_id, n.sessionId, n.ordinal) IS UNIQUE;

CREATE CONSTRAINT entity_agent_id_canonicalname_unique IF NOT EXISTS
FOR (n:Entity) REQUIRE (n.agent_id, n.canonicalName) IS UNIQUE;

CREATE CONSTRAINT coldentity_agent_id_canonicalname_unique IF NOT EXISTS
FOR (n:ColdEntity) REQUIRE (n.agent_id, n.canonicalName) IS UNIQUE;

CREATE CONSTRAINT name_agent_id_canonical_unique IF NOT EXISTS
FOR (n:Name) REQUIRE (n.agent_id, n.canonical) IS UNIQUE;

CREATE CONSTRAINT aspect_agent_id_entityid_canonicalname_unique IF NOT EXISTS
FOR (n:Aspect) REQUIRE (n.agent_id, n.entityId, n.canonicalName) IS UNIQUE;

CREATE CONSTRAINT attribute_agent_id_activekey_unique IF NOT EXISTS
FOR (n:Attribute) REQUIRE (n.agent_id, n.activeKey) IS UNIQUE;

CREATE CONSTRAINT memory_agent_id_contentkey_unique IF NOT EXISTS
FOR (n:Memory) REQUIRE (n.agent_id, n.contentKey) IS UNIQUE;

CREATE CONSTRAINT summary_agent_id_dagkey_unique IF NOT EXISTS
FOR (n:Summary) REQUIRE (n.agent_id, n.dagKey) IS UNIQUE;

CREATE CONSTRAINT supersession_agent_id_oldid_newid_unique IF NOT EXISTS
FOR (n:Supersession) REQUIRE (n.agent_id, n.oldId, n.newId) IS UNIQUE;

CREATE CONSTRAINT request_agent_id_key_unique IF NOT EXISTS
FOR (n:Request) REQUIRE (n.agent_id, n.key) IS UNIQUE;

CREATE CONSTRAINT payload_agent_id_sha256_unique IF NOT EXISTS
FOR (n:Payload) REQUIRE (n.agent_id, n.sha256) IS UNIQUE;

CREATE CONSTRAINT job_agent_id_activekey_unique IF NOT EXISTS
FOR (n:Job) REQUIRE (n.agent_id, n.activeKey) IS UNIQUE;

CREATE CONSTRAINT depends_on_agent_id_activekey_unique IF NOT EXISTS
FOR ()-[n:DEPENDS_ON]-() REQUIRE (n.agent_id, n.activeKey) IS UNIQUE;

CREATE CONSTRAINT depends_on_agent_id_id_unique IF NOT EXISTS
FOR ()-[n:DEPENDS_ON]-() REQUIRE (n.agent_id, n.id) IS UNIQUE;

CREATE CONSTRAINT key_id_unique IF NOT EXISTS
FOR (n:Key) REQUIRE (n.id) IS UNIQUE;

CREATE CONSTRAINT key_hash_unique IF NOT EXISTS
FOR (n:Key) REQUIRE (n.hash) IS UNIQUE;

CREATE CONSTRAINT mergedentity_agent_id_id_unique IF NOT EXISTS
FOR (n:MergedEntity) REQUIRE (n.agent_id, n.id) IS UNIQUE;

CREATE CONSTRAINT merge_agent_id_id_unique IF NOT EXISTS
FOR (n:Merge) REQUIRE (n.agent_id, n.id) IS UNIQUE;

CREATE CONSTRAINT merge_agent_id_pairkey_unique IF NOT EXISTS
FOR (n:Merge) REQUIRE (n.agent_id, n.pairKey) IS UNIQUE;

CREATE CONSTRAINT rollback_agent_id_id_unique IF NOT EXISTS
FOR (n:Rollback) REQUIRE (n.agent_id, n.id) IS UNIQUE;

CREATE CONSTRAINT sourcefile_agent_id_repository_path_unique IF NOT EXISTS
FOR (n:SourceFile) REQUIRE (n.agent_id, n.repository, n.path) IS UNIQUE;

CREATE CONSTRAINT feedback_agent_id_id_unique IF NOT EXISTS
FOR (n:Feedback) REQUIRE (n.agent_id, n.id) IS UNIQUE;

CREATE INDEX superseded_by_agent_id_id IF NOT EXISTS
FOR ()-[n:SUPERSEDED_BY]-() ON (n.agent_id, n.id);

CREATE INDEX message_agent_id_createdat IF NOT EXISTS
FOR (n:Message) ON (n.agent_id, n.createdAt);

CREATE INDEX session_agent_id_project_startedat IF NOT EXISTS
FOR (n:Session) ON (n.agent_id, n.project, n.startedAt);

CREATE INDEX session_agent_id_startedat IF NOT EXISTS
FOR (n:Session) ON (n.agent_id, n.startedAt);

CREATE INDEX memory_agent_id_createdat IF NOT EXISTS
FOR (n:Memory) ON (n.agent_id, n.createdAt);

CREATE INDEX attribute_agent_id_entityid_status IF NOT EXISTS
FOR (n:Attribute) ON (n.agent_id, n.entityId, n.status);

CREATE INDEX attribute_agent_id_claimkey IF NOT EXISTS
FOR (n:Attribute) ON (n.agent_id, n.claimKey);

CREATE INDEX attribute_agent_id_claimvalue_status IF NOT EXISTS
FOR (n:Attribute) ON (n.agent_id, n.claimValue, n.status);

CREATE INDEX attribute_agent_id_claimtopic_status IF NOT EXISTS
FOR (n:Attribute) ON (n.agent_id, n.claimTopic, n.status);

CREATE INDEX summary_agent_id_project_kind_latestat IF NOT EXISTS
FOR (n:Summary) ON (n.agent_id, n.project, n.kind, n.latestAt);

CREATE INDEX summary_agent_id_sessionid IF NOT EXISTS
FOR (n:Summary) ON (n.agent_id, n.sessionId);

CREATE INDEX supersession_agent_id_status_createdat IF NOT EXISTS
FOR (n:Supersession) ON (n.agent_id, n.status, n.createdAt);

CREATE INDEX supersession_agent_id_createdat IF NOT EXISTS
FOR (n:Supersession) ON (n.agent_id, n.createdAt);

CREATE INDEX event_agent_id_subjectid_at IF NOT EXISTS
FOR (n:Event) ON (n.agent_id, n.subjectId, n.at);

CREATE INDEX event_agent_id_at IF NOT EXISTS
FOR (n:Event) ON (n.agent_id, n.at);

CREATE INDEX request_createdat IF NOT EXISTS
FOR (n:Request) ON (n.createdAt);

CREATE INDEX job_status_availableat IF NOT EXISTS
FOR (n:Job) ON (n.status, n.availableAt);

CREATE INDEX job_status_turn IF NOT EXISTS
FOR (n:Job) ON (n.status, n.turn);

CREATE INDEX job_agent_id_status IF NOT EXISTS
FOR (n:Job) ON (n.agent_id, n.status);

CREATE INDEX message_agent_id_messageid IF NOT EXISTS
FOR (n:Message) ON (n.agent_id, n.messageId);

CREATE INDEX key_agent_id IF NOT EXISTS
FOR (n:Key) ON (n.agent_id);

CREATE INDEX session_idlesince IF NOT EXISTS
FOR (n:Session) ON (n.idleSince);

CREATE INDEX restoring_restoreid IF NOT EXISTS
FOR (n:Restoring) ON (n.restoreId);

CREATE INDEX merge_agent_id_createdat IF NOT EXISTS
FOR (n:Merge) ON (n.agent_id, n.createdAt);

CREATE INDEX rollback_agent_id_createdat IF NOT EXISTS
FOR (n:Rollback) ON (n.agent_id, n.createdAt);

CREATE INDEX attribute_agent_id_kind_status_pinned IF NOT EXISTS
FOR (n:Attribute) ON (n.agent_id, n.kind, n.status, n.pinned);

CREATE INDEX memory_agent_id_pinned IF NOT EXISTS
FOR (n:Memory) ON (n.agent_id, n.pinned);

CREATE INDEX message_agent_id_sessionid_paradigmshift IF NOT EXISTS
FOR (n:Message) ON (n.agent_id, n.sessionId, n.paradigmShift);

CREATE INDEX session_agent_id_endedat IF NOT EXISTS
FOR (n:Session) ON (n.agent_id, n.endedAt);

CREATE INDEX entity_agent_id_pinned_mentions IF NOT EXISTS
FOR (n:Entity) ON (n.agent_id, n.pinned, n.mentions);

CREATE INDEX session_agent_id_continues IF NOT EXISTS
FOR (n:Session) ON (n.agent_id, n.continues);

CREATE INDEX entity_agent_id_file IF NOT EXISTS
FOR (n:Entity) ON (n.agent_id, n.file);

CREATE INDEX passage_agent_id IF NOT EXISTS
FOR (n:Passage) ON (n.agent_id);

CREATE INDEX feedback_agent_id_targetid_at IF NOT EXISTS
FOR (n:Feedback) ON (n.agent_id, n.targetId, n.at);

CREATE INDEX event_agent_id_kind_at IF NOT EXISTS
FOR (n:Event) ON (n.agent_id, n.kind, n.at);

CREATE FULLTEXT INDEX message_text IF NOT EXISTS
FOR (n:Message) ON EACH [n.searchText, n.agentKey]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: true}};

CREATE FULLTEXT INDEX memory_text IF NOT EXISTS
FOR (n:Memory) ON EACH [n.searchText, n.agentKey]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: true}};

CREATE FULLTEXT INDEX attribute_text IF NOT EXISTS
FOR (n:Attribute) ON EACH [n.searchText, n.agentKey]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: true}};

CREATE FULLTEXT INDEX summary_text IF NOT EXISTS
FOR (n:Summary) ON EACH [n.searchText, n.agentKey]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: true}};

CREATE FULLTEXT INDEX entity_text IF NOT EXISTS
FOR (n:Entity) ON EACH [n.searchText, n.agentKey]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-no-stop-words', `fulltext.eventually_consistent`: true}};

CREATE FULLTEXT INDEX message_grams IF NOT EXISTS
FOR (n:Message) ON EACH [n.grams, n.agentKey, n.sessionId, n.role, n.source]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace', `fulltext.eventually_consistent`: true}};

CREATE FULLTEXT INDEX summary_grams IF NOT EXISTS
FOR (n:Summary) ON EACH [n.grams, n.agentKey, n.sessionId]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace', `fulltext.eventually_consistent`: true}};

CYPHER 25
CREATE VECTOR INDEX message_vector IF NOT EXISTS
FOR (n:Message) ON n.embedding WITH [n.agent_id, n.status, n.project, n.sessionId, n.createdAt]
OPTIONS {indexConfig: {`vector.dimensions`: $dimensions, `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false}};

CYPHER 25
CREATE VECTOR INDEX memory_vector IF NOT EXISTS
FOR (n:Memory) ON n.embedding WITH [n.agent_id, n.status, n.project, n.sessionId, n.createdAt]
OPTIONS {indexConfig: {`vector.dimensions`: $dimensions, `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false}};

CYPHER 25
CREATE VECTOR INDEX attribute_vector IF NOT EXISTS
FOR (n:Attribute) ON n.embedding WITH [n.agent_id, n.status, n.project, n.sessionId, n.createdAt]
OPTIONS {indexConfig: {`vector.dimensions`: $dimensions, `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false}};

CYPHER 25
CREATE VECTOR INDEX summary_vector IF NOT EXISTS
FOR (n:Summary) ON n.embedding WITH [n.agent_id, n.status, n.project, n.sessionId, n.createdAt]
OPTIONS {indexConfig: {`vector.dimensions`: $dimensions, `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false}}
