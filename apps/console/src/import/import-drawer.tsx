import { type JSX } from "preact";
export function ImportDrawer(): JSX.Element {
  return <p>…</p>;
}
