export const identityKeys = {
  "identity.address": {
    type: "text",
    default: "127.0.0.1",
    meaning:
      "The address of the https listener; the default stands for 127.0.0.1 and ::1. The http listener stays on these two whatever this says.",
  },
  "identity.http.enabled": {
    type: "switch",
    default: "true",
    meaning: "Whether identity listens for plain http on this machine.",
  },
  "identity.http.port": { type: "port", default: "8400", meaning: "The port for http." },
  "identity.https.enabled": { type: "switch", default: "true", meaning: "Whether identity listens for https." },
  "identity.https.port": { type: "port", default: "8443", meaning: "The port for https." },
  "identity.public_url": {
    type: "url",
    meaning:
      "The origin that issuers and metadata name. Default: `https://localhost` with the https port. Changing it changes every issuer.",
  },
  "identity.database.url": {
    type: "url",
    meaning: "`postgres://…` in place of the embedded database in `identity/` below the data folder.",
    isSecret: true,
  },
  "identity.error_code_prefix": {
    type: "choice",
    default: "STS",
    allowed: ["STS", "AADSTS"],
    meaning: "The letters before the numbers of error codes.",
  },
  "identity.password.memory_kib": {
    type: "integer",
    default: "19456",
    minimum: 7168,
    maximum: 1048576,
    meaning: "Memory of one password hash (argon2id).",
  },
  "identity.password.iterations": {
    type: "integer",
    default: "2",
    minimum: 1,
    maximum: 100,
    meaning: "Iterations of one password hash (argon2id).",
  },
  "identity.password.at_once": {
    type: "integer",
    minimum: 1,
    maximum: 64,
    meaning:
      "How many passwords are hashed at the same time, each in `identity.password.memory_kib` of its own. Default: one less than there are processors, at least one and at most two.",
  },
  "identity.session.same_site": {
    type: "choice",
    default: "lax",
    allowed: ["lax", "none"],
    meaning: "`SameSite` of the session cookie; `none` lets pages of other sites renew tokens in hidden frames.",
  },
  "identity.federation.private_hosts": {
    type: "list",
    default: "",
    meaning:
      "Hosts of outside issuers of federated credentials that may lead to private addresses; others must lead to public ones.",
  },
  "identity.signing_key.rotation_days": {
    type: "integer",
    default: "90",
    minimum: 0,
    maximum: 1460,
    meaning:
      "Age in days at which the key that signs tokens is renewed; 0: by `trefoil signing-key rotate` only. The next key is published two days before it signs.",
  },
  "identity.audit.retention_days": {
    type: "integer",
    default: "365",
    minimum: 1,
    maximum: 36500,
    meaning: "How long sign-ins, consents, credentials and administration stay on record.",
  },
  "identity.metadata_endpoint.enabled": {
    type: "switch",
    default: "false",
    meaning:
      "Whether `/metadata/identity/oauth2/token` gives tokens of one managed identity to processes on this machine.",
  },
  "identity.metadata_endpoint.identity": {
    type: "text",
    meaning: "The name of the managed identity that `identity.metadata_endpoint.enabled` serves.",
  },
} as const;
