import { render } from "preact";
import "./design/tokens.css";
import "./design/base.css";
import "./design/controls.css";
import "./shell/shell.css";
import { followTheme } from "./design/theme.ts";
import { Root } from "./shell/root.tsx";
import { ApplicationContext, createApplication } from "./state/application.ts";

const application = createApplication(localStorage, sessionStorage);
followTheme(() => application.settings.value.theme);
const place = document.getElementById("console");
if (place !== null) {
  render(
    <ApplicationContext.Provider value={application}>
      <Root />
    </ApplicationContext.Provider>,
    place,
  );
}
void application.session.start();
