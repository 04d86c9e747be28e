import { type JSX } from "preact";
import { Fragment } from "preact";

/** Text in which `…` is code and *…* is stressed. */
export function RichText({ text }: { readonly text: string }): JSX.Element {
  const parts = text.split(/(`[^`]+`|\*[^*]+\*)/);
  return (
    <>
      {parts.map((part, index) => (
        <Fragment key={index}>
          {part.startsWith("`") && part.length > 2 ? (
            <code>{part.slice(1, -1)}</code>
          ) : part.startsWith("*") && part.length > 2 ? (
            <em>{part.slice(1, -1)}</em>
          ) : (
            part
          )}
        </Fragment>
      ))}
    </>
  );
}
