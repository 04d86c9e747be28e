import { type BearerGuardOptions, createBearerGuard, type Judgement, type Refusal } from "./bearer-guard.ts";
import { rememberToken } from "./token-of.ts";

/** What is used of an Express request; Node's own fits as well, and so do Connect and its relatives. */
export interface ExpressRequest {
  readonly headers: { readonly authorization?: string | undefined };
}

/** What is used of an Express response. */
export interface ExpressResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(body: string): unknown;
}

/**
 * Express middleware that lets in who has a token for this resource; `tokenOf(request)` has it from then on.
 *
 * @throws TypeError as `createTokenValidator` does; the middleware itself hands on to `next` what isn't about the token
 */
export function requireBearer(
  options: BearerGuardOptions,
): (request: ExpressRequest, response: ExpressResponse, next: (error?: unknown) => void) => Promise<void> {
  const judge = createBearerGuard(options);
  return async (request, response, next) => {
    let judgement: Judgement;
    try {
      judgement = await judge(request.headers.authorization);
    } catch (error) {
      next(error);
      return;
    }
    if ("token" in judgement) {
      rememberToken(request, judgement.token);
      next();
    } else {
      send(response, judgement.refusal);
    }
  };
}

function send(response: ExpressResponse, { status, headers, body }: Refusal): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries({ ...headers, "content-type": "application/json; charset=utf-8" })) {
    response.setHeader(name, value);
  }
  response.end(JSON.stringify(body));
}
