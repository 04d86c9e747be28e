import { type JSX } from "preact";
import { lazy, Suspense } from "preact/compat";
import { useEffect, useRef } from "preact/hooks";
import { IconButton } from "../design/button.tsx";
import { type DrawerName, useApplication } from "../state/application.ts";
import { DatabaseDrawer } from "./database-drawer.tsx";
import { FavouritesDrawer } from "./favourites-drawer.tsx";
import { GuidesDrawer } from "./guides-drawer.tsx";
import { SettingsDrawer } from "./settings-drawer.tsx";

const ImportDrawer = lazy(async () => ({ default: (await import("../import/import-drawer.tsx")).ImportDrawer }));

const DRAWERS: Readonly<Record<DrawerName, { readonly title: string; readonly content: () => JSX.Element }>> = {
  database: { title: "Database", content: () => <DatabaseDrawer /> },
  favourites: { title: "Favourites", content: () => <FavouritesDrawer /> },
  guides: { title: "Guides", content: () => <GuidesDrawer /> },
  import: { title: "Import", content: () => <ImportDrawer /> },
  settings: { title: "Settings", content: () => <SettingsDrawer /> },
};

/** The side bar that the rail opens; Escape closes it. */
export function Drawer(): JSX.Element | null {
  const { drawer } = useApplication();
  const name = drawer.value;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (name !== undefined) {
      heading.current?.focus();
    }
  }, [name]);
  if (name === undefined) {
    return <aside id="drawer" hidden aria-label="Side bar" />;
  }
  const { title, content } = DRAWERS[name];
  return (
    <aside
      id="drawer"
      class="drawer"
      aria-label={title}
      onKeyDown={(event) => {
        if (event.key === "Escape") {
          drawer.value = undefined;
        }
      }}
    >
      <header class="drawer-head">
        <h2 ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <IconButton
          icon="close"
          label="Close side bar"
          onClick={() => {
            drawer.value = undefined;
          }}
        />
      </header>
      <div class="drawer-content">
        <Suspense fallback={<div class="spinner" />}>{content()}</Suspense>
      </div>
    </aside>
  );
}
