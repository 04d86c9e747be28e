import { type Guide } from "./guide.ts";

export const START_GUIDE: Guide = {
  name: "start",
  title: "Welcome to Trefoil Graph",
  summary: "The first steps.",
  pages: [
    {
      title: "Welcome to Trefoil Graph",
      parts: [
        {
          kind: "text",
          text: "Write a statement above and press `Enter`, or begin with one of these. What you run appears here, newest first.",
        },
        {
          kind: "guide",
          guide: "movies",
          title: "Films and their people",
          summary: "Make a graph, look at it, ask it.",
        },
        {
          kind: "guide",
          guide: "cypher",
          title: "The language",
          summary: "Patterns, reading and writing, in seven statements.",
        },
        {
          kind: "guide",
          guide: "trade",
          title: "A trading house",
          summary: "From tables to a graph, and suggestions out of it.",
        },
        { kind: "statement", statement: "MATCH (n) RETURN n LIMIT 25", note: "See what is in this graph" },
        { kind: "statement", statement: ":help", note: "Or ask for help" },
      ],
    },
  ],
};
