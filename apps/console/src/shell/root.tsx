import { type JSX } from "preact";
import { lazy, Suspense } from "preact/compat";
import { useApplication } from "../state/application.ts";
import { ChangePasswordScreen } from "./change-password-screen.tsx";
import { SignInScreen } from "./sign-in-screen.tsx";
import { Waiting, UnreachableScreen } from "./waiting-screens.tsx";

/** The editor comes while the password is typed. */
const loading = import("./workspace.tsx");
const Workspace = lazy(() => loading.then(({ Workspace: component }) => ({ default: component })));

/** Which screen there is: by the state of the session alone. */
export function Root(): JSX.Element {
  const { session } = useApplication();
  const state = session.state.value;
  switch (state.kind) {
    case "starting":
      return <Waiting />;
    case "unreachable":
      return <UnreachableScreen />;
    case "signed out":
      return <SignInScreen message={state.message} />;
    case "password change required":
      return <ChangePasswordScreen user={state.user} />;
    case "ready":
      return (
        <Suspense fallback={<Waiting />}>
          <Workspace />
        </Suspense>
      );
  }
}
