import { type Guide } from "./guide.ts";

const PRODUCTS = [
  ["Green tea", "Drinks", 12.5],
  ["Black tea", "Drinks", 9.9],
  ["Coffee beans", "Drinks", 14.2],
  ["Honey", "Pantry", 7.8],
  ["Sea salt", "Pantry", 3.2],
  ["Olive oil", "Pantry", 16.4],
  ["Ship's biscuits", "Bakery", 4.1],
  ["Rye bread", "Bakery", 3.9],
  ["Rope, 20 m", "Chandlery", 22],
  ["Lantern", "Chandlery", 31.5],
] as const;

const ORDERS = [
  ["Aino", "Turku", ["Green tea", "Honey", "Rye bread"]],
  ["Bram", "Antwerp", ["Coffee beans", "Ship's biscuits", "Rope, 20 m"]],
  ["Carla", "Genoa", ["Olive oil", "Sea salt", "Coffee beans"]],
  ["Dilan", "Izmir", ["Black tea", "Honey", "Olive oil"]],
  ["Aino", "Turku", ["Lantern", "Rope, 20 m"]],
  ["Emil", "Gdansk", ["Rye bread", "Sea salt", "Honey", "Black tea"]],
  ["Fiona", "Cork", ["Black tea", "Ship's biscuits"]],
  ["Carla", "Genoa", ["Olive oil", "Lantern"]],
  ["Bram", "Antwerp", ["Green tea", "Coffee beans"]],
] as const;

const quote = (text: string): string => `'${text.replaceAll("'", "\\'")}'`;

const MAKE_PRODUCTS = `UNWIND [
  ${PRODUCTS.map(([name, category, price]) => `{name: ${quote(name)}, category: '${category}', price: ${price}}`).join(",\n  ")}
] AS row
MERGE (c:Category {name: row.category})
MERGE (p:Product {name: row.name})
SET p.price = row.price
MERGE (p)-[:PART_OF]->(c)
RETURN count(*) AS products`;

const MAKE_ORDERS = `UNWIND [
  ${ORDERS.map(
    ([customer, port, products], index) =>
      `{id: ${index + 1}, customer: '${customer}', port: '${port}', products: [${products.map(quote).join(", ")}]}`,
  ).join(",\n  ")}
] AS row
MERGE (c:Customer {name: row.customer})
SET c.port = row.port
MERGE (o:Order {id: row.id})
MERGE (c)-[:PLACED]->(o)
WITH o, row
UNWIND row.products AS name
MATCH (p:Product {name: name})
MERGE (o)-[:CONTAINS]->(p)
RETURN count(*) AS lines`;

export const TRADE_GUIDE: Guide = {
  name: "trade",
  title: "A trading house",
  summary: "From tables to a graph: orders, products, customers, and what to suggest to whom.",
  pages: [
    {
      title: "From rows to a graph",
      parts: [
        {
          kind: "text",
          text: "A small trading house has a table of products and a table of orders. A list of maps plays the table here; `:help import` shows how files are read. `MERGE` makes what is not there yet, so both statements may be run again.",
        },
        { kind: "statement", statement: MAKE_PRODUCTS, note: "Products and their categories" },
        { kind: "statement", statement: MAKE_ORDERS, note: "Customers and their orders" },
        { kind: "statement", statement: "MATCH (c:Customer)-[r]->(o)-[s]->(p)-[t]->(k) RETURN *", note: "All of it" },
      ],
    },
    {
      title: "What tables find hard",
      parts: [
        {
          kind: "statement",
          statement:
            "MATCH (me:Customer {name: 'Aino'})-[:PLACED]->()-[:CONTAINS]->(p)<-[:CONTAINS]-()<-[:PLACED]-(other)\nMATCH (other)-[:PLACED]->()-[:CONTAINS]->(new)\nWHERE NOT (me)-[:PLACED]->()-[:CONTAINS]->(new)\nRETURN new.name AS suggestion, count(DISTINCT other) AS voices\nORDER BY voices DESC, suggestion",
          note: "What those bought who buy what Aino buys, and she has not",
        },
        {
          kind: "statement",
          statement:
            "MATCH (a:Product)<-[:CONTAINS]-(o:Order)-[:CONTAINS]->(b:Product)\nWHERE id(a) < id(b)\nRETURN a.name AS one, b.name AS other, count(o) AS together\nORDER BY together DESC LIMIT 5",
          note: "What is bought together",
        },
        {
          kind: "statement",
          statement:
            "MATCH (c:Customer)-[:PLACED]->(o)-[:CONTAINS]->(p)\nRETURN c.name AS customer, count(DISTINCT o) AS orders, sum(p.price) AS turnover\nORDER BY turnover DESC",
          note: "And what tables do well",
        },
      ],
    },
    {
      title: "Rules",
      parts: [
        {
          kind: "text",
          text: "A constraint keeps names unique and finds them fast; `:schema` shows what there is.",
        },
        { kind: "statement", statement: "CREATE CONSTRAINT ON (p:Product) ASSERT p.name IS UNIQUE" },
        { kind: "statement", statement: ":schema" },
        {
          kind: "statement",
          statement: "CREATE (:Product {name: 'Honey'})",
          note: "Now this is refused",
        },
        {
          kind: "statement",
          statement: "DROP CONSTRAINT ON (p:Product) ASSERT p.name IS UNIQUE",
        },
        {
          kind: "statement",
          statement: "MATCH (n) WHERE n:Product OR n:Category OR n:Customer OR n:Order\nDETACH DELETE n",
          note: "Takes the trading house away again",
        },
      ],
    },
  ],
};
