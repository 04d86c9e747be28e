import { certificateAuthorityFile, findFile } from "@trefoil/installation";
import type { Command } from "commander";
import { X509Certificate } from "node:crypto";
import type { CommandContext } from "../command-context.ts";
import { exitCodes } from "../command-failure.ts";

/** How each kind of client is told to trust an authority. */
const instructions: readonly (readonly [client: string, how: (file: string) => string])[] = [
  ["Node.js", (file) => `export NODE_EXTRA_CA_CERTS=${file}`],
  ["OpenSSL, Go, Ruby, PHP", (file) => `export SSL_CERT_FILE=${file}`],
  ["Python (requests, msal)", (file) => `export REQUESTS_CA_BUNDLE=${file}`],
  ["curl", (file) => `curl --cacert ${file} …`],
  ["Java", (file) => `keytool -importcert -cacerts -storepass changeit -noprompt -alias trefoil -file ${file}`],
  [
    "Debian, Ubuntu (whole system)",
    (file) => `sudo cp ${file} /usr/local/share/ca-certificates/trefoil.crt && sudo update-ca-certificates`,
  ],
  ["Fedora (whole system)", (file) => `sudo trust anchor ${file}`],
  [
    "macOS (whole system)",
    (file) => `sudo security add-trusted-cert -d -r trustRoot -k /Library/Keychains/System.keychain ${file}`,
  ],
  ["Windows (this user)", (file) => `certutil -user -addstore Root ${file}`],
  ["Firefox", () => "Settings, Certificates, Authorities, Import"],
];

/** `tls trust`. */
export function addTlsCommands(program: Command, context: CommandContext): void {
  program
    .command("tls")
    .description("the local certificate authority")
    .command("trust")
    .description("say how each client is told to trust the local certificate authority; changes nothing")
    .action(async () => {
      const file = certificateAuthorityFile(await context.dataDirectory());
      const pem = await findFile(file);
      if (pem === undefined) {
        context.fail(`there is no ${file} yet: the first start makes it`, exitCodes.failure);
      }
      const certificate = new X509Certificate(pem);
      const rows = instructions.map(([client, how]) => ({ client, how: how(quote(file)) }));
      if (context.wantsJson) {
        const { fingerprint256, validTo } = certificate;
        context.printJson({ certificateAuthority: file, fingerprint256, validTo, instructions: rows });
        return;
      }
      context.print(`Certificate authority  ${file}`);
      context.print(`SHA-256                ${certificate.fingerprint256}`);
      context.print(`Valid until            ${certificate.validTo}\n`);
      context.printTable(rows, ["client", "how"]);
      context.print("\nIt certifies this machine's own names and those of tls.host_names only.");
    });
}

/** For a shell, when the path needs it. */
function quote(file: string): string {
  return /^[\w./:\\-]+$/.test(file) ? file : `'${file.replaceAll("'", String.raw`'\''`)}'`;
}
