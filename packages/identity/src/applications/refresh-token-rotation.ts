import { type AuthenticatedClient } from "./authenticate-client.ts";

/** Whether a client's refresh tokens are good for one exchange. (rulings, Identity 3) */
export function rotatesRefreshTokens({ application, authentication }: AuthenticatedClient): boolean {
  const { refreshTokenRotation } = application.document;
  return refreshTokenRotation === "always" || (refreshTokenRotation === "public" && authentication === "none");
}
