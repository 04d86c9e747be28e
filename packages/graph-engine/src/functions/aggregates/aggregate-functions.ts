import { type Mode } from "@trefoil/cypher";
import { must } from "@trefoil/base";
import { defineAggregate, LEGACY, MODERN } from "../define.ts";
import { type AggregateDefinition } from "../function-definition.ts";
import { namingArgumentOf } from "../argument-text.ts";
import { type Accumulator } from "./accumulator.ts";
import { Collect, Count } from "./count-collect.ts";
import { Extreme } from "./minimum-maximum.ts";
import { ContinuousPercentile, DiscretePercentile } from "./percentile.ts";
import { StandardDeviation } from "./standard-deviation.ts";
import { Average, Sum } from "./sum-average.ts";

/** Functions of a group of rows; all take DISTINCT. */
export const aggregateFunctions: readonly AggregateDefinition[] = [
  defineAggregate("count(value: any)", {
    returns: "integer",
    description: "how many values are not null",
    create: () => new Count(),
  }),
  defineAggregate("collect(value: any)", {
    returns: { listOfArgument: 0 },
    description: "all values that are not null, as a list",
    create: () => new Collect(),
  }),
  defineAggregate("sum(value: float | integer | duration)", {
    returns: { sameAs: 0 },
    modes: MODERN,
    description: "the sum",
    create: (mode) => new Sum(mode),
  }),
  defineAggregate("sum(value: float | integer)", {
    returns: { sameAs: 0 },
    modes: LEGACY,
    namesArgument: true,
    description: "the sum",
    create: (mode) => new Sum(mode),
  }),
  defineAggregate("avg(value: float | integer | duration)", {
    returns: "float",
    modes: MODERN,
    description: "the arithmetic mean",
    create: (mode) => new Average(mode),
  }),
  defineAggregate("avg(value: float | integer)", {
    returns: "float",
    modes: LEGACY,
    namesArgument: true,
    description: "the arithmetic mean",
    create: (mode) => new Average(mode),
  }),
  defineAggregate("min(value: any)", {
    returns: { sameAs: 0 },
    modes: MODERN,
    description: "the least value",
    create: (mode) => new Extreme("MIN", mode),
  }),
  defineAggregate("min(value: float | integer)", {
    returns: { sameAs: 0 },
    modes: LEGACY,
    namesArgument: true,
    description: "the least value",
    create: (mode) => new Extreme("MIN", mode),
  }),
  defineAggregate("max(value: any)", {
    returns: { sameAs: 0 },
    modes: MODERN,
    description: "the greatest value",
    create: (mode) => new Extreme("MAX", mode),
  }),
  defineAggregate("max(value: float | integer)", {
    returns: { sameAs: 0 },
    modes: LEGACY,
    namesArgument: true,
    description: "the greatest value",
    create: (mode) => new Extreme("MAX", mode),
  }),
  defineAggregate("percentileDisc(value: float | integer, percentile: float | integer)", {
    returns: { sameAs: 0 },
    modes: MODERN,
    description: "the value at a percentile",
    create: (mode) => new DiscretePercentile(mode),
  }),
  defineAggregate("percentileDisc(value: float | integer, percentile: number)", {
    returns: { sameAs: 0 },
    modes: LEGACY,
    namesArgument: true,
    description: "the value at a percentile",
    create: (mode) => new DiscretePercentile(mode),
  }),
  defineAggregate("percentileCont(value: float | integer, percentile: float | integer)", {
    returns: "float",
    modes: MODERN,
    description: "the value at a percentile, interpolated",
    create: (mode) => new ContinuousPercentile(mode),
  }),
  defineAggregate("percentileCont(value: number, percentile: number)", {
    returns: "float",
    modes: LEGACY,
    namesArgument: true,
    description: "the value at a percentile, interpolated",
    create: (mode) => new ContinuousPercentile(mode),
  }),
  defineAggregate("stDev(value: float | integer)", {
    returns: "float",
    modes: MODERN,
    description: "the standard deviation of a sample",
    create: (mode) => new StandardDeviation("sample", mode),
  }),
  defineAggregate("stDev(value: number)", {
    returns: "float",
    modes: LEGACY,
    namesArgument: true,
    description: "the standard deviation of a sample",
    create: (mode) => new StandardDeviation("sample", mode),
  }),
  defineAggregate("stDevP(value: float | integer)", {
    returns: "float",
    modes: MODERN,
    description: "the standard deviation of a population",
    create: (mode) => new StandardDeviation("population", mode),
  }),
  defineAggregate("stDevP(value: number)", {
    returns: "float",
    modes: LEGACY,
    namesArgument: true,
    description: "the standard deviation of a population",
    create: (mode) => new StandardDeviation("population", mode),
  }),
];

/**
 * A fresh accumulator for one group; `name` in any case, as the binder found it.
 *
 * @param argument  as it was written, for messages
 */
export function createAggregate(name: string, mode: Mode, argument: string): Accumulator {
  const wanted = name.toLowerCase();
  const definition = aggregateFunctions.find((one) => one.name.toLowerCase() === wanted && one.modes.includes(mode));
  const { create, namesArgument } = must(definition, `the binder lets only aggregates through, not ${name}`);
  return namesArgument && mode === "2.3" ? namingArgumentOf(create(mode), argument) : create(mode);
}
