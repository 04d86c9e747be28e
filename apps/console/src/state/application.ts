import { signal, type Signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { GraphServer } from "../server/graph-server.ts";
import { GraphStyles } from "../graph/graph-styles.ts";
import { CatalogueState } from "./catalogue-state.ts";
import { Favourites } from "./favourites.ts";
import { Frames } from "./frames.ts";
import { InputHistory } from "./input-history.ts";
import { Parameters } from "./parameters.ts";
import { Session, type TabStorage } from "./session.ts";
import { DEFAULT_SETTINGS, readSettings, type Settings } from "./settings.ts";
import { type KeptTexts, storedSignal } from "./stored-signal.ts";

export type DrawerName = "database" | "favourites" | "guides" | "import" | "settings";

/** Text in the editor, and what others ask of it. */
export interface EditorHandle {
  readonly text: Signal<string>;
  /** Set by the editor while it is there. */
  focus: () => void;
}

/** Everything the parts of the console share. */
export interface Application {
  readonly server: GraphServer;
  readonly session: Session;
  readonly settings: Signal<Settings>;
  readonly frames: Frames;
  readonly history: InputHistory;
  readonly favourites: Favourites;
  readonly parameters: Parameters;
  readonly catalogue: CatalogueState;
  readonly styles: GraphStyles;
  readonly editor: EditorHandle;
  readonly drawer: Signal<DrawerName | undefined>;
  /** Said to screen readers, and shown for a moment. */
  readonly announcement: Signal<string>;
  /** A file that was dropped, for the import. */
  readonly droppedFile: Signal<File | undefined>;
}

export function createApplication(kept: KeptTexts, tab: TabStorage): Application {
  const server = new GraphServer();
  const settings = storedSignal<Settings>(kept, "trefoil.graph.settings", DEFAULT_SETTINGS, readSettings);
  return {
    server,
    session: new Session(server, tab),
    settings,
    frames: new Frames(() => settings.value.maxFrames),
    history: new InputHistory(kept),
    favourites: new Favourites(kept),
    parameters: new Parameters(),
    catalogue: new CatalogueState(server),
    styles: new GraphStyles(kept),
    editor: { text: signal(""), focus: () => undefined },
    drawer: signal<DrawerName | undefined>(undefined),
    announcement: signal(""),
    droppedFile: signal<File | undefined>(undefined),
  };
}

export const ApplicationContext = createContext<Application | undefined>(undefined);

export function useApplication(): Application {
  const application = useContext(ApplicationContext);
  if (application === undefined) {
    throw new Error("A part of the console stands outside of it");
  }
  return application;
}
