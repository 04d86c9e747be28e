import { type Operator } from "../logical-plan/operator.ts";
import { type Consume, type Generator } from "./generator.ts";
import { produceAggregation, produceDistinct } from "./produce-aggregation.ts";
import { produceGather } from "./produce-gather.ts";
import { produceProcedureCall } from "./produce-call.ts";
import { produceApply, produceForeach, produceMerge, produceOptional, produceUnion } from "./produce-inner.ts";
import { produceCountExpand } from "./produce-count-expand.ts";
import {
  produceExpand,
  produceProjectEndpoints,
  produceShortestPath,
  produceVariableLengthExpand,
} from "./produce-expand.ts";
import { produceJoin } from "./produce-join.ts";
import { produceLoadCsv } from "./produce-load-csv.ts";
import { produceEager, produceLimit, produceSkip, produceSort, produceTop } from "./produce-order.ts";
import { produceFilter, produceProjection, produceResults, produceUnwind } from "./produce-rows.ts";
import { produceIntersect } from "./produce-intersect.ts";
import { produceIndexSeek } from "./produce-index-seek.ts";
import { produceEntityByIdSeek, produceLabelScan, produceNodeScan, produceRelationshipScan } from "./produce-scan.ts";
import { produceCreate, produceDelete, produceSetProperties } from "./produce-updates.ts";

/**
 * Writes the code of an operator and all below it (produce) around the code that handles each of its rows (consume):
 * the whole plan becomes nested loops in one function (Neumann 2011).
 */
export function produce(operator: Operator, generator: Generator, consume: Consume): void {
  switch (operator.kind) {
    case "Argument":
      consume();
      break;
    case "AllNodesScan":
      produceNodeScan(operator, generator, consume);
      break;
    case "NodeByLabelScan":
      produceLabelScan(operator, generator, consume);
      break;
    case "NodeIndexSeek":
      produceIndexSeek(operator, generator, consume);
      break;
    case "AllRelationshipsScan":
      produceRelationshipScan(operator, generator, consume);
      break;
    case "EntityByIdSeek":
      produceEntityByIdSeek(operator, generator, consume);
      break;
    case "Expand":
      produceExpand(operator, generator, consume);
      break;
    case "ExpandIntersect":
      produceIntersect(operator, generator, consume);
      break;
    case "CountExpand":
      produceCountExpand(operator, generator, consume);
      break;
    case "VariableLengthExpand":
      produceVariableLengthExpand(operator, generator, consume);
      break;
    case "ProjectEndpoints":
      produceProjectEndpoints(operator, generator, consume);
      break;
    case "ShortestPath":
      produceShortestPath(operator, generator, consume);
      break;
    case "Filter":
      produceFilter(operator, generator, consume);
      break;
    case "Projection":
      produceProjection(operator, generator, consume);
      break;
    case "Aggregation":
      produceAggregation(operator, generator, consume);
      break;
    case "Distinct":
      produceDistinct(operator, generator, consume);
      break;
    case "Sort":
      produceSort(operator, generator, consume);
      break;
    case "Top":
      produceTop(operator, generator, consume);
      break;
    case "Skip":
      produceSkip(operator, generator, consume);
      break;
    case "Limit":
      produceLimit(operator, generator, consume);
      break;
    case "Unwind":
      produceUnwind(operator, generator, consume);
      break;
    case "Union":
      produceUnion(operator, generator, consume);
      break;
    case "Join":
      produceJoin(operator, generator, consume);
      break;
    case "Optional":
      produceOptional(operator, generator, consume);
      break;
    case "Apply":
      produceApply(operator, generator, consume);
      break;
    case "Eager":
      produceEager(operator, generator, consume);
      break;
    case "Gather":
      produceGather(operator, generator, consume);
      break;
    case "Create":
      produceCreate(operator, generator, consume);
      break;
    case "Merge":
      produceMerge(operator, generator, consume);
      break;
    case "SetProperties":
      produceSetProperties(operator, generator, consume);
      break;
    case "Delete":
      produceDelete(operator, generator, consume);
      break;
    case "Foreach":
      produceForeach(operator, generator, consume);
      break;
    case "ProcedureCall":
      produceProcedureCall(operator, generator, consume);
      break;
    case "LoadCsv":
      produceLoadCsv(operator, generator, consume);
      break;
    case "ProduceResults":
      produceResults(operator, generator, consume);
      break;
    case "EmptyResult":
      generator.produce(operator.source, () => {});
      break;
  }
}
