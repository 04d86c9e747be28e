import { isIP } from "node:net";
import { isLoopbackHost } from "@trefoil/http";

export const STRICT_TRANSPORT = "max-age=31536000; includeSubDomains";

/**
 * Whether browsers are told to come back over TLS only. Not for localhost and addresses: the promise is for the host
 * with all its ports, and would lock out every other server of the machine. (rulings, Identity 5; RFC 6797 §8.3)
 */
export class StrictTransport {
  #publicUrl: string | undefined;
  #isStrict = false;

  /** Judged once for each address: it is known only when the server listens, and stays. */
  isStrict(publicUrl: string): boolean {
    if (publicUrl !== this.#publicUrl) {
      const { protocol, hostname } = new URL(publicUrl);
      const isAddress = isIP(hostname.replace(/^\[|\]$/g, "")) !== 0;
      this.#publicUrl = publicUrl;
      this.#isStrict = protocol === "https:" && !isAddress && !isLoopbackHost(hostname);
    }
    return this.#isStrict;
  }
}
