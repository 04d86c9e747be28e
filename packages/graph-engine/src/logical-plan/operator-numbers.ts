import { type Operator } from "./operator.ts";
import { inputsOf } from "./operator-tree.ts";

/** Numbers the operators of a plan from 0, each before what is below it: how PROFILE's counts find their operator. */
export function numberOperators(plan: Operator): ReadonlyMap<Operator, number> {
  const numbers = new Map<Operator, number>();
  const visit = (operator: Operator): void => {
    numbers.set(operator, numbers.size);
    inputsOf(operator).forEach(visit);
  };
  visit(plan);
  return numbers;
}
