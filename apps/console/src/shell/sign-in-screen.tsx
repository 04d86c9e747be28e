import { type JSX } from "preact";
import { useState } from "preact/hooks";
import { Button } from "../design/button.tsx";
import { Checkbox, TextField } from "../design/field.tsx";
import { TrefoilMark } from "../design/icon.tsx";
import { UnreachableError } from "../server/graph-server.ts";
import { useApplication } from "../state/application.ts";

/** Name and password; they go to this server only, and stay in this page unless the user wants otherwise. */
export function SignInScreen({ message }: { readonly message?: string | undefined }): JSX.Element {
  const { session } = useApplication();
  const [user, setUser] = useState("neo4j");
  const [password, setPassword] = useState("");
  const [isKept, setKept] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState(message);
  const submit = async (): Promise<void> => {
    setBusy(true);
    try {
      const refused = await session.signIn(user, password, isKept);
      setRefusal(refused);
      if (refused !== undefined) {
        setPassword("");
      }
    } catch (error) {
      setRefusal(error instanceof UnreachableError ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <main class="entry">
      <form
        class="card entry-card"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <header class="entry-head">
          <TrefoilMark size={44} />
          <div>
            <h1>Trefoil Graph</h1>
            <p class="muted">Sign in to {location.host}</p>
          </div>
        </header>
        <div role="alert">{refusal === undefined ? null : <p class="banner banner-danger">{refusal}</p>}</div>
        <TextField label="User" value={user} onChange={setUser} autoComplete="username" />
        <TextField
          label="Password"
          type="password"
          value={password}
          onChange={setPassword}
          autoComplete="current-password"
          hasFocus
        />
        <Checkbox label="Stay signed in until this tab is closed" isChecked={isKept} onChange={setKept} />
        <Button kind="primary" type="submit" isDisabled={isBusy || user === ""}>
          {isBusy ? "Signing in …" : "Sign in"}
        </Button>
        <p class="field-hint">
          The first account is <code>neo4j</code>. Its first password is in <code>data/initial-credentials.json</code>.
        </p>
      </form>
    </main>
  );
}
