import { type MenuItem } from "../design/menu.tsx";
import { cypherScript } from "../export/cypher-script.ts";
import { csvText, jsonText } from "../export/result-files.ts";
import { saveBlob, saveText } from "../export/save-file.ts";
import { type PictureExport } from "../graph/picture-export.ts";
import { type StatementAnswer } from "../server/run-statement.ts";

/** The files a result can be saved as; pictures only while the graph is shown. */
export function exportItems(answer: StatementAnswer, picture: () => PictureExport | undefined): readonly MenuItem[] {
  const items: MenuItem[] = [
    { text: "CSV", icon: "table", onSelect: () => saveText("result.csv", csvText(answer), "text/csv") },
    { text: "JSON", icon: "code", onSelect: () => saveText("result.json", jsonText(answer), "application/json") },
  ];
  if (answer.nodes.length === 0) {
    return items;
  }
  return [
    ...items,
    {
      text: "Cypher script",
      icon: "text",
      onSelect: () => {
        const shown = picture()?.entities() ?? answer;
        saveText("graph.cypher", cypherScript(shown.nodes, shown.relationships));
      },
    },
    {
      text: "PNG picture",
      icon: "graph",
      onSelect: () =>
        void picture()
          ?.png()
          .then((blob) => saveBlob("graph.png", blob)),
    },
    {
      text: "SVG picture",
      icon: "graph",
      onSelect: () => {
        const svg = picture()?.svg();
        if (svg !== undefined) {
          saveText("graph.svg", svg, "image/svg+xml");
        }
      },
    },
  ];
}
