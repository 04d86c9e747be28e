import { type JSX } from "preact";
import { execute } from "../commands/execute.ts";
import { IconButton } from "../design/button.tsx";
import { inkOn } from "../graph/palette.ts";
import { type Catalogue } from "../server/catalogue.ts";
import { useApplication } from "../state/application.ts";
import { nameText } from "../values/value-text.ts";

const NUMBERS = new Intl.NumberFormat("en");

/** What is in the graph: labels, types and keys; a click asks for some of each. */
export function DatabaseDrawer(): JSX.Element {
  const application = useApplication();
  const { catalogue, styles, session } = application;
  const current = catalogue.current.value;
  const run = (statement: string): void => void execute(application, statement);
  return (
    <div class="column drawer-sections">
      <section class="column">
        <div class="row section-head">
          <h3>
            Labels <span class="muted count">{NUMBERS.format(current.nodeCount)} nodes</span>
          </h3>
          <IconButton icon="refresh" label="Count again" onClick={() => void catalogue.refresh()} />
        </div>
        <div class="chips">
          <button type="button" class="chip" onClick={() => run("MATCH (n) RETURN n LIMIT 25")}>
            any
          </button>
          {current.labels.map(({ name, count }) => {
            const { color } = styles.ofLabel(name);
            return (
              <button
                key={name}
                type="button"
                class="chip"
                style={{ background: color, color: inkOn(color) }}
                onClick={() => run(`MATCH (n:${nameText(name)}) RETURN n LIMIT 25`)}
              >
                {name} <span class="chip-count">{NUMBERS.format(count)}</span>
              </button>
            );
          })}
        </div>
      </section>
      <section class="column">
        <h3>
          Relationship types <span class="muted count">{NUMBERS.format(current.relationshipCount)} relationships</span>
        </h3>
        <div class="chips">
          <button type="button" class="chip chip-type" onClick={() => run("MATCH p=()-->() RETURN p LIMIT 25")}>
            any
          </button>
          {current.types.map(({ name, count }) => (
            <button
              key={name}
              type="button"
              class="chip chip-type"
              onClick={() => run(`MATCH p=()-[:${nameText(name)}]->() RETURN p LIMIT 25`)}
            >
              {name} <span class="chip-count">{NUMBERS.format(count)}</span>
            </button>
          ))}
        </div>
      </section>
      <PropertyKeys current={current} run={run} />
      <section class="column">
        <h3>Connection</h3>
        <dl class="facts">
          <dt>Server</dt>
          <dd>{location.host}</dd>
          <dt>Signed in</dt>
          <dd>{session.user ?? "authentication is off"}</dd>
          <dt>Answers as</dt>
          <dd>version {session.settings.value.version}</dd>
          <dt>Language</dt>
          <dd>{session.settings.value.mode}</dd>
        </dl>
        <div class="chips">
          {[":schema", ":sysinfo", ":queries"].map((command) => (
            <button key={command} type="button" class="chip" onClick={() => run(command)}>
              {command}
            </button>
          ))}
        </div>
      </section>
    </div>
  );
}

function PropertyKeys({
  current,
  run,
}: {
  readonly current: Catalogue;
  readonly run: (statement: string) => void;
}): JSX.Element {
  return (
    <section class="column">
      <h3>Property keys</h3>
      {current.propertyKeys.length === 0 ? <p class="muted">None yet.</p> : null}
      <div class="chips">
        {current.propertyKeys.map((key) => (
          <button
            key={key}
            type="button"
            class="chip chip-key"
            onClick={() =>
              run(
                `MATCH (n) WHERE n.${nameText(key)} IS NOT NULL\nRETURN DISTINCT n.${nameText(key)} AS ${nameText(key)} LIMIT 25`,
              )
            }
          >
            {key}
          </button>
        ))}
      </div>
    </section>
  );
}
