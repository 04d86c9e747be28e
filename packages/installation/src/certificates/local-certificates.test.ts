import { execFileSync, spawnSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { connect, createServer } from "node:tls";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ensureLocalCertificates, type LocalCertificates } from "./local-certificates.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "trefoil-certificates-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const dayMs = 86_400_000;
const tlsFile = (name: string): string => path.join(folder, "tls", name);
const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

/** Whether node's own TLS accepts the certificate under this name, trusting the authority only. */
async function isAccepted(local: LocalCertificates, servername: string): Promise<boolean> {
  const { certPem, keyPem } = local.certificate;
  const server = createServer({ cert: certPem, key: keyPem }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: "127.0.0.1", servername, ca: local.certificateAuthorityPem });
  try {
    await once(socket, "secureConnect");
    return socket.authorized;
  } catch {
    return false;
  } finally {
    socket.destroy();
    server.close();
  }
}

describe("local certificates", () => {
  test("are made once, for the owner only", async () => {
    const first = await ensureLocalCertificates(folder);
    expect(first.isNew).toBe(true);
    for (const name of ["ca.pem", "ca-key.pem", "server.pem", "server-key.pem"]) {
      expect(statSync(tlsFile(name)).mode & 0o777, name).toBe(0o600);
    }
    const second = await ensureLocalCertificates(folder);
    expect(second).toEqual({ ...first, isNew: false });
  });

  test("are accepted by TLS clients under this machine's names and under no other", async () => {
    const local = await ensureLocalCertificates(folder, { accounts: ["stem"], hostNames: ["trefoil.example"] });
    for (const name of [
      "localhost",
      "stem.localhost",
      "stem.blob.localhost",
      "stem.web.localhost",
      "trefoil.example",
    ]) {
      expect(await isAccepted(local, name), name).toBe(true);
    }
    expect(await isAccepted(local, "other.example")).toBe(false);
    expect(new X509Certificate(local.certificate.certPem).checkIP("127.0.0.1")).toBe("127.0.0.1");
    expect(new X509Certificate(local.certificate.certPem).checkIP("::1")).toBe("::1");
  });

  test.skipIf(!hasOpenssl)("verify with openssl, and the authority is good for no foreign name", async () => {
    await ensureLocalCertificates(folder, { accounts: ["stem"], hostNames: ["trefoil.example", "2001:db8::7"] });
    const verify = (file: string, ...more: string[]): string =>
      spawnSync("openssl", ["verify", "-CAfile", tlsFile("ca.pem"), ...more, file], { encoding: "utf8" }).stdout;
    expect(verify(tlsFile("server.pem"), "-purpose", "sslserver", "-verify_hostname", "stem.localhost")).toContain(
      "OK",
    );
    expect(verify(tlsFile("server.pem"), "-verify_ip", "2001:db8::7")).toContain("OK");
    const { issueServerCertificate } = await import("./issue.ts");
    const foreign = await issueServerCertificate({
      authorityPem: readFileSync(tlsFile("ca.pem"), "utf8"),
      authorityKeyPem: readFileSync(tlsFile("ca-key.pem"), "utf8"),
      keyPem: readFileSync(tlsFile("server-key.pem"), "utf8"),
      names: ["bank.example"],
      nowMs: Date.now(),
    });
    writeFileSync(tlsFile("foreign.pem"), foreign);
    expect(verify(tlsFile("foreign.pem"))).not.toContain("OK");
    const text = execFileSync("openssl", ["x509", "-in", tlsFile("ca.pem"), "-noout", "-text"], { encoding: "utf8" });
    expect(text).toContain("X509v3 Name Constraints: critical");
  });

  test("names that were covered stay covered when another server asks for its own", async () => {
    await ensureLocalCertificates(folder, { accounts: ["one"] });
    const both = await ensureLocalCertificates(folder, { accounts: ["two"], hostNames: ["2001:DB8:0::7", "10.1.2.3"] });
    expect(both.isNew).toBe(true);
    const certificate = new X509Certificate(both.certificate.certPem);
    expect(certificate.checkHost("one.localhost")).toBeDefined();
    expect(certificate.checkIP("10.1.2.3")).toBeDefined();
    expect((await ensureLocalCertificates(folder, { hostNames: ["2001:db8::7"] })).isNew).toBe(false);
    expect((await ensureLocalCertificates(folder)).isNew).toBe(false);
  });

  test("name each account below further domains, under an authority that stays when accounts are added", async () => {
    const accountDomains = ["blob.trefoil.example"];
    const first = await ensureLocalCertificates(folder, { accounts: ["one"], accountDomains });
    const second = await ensureLocalCertificates(folder, { accounts: ["one", "two"], accountDomains });
    expect(second.certificateAuthorityPem).toBe(first.certificateAuthorityPem);
    expect(await isAccepted(second, "one.blob.trefoil.example")).toBe(true);
    expect(await isAccepted(second, "two.blob.trefoil.example")).toBe(true);
    expect(await isAccepted(second, "blob.trefoil.example")).toBe(false);
    expect((await ensureLocalCertificates(folder, { accountDomains })).isNew).toBe(false);
  });

  test("are renewed before they end, under the same authority", async () => {
    const first = await ensureLocalCertificates(folder);
    expect((await ensureLocalCertificates(folder, {}, Date.now() + 360 * dayMs)).isNew).toBe(false);
    const later = await ensureLocalCertificates(folder, {}, Date.now() + 370 * dayMs);
    expect(later.isNew).toBe(true);
    expect(later.certificateAuthorityPem).toBe(first.certificateAuthorityPem);
    const muchLater = await ensureLocalCertificates(folder, {}, Date.now() + 3640 * dayMs);
    expect(muchLater.certificateAuthorityPem).not.toBe(first.certificateAuthorityPem);
  });

  test("a damaged certificate is made anew", async () => {
    await ensureLocalCertificates(folder);
    writeFileSync(tlsFile("server.pem"), "nonsense");
    expect(await isAccepted(await ensureLocalCertificates(folder), "localhost")).toBe(true);
  });

  test("servers that start at once agree", async () => {
    const all = await Promise.all(
      ["a", "b", "c"].map((account) => ensureLocalCertificates(folder, { accounts: [account] })),
    );
    expect(new Set(all.map(({ certificateAuthorityPem }) => certificateAuthorityPem)).size).toBe(1);
    const last = await ensureLocalCertificates(folder);
    for (const account of ["a", "b", "c"]) {
      expect(await isAccepted(last, `${account}.localhost`)).toBe(true);
    }
  });

  test("what is no name is refused", async () => {
    await expect(ensureLocalCertificates(folder, { hostNames: ["a b"] })).rejects.toMatchObject({
      code: "configuration",
    });
  });
});
