import { type JSX } from "preact";
import { IconButton } from "../design/button.tsx";
import { useApplication } from "../state/application.ts";

/** The parameters that statements are sent with. */
export function ParametersView(): JSX.Element {
  const { parameters } = useApplication();
  const all = [...parameters.all.value];
  return (
    <div class="frame-pad column">
      <p class="muted">
        A statement uses them as <code>$name</code> or <code>{"{name}"}</code>. They last until this page is closed.
      </p>
      {all.length === 0 ? (
        <p>
          None. <code>:param name =&gt; 'Ada'</code> makes one.
        </p>
      ) : (
        <table class="data-table">
          <caption class="visually-hidden">Parameters</caption>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Value</th>
              <th scope="col">
                <span class="visually-hidden">Remove</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {all.map(([name, json]) => (
              <tr key={name}>
                <td>
                  <code>{name}</code>
                </td>
                <td>
                  <code>{json}</code>
                </td>
                <td>
                  <IconButton icon="trash" label={`Remove ${name}`} onClick={() => parameters.remove(name)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}
