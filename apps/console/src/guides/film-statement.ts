import { nameText, stringLiteral } from "../values/value-text.ts";
import { FILMS } from "./film-data.ts";

/** One statement that makes the graph of the films: people, films, genres, and who did what. */
export function filmStatement(): string {
  const variables = new Map<string, string>();
  const variableOf = (kind: string, name: string): string => {
    const key = `${kind} ${name}`;
    let variable = variables.get(key);
    if (variable === undefined) {
      variable = `${kind}${variables.size}`;
      variables.set(key, variable);
    }
    return variable;
  };
  const people = new Set(
    FILMS.flatMap((film) => [
      film.director,
      ...(film.writers ?? []),
      ...(film.music === undefined ? [] : [film.music]),
      ...film.cast.map(([actor]) => actor),
    ]),
  );
  const parts = [...new Set(FILMS.flatMap(({ genres }) => genres))].map(
    (genre) => `(${variableOf("g", genre)}:Genre {name: ${stringLiteral(genre)}})`,
  );
  parts.push(...[...people].map((name) => `(${variableOf("p", name)}:Person {name: ${stringLiteral(name)}})`));
  for (const { title, year, country } of FILMS) {
    const properties = `{title: ${stringLiteral(title)}, year: ${year}, country: ${stringLiteral(country)}}`;
    parts.push(`(${variableOf("f", title)}:Film ${properties})`);
  }
  for (const film of FILMS) {
    const target = variableOf("f", film.title);
    const link = (kind: string, name: string, type: string, about = ""): void => {
      parts.push(`(${variableOf(kind, name)})-[:${nameText(type)}${about}]->(${target})`);
    };
    link("p", film.director, "DIRECTED");
    (film.writers ?? []).forEach((writer) => link("p", writer, "WROTE"));
    if (film.music !== undefined) {
      link("p", film.music, "COMPOSED");
    }
    film.cast.forEach(([actor, role]) => link("p", actor, "ACTED_IN", ` {role: ${stringLiteral(role)}}`));
    film.genres.forEach((genre) => parts.push(`(${target})-[:IN_GENRE]->(${variableOf("g", genre)})`));
    if (film.retells !== undefined) {
      parts.push(`(${target})-[:RETELLS]->(${variableOf("f", film.retells)})`);
    }
  }
  return `CREATE\n  ${parts.join(",\n  ")}`;
}
