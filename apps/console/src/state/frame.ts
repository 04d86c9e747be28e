import { type Signal } from "@preact/signals";
import { type Guide } from "../guides/guide.ts";
import { type StatementAnswer } from "../server/run-statement.ts";
import { type StatementError } from "../server/server-error.ts";

/** What one frame of the stream shows. */
export type FrameContent =
  | { readonly kind: "running"; readonly cancel: () => void; readonly progress?: string }
  | { readonly kind: "result"; readonly answer: StatementAnswer; readonly statement: string }
  | { readonly kind: "errors"; readonly errors: readonly StatementError[]; readonly statement: string }
  | { readonly kind: "notice"; readonly title: string; readonly text: string }
  | { readonly kind: "guide"; readonly guide: Guide }
  | { readonly kind: "help"; readonly topic: string }
  | { readonly kind: "schema"; readonly tables: readonly TextTable[] }
  | { readonly kind: "system"; readonly tables: readonly TextTable[] }
  | { readonly kind: "queries" }
  | {
      readonly kind: "request";
      readonly line: string;
      readonly status: number;
      readonly headers: string;
      readonly body: string;
    }
  | { readonly kind: "history" }
  | { readonly kind: "parameters" }
  | { readonly kind: "settings" }
  | { readonly kind: "styles" };

/** A small table of texts under a heading. */
export interface TextTable {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Said in place of a table without rows. */
  readonly whenEmpty: string;
}

export interface Frame {
  readonly id: number;
  /** What was typed. */
  readonly command: string;
  readonly content: Signal<FrameContent>;
  readonly isPinned: Signal<boolean>;
  readonly isCollapsed: Signal<boolean>;
}
