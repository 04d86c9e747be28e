import { writeFile } from "node:fs/promises";
import path from "node:path";

const CITIES = 100;
const AGES = 100;

/**
 * A graph of persons that know each other, the same for the same seed: arrays for the bare loops and for checking what
 * engines answer. Targets are skewed (a third of all relationships reach a tenth of the persons); nobody knows
 * themselves or the same person twice.
 *
 * @param persons        how many
 * @param relationships  how many
 * @param seed           any integer
 */
export function makeSocialGraph(persons, relationships, seed) {
  const random = mulberry32(seed);
  const below = (limit) => Math.floor(random() * limit);
  const names = shuffled(persons, below).map((number) => `Person ${String(number).padStart(7, "0")}`);
  const ages = Uint8Array.from({ length: persons }, () => below(AGES));
  const cities = Uint8Array.from({ length: persons }, () => below(CITIES));
  const starts = new Int32Array(relationships);
  const ends = new Int32Array(relationships);
  const known = new Set();
  for (let index = 0; index < relationships;) {
    const start = below(persons);
    const end = random() < 1 / 3 ? below(Math.ceil(persons / 10)) : below(persons);
    const pair = start * persons + end;
    if (start !== end && !known.has(pair)) {
      known.add(pair);
      starts[index] = start;
      ends[index] = end;
      index += 1;
    }
  }
  return { persons, relationships, names, ages, cities, starts, ends, ...adjacencyOf(persons, starts, ends) };
}

export function cityName(city) {
  return `City ${String(city).padStart(3, "0")}`;
}

/** The graph as two import files in `folder`. */
export async function writeCsvFiles(graph, folder) {
  const nodeFile = path.join(folder, "persons.csv");
  const relationshipFile = path.join(folder, "knows.csv");
  const nodes = ["key:ID,id:long,name:string,age:long,city:string,:LABEL"];
  for (let person = 0; person < graph.persons; person++) {
    nodes.push(
      `${person},${person},${graph.names[person]},${graph.ages[person]},${cityName(graph.cities[person])},Person`,
    );
  }
  const relationships = [":START_ID,:END_ID,:TYPE,since:long"];
  for (let index = 0; index < graph.relationships; index++) {
    relationships.push(`${graph.starts[index]},${graph.ends[index]},KNOWS,${1990 + (index % 30)}`);
  }
  await writeFile(nodeFile, `${nodes.join("\n")}\n`);
  await writeFile(relationshipFile, `${relationships.join("\n")}\n`);
  return { nodeFile, relationshipFile };
}

/** Compressed rows: the neighbours of n are `neighbours[offsets[n]]` up to `offsets[n + 1]`. */
function adjacencyOf(persons, starts, ends) {
  const offsets = new Int32Array(persons + 1);
  for (const start of starts) {
    offsets[start + 1] += 1;
  }
  for (let person = 0; person < persons; person++) {
    offsets[person + 1] += offsets[person];
  }
  const place = offsets.slice();
  const neighbours = new Int32Array(starts.length);
  for (let index = 0; index < starts.length; index++) {
    neighbours[place[starts[index]]++] = ends[index];
  }
  return { offsets, neighbours };
}

function shuffled(length, below) {
  const numbers = Array.from({ length }, (_unused, index) => index);
  for (let last = length - 1; last > 0; last--) {
    const other = below(last + 1);
    [numbers[last], numbers[other]] = [numbers[other], numbers[last]];
  }
  return numbers;
}

/** A small generator of numbers in [0, 1) with a seed. */
function mulberry32(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
