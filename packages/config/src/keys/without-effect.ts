/** Settings of the 2.x servers that have nothing to set here: name (a final `*` stands for any rest) → why. */
export const settingsWithoutEffect: Readonly<Record<string, string>> = {
  allow_store_upgrade: "a store of an older Trefoil is upgraded by the start",
  "dbms.pagecache.memory": "the store lives in memory as a whole",
  keep_logical_logs: "the log is kept until the next checkpoint",
  node_auto_indexing: "automatic indexes are switched by their own addresses",
  relationship_auto_indexing: "automatic indexes are switched by their own addresses",
  node_keys_indexable: "automatic indexes are switched by their own addresses",
  relationship_keys_indexable: "automatic indexes are switched by their own addresses",
  "org.neo4j.server.webserver.maxthreads": "requests do not occupy threads",
  "org.neo4j.server.db.tuning.properties": "there is one configuration file",
  "org.neo4j.server.http.log.config": "the access log's form is fixed",
  "org.neo4j.server.webserver.https.keystore.location": "see tls.certificate_file",
  "org.neo4j.server.webserver.https.cert.location": "see tls.certificate_file",
  "org.neo4j.server.webserver.https.key.location": "see tls.key_file",
  "org.neo4j.server.webadmin.*": "the console is always served",
  "org.neo4j.server.manage.console_engines": "the console speaks Cypher only",
  "dbms.querylog.*": "see log.level",
  "remote_shell_*": "there is no remote shell",
  online_backup_enabled: "see the command `backup`",
  online_backup_server: "see the command `backup`",
  cache_type: "there is no object cache to choose",
};

/** Why a setting of the 2.x servers has no effect, or `undefined` when it is none of those. */
export function findReasonWithoutEffect(name: string): string | undefined {
  const match = Object.entries(settingsWithoutEffect).find(([candidate]) =>
    candidate.endsWith("*") ? name.startsWith(candidate.slice(0, -1)) : name === candidate,
  );
  return match?.[1];
}
