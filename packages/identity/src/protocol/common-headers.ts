import { type IdentitySettings } from "../services.ts";
import { type Exchange } from "./exchange.ts";
import { CLIENT_REQUEST_ID, everywhere } from "./headers.ts";
import { STRICT_TRANSPORT, StrictTransport } from "./strict-transport.ts";

/** Headers that every answer of the protocol has, refusals too. (reference §2.1) */
export class CommonHeaders {
  readonly #settings: Pick<IdentitySettings, "publicUrl">;
  readonly #transport = new StrictTransport();

  constructor(settings: Pick<IdentitySettings, "publicUrl">) {
    this.#settings = settings;
  }

  /** @returns a record of the caller's own, to add to */
  of(exchange: Exchange): Record<string, string> {
    const headers = everywhere(exchange.traceId);
    if (this.#transport.isStrict(this.#settings.publicUrl)) {
      headers["strict-transport-security"] = STRICT_TRANSPORT;
    }
    if (exchange.echoCorrelationId) {
      headers[CLIENT_REQUEST_ID] = exchange.correlationId;
    }
    return headers;
  }
}
