import type * as library from "../runtime/library.ts";

/** The name of a function that generated code can call. */
export type LibraryName = keyof typeof library;
