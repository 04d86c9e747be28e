import { type JSX } from "preact";
import { useState } from "preact/hooks";
import { execute } from "../commands/execute.ts";
import { Button } from "../design/button.tsx";
import { Icon } from "../design/icon.tsx";
import { type Guide } from "../guides/guide.ts";
import { useApplication } from "../state/application.ts";
import { RichText } from "./rich-text.tsx";
import { StatementBlock } from "./statement-block.tsx";

/** A guide, one page at a time. */
export function GuideView({ guide }: { readonly guide: Guide }): JSX.Element {
  const application = useApplication();
  const [index, setIndex] = useState(0);
  const page = guide.pages[index];
  const last = guide.pages.length - 1;
  return (
    <div class="guide">
      {last === 0 ? null : (
        <p class="guide-name muted">
          {guide.title} · {index + 1} of {guide.pages.length}
        </p>
      )}
      <h2>{page?.title}</h2>
      <div class="guide-parts">
        {page?.parts.map((part, at) =>
          part.kind === "text" ? (
            <p key={at}>
              <RichText text={part.text} />
            </p>
          ) : part.kind === "statement" ? (
            <StatementBlock key={at} statement={part.statement} note={part.note} />
          ) : (
            <button
              key={at}
              type="button"
              class="guide-card"
              onClick={() => void execute(application, `:play ${part.guide}`)}
            >
              <Icon name="book" size={20} />
              <strong>{part.title}</strong>
              <span class="muted">{part.summary}</span>
            </button>
          ),
        )}
      </div>
      {last === 0 ? null : (
        <div class="row guide-nav" role="group" aria-label="Pages of the guide">
          <Button icon="left" isDisabled={index === 0} onClick={() => setIndex(index - 1)}>
            Back
          </Button>
          <div class="guide-dots" aria-hidden="true">
            {guide.pages.map((each, at) => (
              <span key={each.title} class={at === index ? "guide-dot guide-dot-here" : "guide-dot"} />
            ))}
          </div>
          <Button kind="primary" icon="right" isDisabled={index === last} onClick={() => setIndex(index + 1)}>
            Next
          </Button>
        </div>
      )}
    </div>
  );
}
