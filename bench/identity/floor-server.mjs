/**
 * What the machine could do at best: Fastify with one route each for a form that is parsed and answered, the same with
 * one RS256 signature on the thread pool, a prepared document, and one password hash. Prints its port.
 *
 * Input, as JSON in the first argument: `{privateKeyPem, documentBytes, password: {memoryKib, iterations}}`.
 */
import { createPrivateKey, sign } from "node:crypto";
import { promisify } from "node:util";
import { hash, verify } from "@node-rs/argon2";
import fastify from "fastify";

const { privateKeyPem, documentBytes, password } = JSON.parse(process.argv[2]);
const signText = promisify(sign);
const key = createPrivateKey(privateKeyPem);
const app = fastify();
app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, body, done) => {
  done(null, Object.fromEntries(new URLSearchParams(body)));
});

app.post("/form", (request, reply) => reply.send(answer(request.body, "x".repeat(1000))));
app.post("/signature", async (request, reply) => {
  const text = `eyJhbGciOiJSUzI1NiJ9.${Buffer.from(JSON.stringify(request.body)).toString("base64url")}`;
  const signature = await signText("sha256", Buffer.from(text), key);
  return reply.send(answer(request.body, `${text}.${signature.toString("base64url")}`));
});
const document = Buffer.alloc(documentBytes, "a");
app.get("/document", (_request, reply) => reply.type("application/json; charset=utf-8").send(document));
const known = await hash("a password", {
  memoryCost: password.memoryKib,
  timeCost: password.iterations,
  parallelism: 1,
});
app.post("/password", async (request, reply) => {
  const isRight = await verify(known, "a password");
  return reply.send({ ...answer(request.body, ""), isRight });
});

await app.listen({ port: 0, host: "127.0.0.1" });
process.stdout.write(`${JSON.stringify({ port: app.server.address().port })}\n`);

function answer(form, token) {
  return { token_type: "Bearer", expires_in: 3599, access_token: token, client: form.client_id };
}
