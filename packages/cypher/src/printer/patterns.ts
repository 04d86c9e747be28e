import { unreachable } from "@trefoil/base";
import {
  type NodePattern,
  type PathElement,
  type PathPattern,
  type PathSelector,
  type PatternPart,
  type Quantifier,
  type RelationshipPattern,
  type VariableLength,
} from "../ast/patterns.ts";
import { printLabels } from "./labels.ts";
import { printMap, printName, type Printing, words } from "./printing.ts";

export function printPatternPart(printing: Printing, part: PatternPart): string {
  const name = part.variable && `${printName(part.variable.name)} =`;
  const path = printPath(printing, part.path);
  if (part.selector?.kind === "ShortestPathFunction") {
    return words(name, `${part.selector.all ? "allShortestPaths" : "shortestPath"}(${path})`);
  }
  return words(name, part.selector && selector(printing, part.selector), path);
}

export function printPath(printing: Printing, path: PathPattern): string {
  return path.elements.map((element) => pathElement(printing, element)).join("");
}

function selector(printing: Printing, chosen: Exclude<PathSelector, { kind: "ShortestPathFunction" }>): string {
  switch (chosen.kind) {
    case "AllPaths":
      return "ALL PATHS";
    case "AllShortestPaths":
      return "ALL SHORTEST";
    case "AnyPaths":
      return words("ANY", chosen.count && printing.expression(chosen.count), "PATHS");
    case "ShortestPaths":
      return chosen.count === undefined ? "ANY SHORTEST" : `SHORTEST ${printing.expression(chosen.count)}`;
    case "ShortestGroups":
      return words("SHORTEST", chosen.count && printing.expression(chosen.count), "GROUPS");
    default:
      return unreachable(chosen);
  }
}

function pathElement(printing: Printing, element: PathElement): string {
  switch (element.kind) {
    case "NodePattern":
      return node(printing, element);
    case "RelationshipPattern":
      return relationship(printing, element);
    case "ParenthesizedPath": {
      const inside = words(
        element.variable && `${printName(element.variable.name)} =`,
        printPath(printing, element.path),
        element.where && `WHERE ${printing.expression(element.where)}`,
      );
      return `(${inside})${quantifier(element.quantifier)}`;
    }
    default:
      return unreachable(element);
  }
}

function node(printing: Printing, pattern: NodePattern): string {
  const name = pattern.variable === undefined ? "" : printName(pattern.variable.name);
  if (!pattern.parenthesized) {
    return name;
  }
  const labels = pattern.labels === undefined ? "" : `:${printLabels(printing, pattern.labels)}`;
  const inside = words(
    name + labels,
    pattern.properties && printMap(printing, pattern.properties),
    pattern.where && `WHERE ${printing.expression(pattern.where)}`,
  );
  return `(${inside})`;
}

function relationship(printing: Printing, pattern: RelationshipPattern): string {
  const name = pattern.variable === undefined ? "" : printName(pattern.variable.name);
  const types = pattern.types === undefined ? "" : `:${printLabels(printing, pattern.types)}`;
  const inside = words(
    name + types + (pattern.length === undefined ? "" : variableLength(pattern.length)),
    pattern.properties && printMap(printing, pattern.properties),
    pattern.where && `WHERE ${printing.expression(pattern.where)}`,
  );
  const left = pattern.direction === "incoming" || pattern.bothArrows ? "<-" : "-";
  const right = pattern.direction === "outgoing" || pattern.bothArrows ? "->" : "-";
  return left + (inside === "" ? "" : `[${inside}]`) + right + quantifier(pattern.quantifier);
}

function variableLength({ from, to }: VariableLength): string {
  if (from === undefined && to === undefined) {
    return "*";
  }
  return from !== undefined && from.value === to?.value
    ? `*${from.value}`
    : `*${from?.value ?? ""}..${to?.value ?? ""}`;
}

function quantifier(repetition: Quantifier | undefined): string {
  if (repetition === undefined) {
    return "";
  }
  const { from, to } = repetition;
  if (to === undefined && from < 2) {
    return from === 0 ? "*" : "+";
  }
  return from === to ? `{${from}}` : `{${from},${to ?? ""}}`;
}
