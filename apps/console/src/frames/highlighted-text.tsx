import { type JSX } from "preact";
import { tokenize } from "@trefoil/cypher";
import { useApplication } from "../state/application.ts";

const LONG = 4000;

/** A statement in the editor's colours; long ones are cut. */
export function HighlightedText({ text }: { readonly text: string }): JSX.Element {
  const { session } = useApplication();
  const shown = text.length > LONG ? `${text.slice(0, LONG)}\n…` : text;
  if (shown.startsWith(":")) {
    return <span class="tok-command">{shown}</span>;
  }
  const pieces: (string | JSX.Element)[] = [];
  let end = 0;
  for (const token of tokenize(shown, { mode: session.settings.value.mode })) {
    pieces.push(
      shown.slice(end, token.start),
      <span class={`tok-${token.category}`}>{shown.slice(token.start, token.end)}</span>,
    );
    end = token.end;
  }
  return (
    <>
      {pieces}
      {shown.slice(end)}
    </>
  );
}
