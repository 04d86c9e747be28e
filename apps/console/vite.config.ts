import { defineConfig } from "vite";

/** Built into `dist`, served by the graph server at `/browser/`; `npm run dev -w @trefoil/console` beside a running one. */
export default defineConfig({
  base: "/browser/",
  // The parser is bundled from its source: the console builds whether or not the packages are built.
  resolve: { conditions: ["source", "module", "browser", "development|production"] },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2022",
    modulePreload: { polyfill: false },
    // Nothing inline: the content security policy allows what this server serves and no `data:` but pictures.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  worker: { format: "es" },
  server: {
    proxy: Object.fromEntries(
      ["/db", "/user", "/browser/settings.json"].map((path) => [path, "http://localhost:7474"]),
    ),
  },
});
