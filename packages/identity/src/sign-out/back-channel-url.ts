import { type Application } from "../applications/application.ts";
import { isSecureRedirectUri } from "../applications/redirect-uri.ts";

/** The member of the manifest that holds it. (decisions/0026) */
const MEMBER = "backChannelLogoutUrl";
const LENGTH_LIMIT = 2_000;

/** Where an application wants to be told that a session has ended; undefined unless it is a safe absolute address. */
export function findBackChannelUrl({ document }: Application): string | undefined {
  const value = document.otherManifestMembers[MEMBER];
  if (typeof value !== "string" || value.length > LENGTH_LIMIT || !URL.canParse(value)) {
    return undefined;
  }
  const url = new URL(value);
  const isHttp = url.protocol === "https:" || url.protocol === "http:";
  return isHttp && isSecureRedirectUri(url) && url.hash === "" && url.username === "" ? url.href : undefined;
}
