import { type JSX } from "preact";
import { useState } from "preact/hooks";
import { SettingsForm } from "./settings-form.tsx";
import { ChangePasswordForm } from "./change-password-screen.tsx";
import { useApplication } from "../state/application.ts";

export function SettingsDrawer(): JSX.Element {
  const { session } = useApplication();
  const [isChanged, setChanged] = useState(false);
  return (
    <div class="column drawer-sections">
      <SettingsForm />
      {session.user === undefined ? null : (
        <section class="column">
          <h3>Password of {session.user}</h3>
          {isChanged ? (
            <p class="banner" role="status">
              The new password is in force.
            </p>
          ) : (
            <ChangePasswordForm user={session.user} asksForPresent onChanged={() => setChanged(true)} />
          )}
        </section>
      )}
    </div>
  );
}
