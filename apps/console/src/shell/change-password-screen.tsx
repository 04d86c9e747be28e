import { type JSX } from "preact";
import { useState } from "preact/hooks";
import { Button } from "../design/button.tsx";
import { TextField } from "../design/field.tsx";
import { TrefoilMark } from "../design/icon.tsx";
import { useApplication } from "../state/application.ts";

/** An account's first password is good for nothing but being changed (graph-http §3). */
export function ChangePasswordScreen({ user }: { readonly user: string }): JSX.Element {
  return (
    <main class="entry">
      <section class="card entry-card">
        <header class="entry-head">
          <TrefoilMark size={44} />
          <div>
            <h1>Choose a new password</h1>
            <p class="muted">The first one was only for getting here.</p>
          </div>
        </header>
        <ChangePasswordForm user={user} asksForPresent={false} />
      </section>
    </main>
  );
}

export interface ChangePasswordFormProps {
  readonly user: string;
  readonly asksForPresent: boolean;
  readonly onChanged?: () => void;
}

export function ChangePasswordForm({ user, asksForPresent, onChanged }: ChangePasswordFormProps): JSX.Element {
  const { session } = useApplication();
  const [present, setPresent] = useState("");
  const [password, setPassword] = useState("");
  const [repeated, setRepeated] = useState("");
  const [refusal, setRefusal] = useState<string | undefined>(undefined);
  const submit = async (): Promise<void> => {
    if (password !== repeated) {
      setRefusal("The two passwords are not the same.");
      return;
    }
    try {
      const refused = await session.changePassword(user, asksForPresent ? present : undefined, password);
      setRefusal(refused);
      if (refused === undefined) {
        onChanged?.();
      }
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <form
      class="column"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <div role="alert">{refusal === undefined ? null : <p class="banner banner-danger">{refusal}</p>}</div>
      <input type="text" hidden readonly value={user} autocomplete="username" aria-label="User" />
      {asksForPresent ? (
        <TextField
          label="Present password"
          type="password"
          value={present}
          onChange={setPresent}
          autoComplete="current-password"
        />
      ) : null}
      <TextField
        label="New password"
        type="password"
        value={password}
        onChange={setPassword}
        autoComplete="new-password"
        hasFocus={!asksForPresent}
      />
      <TextField
        label="New password, once more"
        type="password"
        value={repeated}
        onChange={setRepeated}
        autoComplete="new-password"
      />
      <Button kind="primary" type="submit" icon="lock" isDisabled={password === ""}>
        Change password
      </Button>
    </form>
  );
}
