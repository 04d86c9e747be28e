import { defineConfig } from "vitest/config";

/** Tests run from the sources: `source` is the export condition every package of this workspace offers. */
const resolve = { conditions: ["source"] };
const ssr = { resolve: { conditions: ["source"], externalConditions: ["node"] } };

const project = (name: string, include: string[], more: object = {}): object => ({
  resolve,
  ssr,
  test: { name, include, pool: "forks", ...more },
});

export default defineConfig({
  test: {
    // One per core: much of the time goes into waiting for servers, the disk and other programs.
    maxWorkers: "100%",
    projects: [
      // What a generated test takes differs much between machines and neighbours: the limit is there for what hangs.
      project("unit", ["{packages,servers,apps}/*/src/**/*.test.ts"], { testTimeout: 30_000, hookTimeout: 30_000 }),
      project("architecture", ["tests/architecture/**/*.test.ts"]),
      project("conformance", ["tests/conformance/**/*.test.ts"], { testTimeout: 60_000, hookTimeout: 60_000 }),
      project("interop", ["tests/interop/**/*.test.ts"], { testTimeout: 60_000, hookTimeout: 60_000 }),
      project("security", ["tests/security/**/*.test.ts"], { testTimeout: 60_000, hookTimeout: 60_000 }),
      project("browser", ["tests/browser/**/*.test.ts"], { testTimeout: 60_000, hookTimeout: 60_000 }),
      project("isolation", ["tests/isolation/**/*.test.ts"], { testTimeout: 120_000 }),
      project("fuzz", ["tests/fuzz/**/*.test.ts"]),
      project("crash", ["tests/crash/**/*.test.ts"], { testTimeout: 300_000, hookTimeout: 60_000 }),
    ],
  },
});
