// jose, as a resource server uses it: keys and issuer by discovery alone, then one verification per token.
import { createRemoteJWKSet, jwtVerify } from "jose";
import { answer, readInput } from "./exchange.mjs";

const { metadataUrls, tokens, audience } = await readInput();

const verdicts = [];
for (const metadataUrl of metadataUrls) {
  const metadata = await (await fetch(metadataUrl)).json();
  const keys = createRemoteJWKSet(new URL(metadata.jwks_uri));
  for (const token of tokens) {
    verdicts.push(
      await jwtVerify(token, keys, { issuer: metadata.issuer, audience, algorithms: ["RS256"] }).then(
        ({ payload }) => ({ metadataUrl, claims: payload }),
        (error) => ({ metadataUrl, error: error.code }),
      ),
    );
  }
}
answer(verdicts);
