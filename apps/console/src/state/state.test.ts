import { describe, expect, it } from "vitest";
import { Frames } from "./frames.ts";
import { InputHistory } from "./input-history.ts";
import { changeSetting, DEFAULT_SETTINGS, readSettings } from "./settings.ts";
import { type KeptTexts, storedSignal } from "./stored-signal.ts";

function inMemory(): KeptTexts & { readonly texts: Map<string, string> } {
  const texts = new Map<string, string>();
  return { texts, getItem: (key) => texts.get(key) ?? null, setItem: (key, text) => void texts.set(key, text) };
}

describe("frames", () => {
  const notice = { kind: "notice", title: "", text: "" } as const;

  it("are newest first, pinned ones above, and old ones go", () => {
    const frames = new Frames(() => 3);
    const first = frames.add("1", notice);
    frames.togglePin(first);
    ["2", "3", "4", "5"].forEach((command) => frames.add(command, notice));
    expect(frames.list.value.map(({ command }) => command)).toEqual(["1", "5", "4", "3"]);
  });

  it("take their statements along when they go", () => {
    const frames = new Frames(() => 10);
    let isCancelled = false;
    const cancel = (): void => {
      isCancelled = true;
    };
    frames.remove(frames.add("slow", { kind: "running", cancel }));
    expect(isCancelled).toBe(true);
  });
});

describe("history", () => {
  it("goes back, forth, and comes back to the draft", () => {
    const history = new InputHistory(inMemory());
    ["one", "two", "two"].forEach((text) => history.add(text));
    expect(history.entries.value).toEqual(["two", "one"]);
    expect([history.findOlder("draft"), history.findOlder("two"), history.findOlder("one")]).toEqual([
      "two",
      "one",
      undefined,
    ]);
    expect([history.findNewer(), history.findNewer(), history.findNewer()]).toEqual(["two", "draft", undefined]);
  });
});

describe("settings", () => {
  it("take what fits and nothing else", () => {
    expect(changeSetting(DEFAULT_SETTINGS, "theme", "dark")?.theme).toBe("dark");
    for (const [name, value] of [
      ["theme", "pink"],
      ["maxFrames", 0],
      ["maxFrames", 1.5],
      ["connectNodes", "yes"],
      ["nothing", 1],
    ] as const) {
      expect(changeSetting(DEFAULT_SETTINGS, name, value)).toBeUndefined();
    }
  });

  it("outlive another version of the console", () => {
    expect(readSettings({ theme: "dark", gone: 1, maxFrames: "many" })).toEqual({ ...DEFAULT_SETTINGS, theme: "dark" });
    expect(readSettings("nonsense")).toBeUndefined();
  });
});

describe("storedSignal", () => {
  it("keeps what is set, and reads what was kept", () => {
    const kept = inMemory();
    storedSignal(kept, "key", 1, (value) => value as number).value = 2;
    expect(storedSignal(kept, "key", 1, (value) => value as number).value).toBe(2);
    kept.texts.set("key", "not JSON");
    expect(storedSignal(kept, "key", 1, (value) => value as number).value).toBe(1);
  });
});
