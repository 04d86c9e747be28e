import { ManagementError } from "../protocol/management-error.ts";

/** Length is what counts (NIST SP 800-63B §5.1.1.2); no rules about kinds of characters. */
const SHORTEST = 8;
/** Bounds the work of hashing. */
const LONGEST = 256;

/** @throws ManagementError when it is too short or too long to be a password */
export function checkNewPassword(password: string): void {
  const { length } = password;
  if (length < SHORTEST || length > LONGEST) {
    throw new ManagementError("Request_BadRequest", `A password has ${SHORTEST} to ${LONGEST} characters`);
  }
}
