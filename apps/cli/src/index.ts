export { createProgram, runCommandLine } from "./program.ts";
