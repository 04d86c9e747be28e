import { type JSX } from "preact";
import { useCallback, useEffect, useState } from "preact/hooks";
import { Button } from "../design/button.tsx";
import { endTransaction, type OpenTransaction, readTransactions } from "../server/transactions.ts";
import { useApplication } from "../state/application.ts";

const PERIOD_MS = 3000;

/** Open transactions, kept fresh while the frame is there; each can be ended. */
export function QueriesView(): JSX.Element {
  const { server } = useApplication();
  const [transactions, setTransactions] = useState<readonly OpenTransaction[]>([]);
  const [refusal, setRefusal] = useState<string | undefined>(undefined);
  const refresh = useCallback(async () => {
    try {
      setTransactions(await readTransactions(server));
      setRefusal(undefined);
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : String(error));
    }
  }, [server]);
  useEffect(() => {
    void refresh();
    const timer = setInterval(() => void refresh(), PERIOD_MS);
    return () => clearInterval(timer);
  }, [refresh]);
  if (refusal !== undefined) {
    return <p class="frame-pad banner banner-danger">{refusal}</p>;
  }
  return (
    <div class="frame-pad">
      {transactions.length === 0 ? <p class="muted">No open transactions.</p> : null}
      <table class="data-table" hidden={transactions.length === 0}>
        <caption class="visually-hidden">Open transactions</caption>
        <thead>
          <tr>
            {["Id", "User", "State", "Statement", "Since", "End"].map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {transactions.map(({ id, user, state, statement, startedAt }) => (
            <tr key={id}>
              <td>{id}</td>
              <td>{user}</td>
              <td>{state}</td>
              <td>
                <code>{statement}</code>
              </td>
              <td>{startedAt}</td>
              <td>
                <Button kind="danger" onClick={() => void endTransaction(server, id).then(refresh)}>
                  End {id}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
