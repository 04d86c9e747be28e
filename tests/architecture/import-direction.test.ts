import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { allowedImports, layers } from "./arrows.ts";
import { readSourceFiles, root, type SourceFile } from "./source-files.ts";

const files = readSourceFiles();
/** `@trefoil/server-process/exit-codes` → `server-process` */
const partOf = (specifier: string): string => specifier.split("/")[1] ?? "";
const isTest = (file: SourceFile): boolean => file.path.endsWith(".test.ts") || file.path.includes("/testing/");

describe("imports point one way", () => {
  test("there is something to check", () => {
    expect(files.length).toBeGreaterThan(20);
  });

  test("every part is in the table", () => {
    expect([...new Set(files.map((file) => file.part))].filter((part) => !(part in allowedImports))).toEqual([]);
  });

  test("no part imports a part that the table does not allow", () => {
    const wrong = files.flatMap((file) =>
      file.imports
        .filter((specifier) => specifier.startsWith("@trefoil/"))
        .map(partOf)
        .filter((target) => target !== "base" && !(allowedImports[file.part] ?? []).includes(target))
        .map((target) => `${file.path} imports @trefoil/${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test("relative imports stay inside their part", () => {
    const wrong = files.flatMap((file) => {
      const home = file.path.split("/").slice(0, 3).join("/");
      return file.imports
        .filter((specifier) => specifier.startsWith("."))
        .filter((specifier) => !path.posix.join(path.posix.dirname(file.path), specifier).startsWith(`${home}/`))
        .map((specifier) => `${file.path} imports ${specifier}`);
    });
    expect(wrong).toEqual([]);
  });

  test("folders of a layered package import only the layers below", () => {
    const wrong = files.flatMap((file) => {
      const order = layers[file.part];
      const [, , , folder = ""] = file.path.split("/");
      const own = order?.indexOf(folder) ?? -1;
      if (order === undefined || own < 0 || isTest(file)) {
        return [];
      }
      return file.imports
        .filter((specifier) => specifier.startsWith("."))
        .map((specifier) => path.posix.join(path.posix.dirname(file.path), specifier).split("/")[3] ?? "")
        .filter((target) => order.indexOf(target) > own)
        .map((target) => `${file.path} imports ${target}/`);
    });
    expect(wrong).toEqual([]);
  });

  test("package.json names exactly the parts that are imported", () => {
    for (const part of Object.keys(allowedImports)) {
      const own = files.filter((file) => file.part === part);
      const [first] = own;
      if (first === undefined) {
        continue;
      }
      const folder = first.path.split("/").slice(0, 2).join("/");
      const manifest = JSON.parse(readFileSync(path.join(root, folder, "package.json"), "utf8")) as {
        dependencies?: Record<string, string>;
      };
      const declared = Object.keys(manifest.dependencies ?? {}).filter((name) => name.startsWith("@trefoil/"));
      const used = new Set(
        own.flatMap((file) =>
          file.imports
            .filter((specifier) => specifier.startsWith("@trefoil/"))
            .map((name) => `@trefoil/${partOf(name)}`),
        ),
      );
      expect(declared.toSorted(), folder).toEqual([...used].toSorted());
    }
  });
});

describe("libraries take their surroundings as arguments", () => {
  const libraries = files.filter((file) => file.path.startsWith("packages/") && !isTest(file));

  test("none reads the environment", () => {
    const wrong = libraries.filter((file) => /\bprocess\.env\b/.test(file.text) && file.part !== "server-process");
    expect(wrong.map((file) => file.path)).toEqual([]);
  });

  test("none prints", () => {
    expect(libraries.filter((file) => /\bconsole\.\w+\(/.test(file.text)).map((file) => file.path)).toEqual([]);
  });
});
