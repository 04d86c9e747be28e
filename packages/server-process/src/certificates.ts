import { StartError } from "@trefoil/base";
import type { Configuration } from "@trefoil/config";
import type { Logger, ServerCertificate } from "@trefoil/http";
import { addInitialCredentials, ensureLocalCertificates } from "@trefoil/installation";
import { readFile } from "node:fs/promises";

export interface ServerCertificatesOptions {
  readonly configuration: Configuration;
  readonly dataDirectory: string;
  readonly logger: Logger;
  /** Storage accounts, asked for again at every look: each gets its host names covered. */
  readonly accounts?: (() => readonly string[] | Promise<readonly string[]>) | undefined;
}

/** How often renewal is looked at; a look costs a file read. */
const lookIntervalMs = 3_600_000;

/** The certificate a server presents: its owner's (`tls.certificate_file`), or one of the local authority. */
export class ServerCertificates {
  readonly #options: ServerCertificatesOptions;
  #current: ServerCertificate;
  #timer: NodeJS.Timeout | undefined;
  #replace: (certificate: ServerCertificate) => void = () => undefined;

  private constructor(options: ServerCertificatesOptions, current: ServerCertificate) {
    this.#options = options;
    this.#current = current;
  }

  /** @throws StartError "configuration" when the owner's files cannot be read */
  static async open(options: ServerCertificatesOptions): Promise<ServerCertificates> {
    return new ServerCertificates(options, await readCertificate(options));
  }

  get current(): ServerCertificate {
    return this.#current;
  }

  /** Hands `replace` every later certificate, until `close`. */
  keepRenewed(replace: (certificate: ServerCertificate) => void): void {
    this.#replace = replace;
    this.#timer ??= setInterval(() => {
      this.refresh().catch((error: unknown) => {
        this.#options.logger.error({ err: error }, "the certificate could not be renewed; the present one stays");
      });
    }, lookIntervalMs).unref();
  }

  /** Looks now: after an account was made, its names are covered when this returns. */
  async refresh(): Promise<void> {
    const certificate = await readCertificate(this.#options);
    if (certificate.certPem !== this.#current.certPem || certificate.keyPem !== this.#current.keyPem) {
      this.#current = certificate;
      this.#replace(certificate);
      this.#options.logger.info("a new certificate is in use");
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

async function readCertificate(options: ServerCertificatesOptions): Promise<ServerCertificate> {
  const { configuration, dataDirectory } = options;
  const certificateFile = configuration.get("tls.certificate_file");
  const keyFile = configuration.get("tls.key_file");
  if (certificateFile === undefined && keyFile === undefined) {
    const local = await ensureLocalCertificates(dataDirectory, {
      hostNames: configuration.get("tls.host_names"),
      accounts: await options.accounts?.(),
      // Known to all servers, which share the authority; static web sites have names beside those of the blobs.
      accountDomains: configuration
        .get("objects.host_suffixes")
        .flatMap((suffix) => [suffix, `web.${suffix.replace(/^blob\./u, "")}`]),
    });
    await addInitialCredentials(dataDirectory, "certificateAuthority", local.certificateAuthorityFile);
    return local.certificate;
  }
  if (certificateFile === undefined || keyFile === undefined) {
    throw new StartError("configuration", "tls.certificate_file and tls.key_file go together: one of them is missing");
  }
  try {
    return { certPem: await readFile(certificateFile, "utf8"), keyPem: await readFile(keyFile, "utf8") };
  } catch (error) {
    const reason = (error as Error).message;
    throw new StartError("configuration", `the certificate cannot be read: ${reason}`, { cause: error });
  }
}
