import { formPostPage } from "../sign-in/pages.ts";
import { type Page } from "../sign-in/page.ts";
import { type ReplyAddress } from "./authorize-request.ts";

/** How an answer leaves: the browser is redirected, or shown a page that posts itself. */
export type Delivery =
  | { readonly kind: "redirect"; readonly location: string }
  | { readonly kind: "page"; readonly page: Page };

/**
 * Puts an answer's parameters where the response mode wants them; `state` is returned unchanged. (reference §7.3)
 */
export function deliver(reply: ReplyAddress, answer: Readonly<Record<string, string | undefined>>): Delivery {
  const fields = Object.entries({ ...answer, state: reply.state }).filter(
    (field): field is [string, string] => field[1] !== undefined,
  );
  if (reply.responseMode === "form_post") {
    return { kind: "page", page: formPostPage(reply.redirectUri, fields) };
  }
  const encoded = new URLSearchParams(fields).toString();
  return { kind: "redirect", location: withParameters(reply.redirectUri, encoded, reply.responseMode) };
}

function withParameters(redirectUri: string, encoded: string, mode: "query" | "fragment"): string {
  // An address without a path gets one: `https://app.example` is answered at `https://app.example/`.
  const url = /^https?:\/\/[^/?]+$/i.test(redirectUri) ? `${redirectUri}/` : redirectUri;
  if (mode === "fragment") {
    return `${url}#${encoded}`;
  }
  return url + (url.includes("?") ? "&" : "?") + encoded;
}
