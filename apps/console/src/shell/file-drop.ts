import { useEffect, useState } from "preact/hooks";
import { type Application } from "../state/application.ts";

/** Files dropped anywhere: scripts go into the editor, anything else to the import. True while one hovers. */
export function useFileDrop(application: Application): boolean {
  const [isDropping, setDropping] = useState(false);
  useEffect(() => {
    const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") === true;
    const over = (event: DragEvent): void => {
      if (hasFiles(event)) {
        event.preventDefault();
        setDropping(true);
      }
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) {
        setDropping(false);
      }
    };
    const drop = (event: DragEvent): void => {
      if (hasFiles(event)) {
        event.preventDefault();
        setDropping(false);
        const [file] = event.dataTransfer?.files ?? [];
        if (file !== undefined) {
          void take(application, file);
        }
      }
    };
    document.addEventListener("dragover", over);
    document.addEventListener("dragleave", leave);
    document.addEventListener("drop", drop);
    return () => {
      document.removeEventListener("dragover", over);
      document.removeEventListener("dragleave", leave);
      document.removeEventListener("drop", drop);
    };
  }, [application]);
  return isDropping;
}

const MAXIMUM_SCRIPT_BYTES = 1_000_000;

async function take(application: Application, file: File): Promise<void> {
  if (/\.(?:cypher|cql|cyp)$/i.test(file.name) && file.size <= MAXIMUM_SCRIPT_BYTES) {
    application.editor.text.value = await file.text();
    application.editor.focus();
  } else {
    application.droppedFile.value = file;
    application.drawer.value = "import";
  }
}
