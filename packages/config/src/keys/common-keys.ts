export const commonKeys = {
  "data.directory": {
    type: "path",
    default: "data",
    meaning: "The folder that holds everything the servers keep. Made with mode 0700 on the first start.",
  },
  "log.level": {
    type: "choice",
    default: "info",
    allowed: ["fatal", "error", "warn", "info", "debug", "trace", "silent"],
    meaning: "The least important lines that are logged. Every request is a line at `info`.",
  },
  "log.format": {
    type: "choice",
    default: "auto",
    allowed: ["auto", "json", "pretty"],
    meaning: "JSON lines, lines for people, or `auto`: for people on a terminal and JSON elsewhere.",
  },
  "tls.certificate_file": {
    type: "path",
    meaning:
      "A certificate of your own (PEM, with its chain) in place of the one from the local certificate authority. Needs `tls.key_file`.",
    aliases: [{ name: "dbms.security.tls_certificate_file" }],
  },
  "tls.key_file": {
    type: "path",
    meaning: "The private key of `tls.certificate_file` (PEM, not encrypted).",
    aliases: [{ name: "dbms.security.tls_key_file" }],
  },
  "tls.host_names": {
    type: "list",
    default: "",
    meaning:
      "Host names and addresses by which clients reach the servers besides `localhost`; the local certificate authority covers them. A new name changes `ca.pem`.",
  },
  "shutdown.grace": {
    type: "duration",
    default: "10s",
    meaning: "How long requests that are being answered may take when a server is told to stop.",
  },
} as const;
