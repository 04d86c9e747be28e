import { basicAuthorization, type GraphServer } from "./graph-server.ts";
import { parseObject } from "./read-answer.ts";
import { errorsOfAnswer } from "./server-error.ts";

/** What came of an attempt to sign in. */
export type SignInOutcome =
  | { readonly kind: "signed in" }
  | { readonly kind: "password change required" }
  | { readonly kind: "refused"; readonly message: string };

/** Tries credentials; those that are good, or good for a change of the password, stay with `server`. */
export async function signIn(server: GraphServer, user: string, password: string): Promise<SignInOutcome> {
  const before = server.authorization;
  server.authorization = undefined;
  const candidate = basicAuthorization(user, password);
  server.authorization = candidate;
  const silenced = server.onUnauthorized;
  server.onUnauthorized = () => undefined;
  try {
    const answer = await server.send(userPath(user));
    if (answer.status !== 200) {
      server.authorization = before;
      return { kind: "refused", message: errorsOfAnswer(answer)[0]?.message ?? "" };
    }
    const mustChange = parseObject(answer.text).get("password_change_required") === true;
    return { kind: mustChange ? "password change required" : "signed in" };
  } catch (error) {
    server.authorization = before;
    throw error;
  } finally {
    server.onUnauthorized = silenced;
  }
}

/** Changes the password of whoever is signed in, and goes on with the new one; the message of a refusal otherwise. */
export async function changePassword(server: GraphServer, user: string, password: string): Promise<string | undefined> {
  const answer = await server.send(`${userPath(user)}/password`, {
    method: "POST",
    body: JSON.stringify({ password }),
  });
  if (answer.status !== 200) {
    return errorsOfAnswer(answer)[0]?.message ?? "";
  }
  server.authorization = basicAuthorization(user, password);
  return undefined;
}

function userPath(user: string): string {
  return `/user/${encodeURIComponent(user)}`;
}
