import { type ApplicationDocument } from "./application.ts";

/** Whether an application's refresh tokens are good for one exchange. (rulings, Identity 3) */
export function rotatesRefreshTokens({ isPublic, refreshTokenRotation }: ApplicationDocument): boolean {
  return refreshTokenRotation === "always" || (refreshTokenRotation === "public" && isPublic);
}
