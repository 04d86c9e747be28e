import { randomBytes } from "node:crypto";
import { answerNotFound, type Exchange } from "../protocol/exchange.ts";
import { type Route, staticRoutes } from "../protocol/routes.ts";
import { chooseEncoding } from "./choose-encoding.ts";
import { type ConsoleFile, ConsoleFiles } from "./console-files.ts";
import { contentSecurityPolicy, SECURITY_HEADERS } from "./security-headers.ts";

/** What the console must know of its server before anyone has signed in. */
export interface ConsoleSettings {
  /** The language of statements that don't choose one: `modern` or `2.3`. */
  readonly languageMode: string;
  readonly asksForCredentials: boolean;
  readonly reportedVersion: string;
}

/**
 * `/browser/`: the console, from the folder it was built into. Its page is asked for anew each time and carries a fresh
 * nonce for the styles that the editor adds; everything else has its content's hash in its name and is kept for good.
 *
 * @param directory  absolute path of the built console; undefined: a page that says how to build it
 */
export function consoleRoutes(directory: string | undefined, settings: ConsoleSettings): readonly Route[] {
  const files = new ConsoleFiles(directory);
  const page = (exchange: Exchange): Promise<void> => sendPage(exchange, files);
  return staticRoutes({
    "/browser/": page,
    "/browser/index.html": page,
    "/browser/settings.json": ({ reply }) => {
      void reply
        .headers({ ...SECURITY_HEADERS, "content-type": "application/json", "cache-control": "no-cache" })
        .send(Buffer.from(JSON.stringify(settings)));
    },
    "/browser/*": (exchange) => sendFile(exchange, files),
  });
}

/** Stands in the built page where each answer's nonce goes. */
const NONCE_PLACEHOLDER = "__style-nonce__";

async function sendPage({ reply }: Exchange, files: ConsoleFiles): Promise<void> {
  const page = (await files.find("index.html"))?.bytes.toString("utf8") ?? UNBUILT_PAGE;
  const nonce = randomBytes(16).toString("base64");
  void reply
    .headers({
      ...SECURITY_HEADERS,
      "content-type": "text/html",
      "cache-control": "no-cache",
      "content-security-policy": contentSecurityPolicy(nonce),
    })
    .send(Buffer.from(page.replaceAll(NONCE_PLACEHOLDER, nonce)));
}

async function sendFile({ request, reply, parameters }: Exchange, files: ConsoleFiles): Promise<void> {
  const file = await files.find(parameters["*"] ?? "");
  if (file === undefined) {
    answerNotFound(reply);
    return;
  }
  const encoding = file.isCompressible ? chooseEncoding(request.headers["accept-encoding"]) : "identity";
  void reply
    .headers({
      ...SECURITY_HEADERS,
      "content-type": file.contentType,
      "cache-control": cacheControlOf(file),
      ...(file.isCompressible ? { vary: "Accept-Encoding" } : {}),
      ...(encoding === "identity" ? {} : { "content-encoding": encoding }),
    })
    .send(await files.encoded(file, encoding));
}

function cacheControlOf(file: ConsoleFile): string {
  return file.isImmutable ? "public, max-age=31536000, immutable" : "no-cache";
}

const UNBUILT_PAGE = `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Graph console</title></head>
<body>
<h1>The console is not built</h1>
<p>Run <code>npm run build</code> and start the server again. The graph itself answers at <a href="/db/data/">/db/data/</a>.</p>
</body>
</html>
`;
