import { type Exchange } from "./exchange.ts";
import { redirectToSlash } from "../rest/service-root.ts";
import { type Route } from "./routes.ts";

/**
 * `/browser/`: a page to type statements into, which needs nothing but this server. It asks for the password itself and
 * keeps it in the page only.
 */
export function consolePage(): readonly Route[] {
  const handle = (exchange: Exchange): void => {
    if (!redirectToSlash(exchange)) {
      void exchange.reply
        .headers({
          "content-type": "text/html",
          "cache-control": "no-cache",
          "content-security-policy":
            "default-src 'none'; style-src 'unsafe-inline'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
          "x-content-type-options": "nosniff",
        })
        .send(Buffer.from(PAGE));
    }
  };
  const script = (exchange: Exchange): void => {
    void exchange.reply
      .headers({ "content-type": "text/javascript; charset=utf-8", "cache-control": "no-cache" })
      .send(Buffer.from(SCRIPT));
  };
  return [
    { method: "GET", path: "/browser/", handle },
    // The model server's static files answer every method alike.
    { method: "POST", path: "/browser/", handle },
    { method: "GET", path: "/browser/console.js", handle: script },
  ];
}

const PAGE = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Graph console</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; color: #1b1f24; }
textarea { width: 100%; box-sizing: border-box; font: 15px/1.5 ui-monospace, monospace; padding: .5rem; }
table { border-collapse: collapse; margin-top: 1rem; }
th, td { border: 1px solid #c5cbd3; padding: .25rem .6rem; text-align: left; vertical-align: top; font-family: ui-monospace, monospace; }
.error { color: #a40e26; white-space: pre-wrap; font-family: ui-monospace, monospace; }
label { margin-right: 1rem; }
</style>
</head>
<body>
<h1>Graph console</h1>
<form id="console">
<p><label>User <input id="user" autocomplete="username" value="neo4j"></label>
<label>Password <input id="password" type="password" autocomplete="current-password"></label></p>
<p><label for="statement">Statement (Ctrl-Enter runs it)</label>
<textarea id="statement" rows="4" spellcheck="false">MATCH (n) RETURN n LIMIT 25</textarea></p>
<p><button>Run</button> <span id="summary" role="status"></span></p>
</form>
<div id="answer" aria-live="polite"></div>
<script src="/browser/console.js"></script>
</body>
</html>
`;

const SCRIPT = `"use strict";
const byId = (id) => document.getElementById(id);
const element = (name, text) => Object.assign(document.createElement(name), { textContent: text });

async function run() {
  const headers = { "Content-Type": "application/json", Accept: "application/json" };
  if (byId("password").value !== "") {
    const bytes = new TextEncoder().encode(byId("user").value + ":" + byId("password").value);
    headers.Authorization = "Basic " + btoa(String.fromCharCode(...bytes));
  }
  const statements = [{ statement: byId("statement").value, includeStats: true }];
  const response = await fetch("/db/data/transaction/commit", { method: "POST", headers, body: JSON.stringify({ statements }) });
  const { results = [], errors = [] } = await response.json();
  byId("answer").replaceChildren(...errors.map(errorOf), ...results.map(tableOf));
  const rows = results.reduce((sum, { data }) => sum + data.length, 0);
  byId("summary").textContent = errors.length > 0 ? "Failed" : rows + (rows === 1 ? " row" : " rows");
}

function errorOf({ code, message }) {
  return Object.assign(element("p", code + "\\n" + message), { className: "error" });
}

function tableOf({ columns, data }) {
  const table = document.createElement("table");
  const rowOf = (cells, kind) => {
    const row = document.createElement("tr");
    row.append(...cells.map((cell) => element(kind, cell)));
    return row;
  };
  table.append(rowOf(columns, "th"), ...data.map(({ row }) => rowOf(row.map((value) => JSON.stringify(value)), "td")));
  return table;
}

byId("console").addEventListener("submit", (event) => {
  event.preventDefault();
  run().catch((error) => byId("answer").replaceChildren(errorOf({ code: "No answer", message: String(error) })));
});
byId("statement").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.ctrlKey) {
    event.preventDefault();
    byId("console").requestSubmit();
  }
});
`;
