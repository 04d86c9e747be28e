import { createHash } from "node:crypto";

/** A page of ours: whole HTML and the headers that fence it in. */
export interface Page {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** HTML text that is already safe: made by {@link html} only. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A template whose values are escaped, except parts made by it. */
export function html(parts: TemplateStringsArray, ...values: readonly (string | Html | readonly Html[])[]): Html {
  const rendered = values.map((value) => {
    if (typeof value === "string") {
      return escape(value);
    }
    return value instanceof Html ? value.text : value.map((each) => each.text).join("");
  });
  return new Html(parts.map((part, index) => part + (rendered[index] ?? "")).join(""));
}

export interface PageContent {
  readonly title: string;
  readonly body: Html;
  /** For tables: as wide as the window. Default: as a form likes it. */
  readonly isWide?: boolean | undefined;
  /** CSP sources that the page's form may lead to, redirects included. Default: nowhere. */
  readonly formTargets?: readonly string[] | undefined;
  /** CSP sources of hidden frames. Default: none. */
  readonly frameSources?: readonly string[] | undefined;
  /** Where the browser goes by itself after a moment. */
  readonly next?: string | undefined;
  /** The one script a page may have; everything works without it. */
  readonly script?: string | undefined;
}

/**
 * Puts a page together: no scripts but its own, no frame around it, kept by no cache, and no address in `Referer`.
 */
export function renderPage({
  title,
  body,
  isWide = false,
  formTargets = ["'none'"],
  frameSources = [],
  next,
  script,
}: PageContent): Page {
  const policy = [
    "default-src 'none'",
    `style-src ${sourceHash(STYLE)}`,
    ...(script === undefined ? [] : [`script-src ${sourceHash(script)}`]),
    ...(frameSources.length === 0 ? [] : [`frame-src ${frameSources.join(" ")}`]),
    "base-uri 'none'",
    `form-action ${formTargets.join(" ")}`,
    "frame-ancestors 'none'",
  ];
  return {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy.join("; "),
      "x-frame-options": "DENY",
      "cache-control": "no-store",
    },
    html: html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <title>${title}</title>
          ${next === undefined ? "" : html`<meta http-equiv="refresh" content="2;url=${next}" />`}
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          ${new Html(`<style>${STYLE}</style>`)}
        </head>
        <body>
          <main${isWide ? new Html(' class="wide"') : ""}>${body}</main>
          ${script === undefined ? "" : new Html(`<script>${script}</script>`)}
        </body>
      </html>`.text,
  };
}

/** Contrast of at least 4.5:1 in both schemes. */
const STYLE = `:root{color-scheme:light dark;--text:#1b1b1f;--soft:#55555f;--back:#f4f4f7;--card:#fff;--line:#8a8a94;--main:#0b57d0;--on-main:#fff;--bad:#b3261e}
@media(prefers-color-scheme:dark){:root{--text:#e6e6ea;--soft:#b0b0ba;--back:#131316;--card:#1f1f24;--line:#8a8a94;--main:#a8c7fa;--on-main:#062e6f;--bad:#f2b8b5}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--back);color:var(--text);font:1rem/1.5 system-ui,sans-serif}
main{width:min(26rem,100vw);padding:2rem;background:var(--card);border-radius:.75rem}
.wide{width:auto;max-width:60rem}
table{border-collapse:collapse;font-size:.875rem}th,td{padding:.4rem .75rem .4rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
h1{margin:0 0 .5rem;font-size:1.5rem}
p{margin:.25rem 0 1rem;color:var(--soft);overflow-wrap:anywhere}
label{display:block;margin:1rem 0 .25rem;font-weight:600}
input{width:100%;padding:.6rem;border:1px solid var(--line);border-radius:.4rem;background:var(--card);color:var(--text);font:inherit}
button{margin-top:1.5rem;width:100%;padding:.7rem;border:0;border-radius:.4rem;background:var(--main);color:var(--on-main);font:inherit;font-weight:600;cursor:pointer}
:focus-visible{outline:3px solid var(--main);outline-offset:2px}
.second{margin-top:.75rem;background:transparent;color:var(--main);border:1px solid var(--line)}
.choice{display:flex;gap:.6rem;align-items:center;margin:1rem 0 0}.choice input{width:auto}.choice label{margin:0;font-weight:400}
ul{padding-left:1.25rem}li{margin:.5rem 0}
[role=alert]{color:var(--bad);font-weight:600}
dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem;margin:1rem 0 0;font-size:.875rem}
dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}`;

function sourceHash(source: string): string {
  return `'sha256-${createHash("sha256").update(source, "utf8").digest("base64")}'`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? "");
}
