import { type SecretBox } from "../accounts/account-directory.ts";

/** Seals nothing, but refuses to open under another context, as the real one does. */
export const plainSecrets: SecretBox = {
  seal: (plaintext, context) => Buffer.from(`${context}\n${Buffer.from(plaintext).toString("base64")}`),
  open: (sealed, context) => {
    const [sealedFor, text = ""] = Buffer.from(sealed).toString().split("\n");
    if (sealedFor !== context) {
      throw new Error("sealed for something else");
    }
    return Buffer.from(text, "base64");
  },
};
