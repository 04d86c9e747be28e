export const objectsKeys = {
  "objects.address": {
    type: "text",
    default: "127.0.0.1",
    meaning: "The address of both listeners; the default stands for 127.0.0.1 and ::1.",
  },
  "objects.http.enabled": { type: "switch", default: "true", meaning: "Whether the object store listens for http." },
  "objects.http.port": { type: "port", default: "10000", meaning: "The port for http." },
  "objects.https.enabled": { type: "switch", default: "true", meaning: "Whether the object store listens for https." },
  "objects.https.port": { type: "port", default: "10443", meaning: "The port for https." },
  "objects.host_suffixes": {
    type: "list",
    default: "",
    meaning:
      "Domains below which a host name's first label is the account, besides `localhost` and `blob.localhost`: `blob.example.com` for `<account>.blob.example.com`. The local certificate names every account below them.",
  },
  "objects.database.url": {
    type: "url",
    meaning: "`postgres://…` in place of the embedded database in `objects/` below the data folder.",
    isSecret: true,
    reserved: "refuse",
  },
  "objects.extents.url": {
    type: "url",
    meaning: "`s3://bucket?endpoint=…` in place of the extent files in `objects/` below the data folder.",
    isSecret: true,
    reserved: "refuse",
  },
  "objects.scrub.rate": {
    type: "size",
    default: "16m",
    meaning: "How many bytes a second the scrubber reads at most to verify what is stored; 0 turns it off.",
  },
  "objects.scrub.interval": {
    type: "duration",
    default: "7d",
    meaning: "How often the scrubber verifies each extent.",
  },
  "objects.free_space": {
    type: "size",
    default: "256m",
    meaning: "Uploads are refused when they would leave less room than this on the disk of the data folder.",
  },
  "objects.account_quota": {
    type: "size",
    meaning: "How much each account that is made from now on may keep; without it there is no limit.",
  },
  "objects.development_account": {
    type: "switch",
    default: "false",
    meaning: "Serves the well-known development account, to this machine only.",
  },
  "objects.identity.issuer": {
    type: "url",
    meaning: "Whose bearer tokens are accepted. Default: the local identity provider.",
  },
  "objects.identity.audience": {
    type: "text",
    meaning: "The audience that bearer tokens must name. Default: the object store's resource at the local provider.",
  },
  "objects.identity.test_key": {
    type: "path",
    meaning:
      "PEM of an RSA key or a certificate, for tests: bearer tokens signed with it are believed as the public cloud's, on this machine only, and own every account.",
  },
  "objects.copy.allowed_hosts": {
    type: "list",
    default: "",
    meaning: "Foreign hosts from which blobs may be copied. Own addresses are resolved internally and always allowed.",
  },
} as const;
