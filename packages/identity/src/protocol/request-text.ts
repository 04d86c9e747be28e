import { type FastifyRequest } from "fastify";
import { type FormBody, parseFormBody } from "./form-body.ts";

/** What follows the first question mark of the address: another one belongs to a value that wasn't encoded. */
export function queryOf({ raw: { url = "" } }: FastifyRequest): string {
  const start = url.indexOf("?");
  return start === -1 ? "" : url.slice(start + 1);
}

export function bodyOf({ body }: FastifyRequest): string {
  return typeof body === "string" ? body : "";
}

/** @throws IdentityError as {@link parseFormBody} does */
export function queryForm(request: FastifyRequest): FormBody {
  return parseFormBody("application/x-www-form-urlencoded", queryOf(request));
}

/** @throws IdentityError as {@link parseFormBody} does */
export function postedForm(request: FastifyRequest): FormBody {
  return parseFormBody(request.headers["content-type"], bodyOf(request));
}
