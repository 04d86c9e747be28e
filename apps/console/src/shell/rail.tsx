import { type JSX } from "preact";
import { Icon, type IconName, TrefoilMark } from "../design/icon.tsx";
import { type DrawerName, useApplication } from "../state/application.ts";

const ENTRIES: readonly { readonly name: DrawerName; readonly icon: IconName; readonly label: string }[] = [
  { name: "database", icon: "database", label: "Database" },
  { name: "favourites", icon: "star", label: "Favourites" },
  { name: "guides", icon: "book", label: "Guides" },
  { name: "import", icon: "upload", label: "Import" },
  { name: "settings", icon: "settings", label: "Settings" },
];

/** The column of icons beside everything; on small screens a row below. */
export function Rail(): JSX.Element {
  const { drawer, session } = useApplication();
  return (
    <nav class="rail" aria-label="Console">
      <span class="rail-mark">
        <TrefoilMark size={30} />
      </span>
      {ENTRIES.map(({ name, icon, label }) => (
        <button
          key={name}
          type="button"
          class="rail-button"
          aria-expanded={drawer.value === name}
          aria-controls="drawer"
          title={label}
          onClick={() => {
            drawer.value = drawer.value === name ? undefined : name;
          }}
        >
          <Icon name={icon} size={20} />
          <span class="rail-text">{label}</span>
        </button>
      ))}
      <span class="rail-space" />
      {session.user === undefined ? null : (
        <button type="button" class="rail-button" title={`Sign out ${session.user}`} onClick={() => session.signOut()}>
          <Icon name="exit" size={20} />
          <span class="rail-text">Sign out</span>
        </button>
      )}
    </nav>
  );
}
