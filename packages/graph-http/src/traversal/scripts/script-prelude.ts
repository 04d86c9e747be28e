/**
 * What a script of a traversal finds around it, in the interpreter's own words: `position` with the methods that
 * paths, nodes and relationships had for scripts of the era, and the methods that texts had there. Everything it knows
 * of the graph comes through the one function `__ask(question, kind, id, name)`, whose answers are JSON.
 *
 * @source graph-http §7 (prune evaluators and return filters)
 */
export const SCRIPT_PRELUDE = `"use strict";
(() => {
  const ask = globalThis.__ask;
  delete globalThis.__ask;
  const answer = (question, kind, id, name) => {
    const text = ask(question, kind, id, name);
    return text === undefined ? undefined : JSON.parse(text);
  };
  class Entity {
    #kind; #id;
    constructor(kind, id) { this.#kind = kind; this.#id = id; }
    getId() { return this.#id; }
    hasProperty(name) { return answer("property", this.#kind, this.#id, String(name)) !== undefined; }
    getProperty(name, otherwise) {
      const value = answer("property", this.#kind, this.#id, String(name));
      if (value !== undefined) { return value; }
      if (arguments.length > 1) { return otherwise; }
      const message = this.#kind.toUpperCase() + "[" + this.#id + "] has no property with propertyKey=\\"" + name + "\\".";
      throw Object.assign(new Error(message), { name: "NotFoundException" });
    }
    getPropertyKeys() { return answer("keys", this.#kind, this.#id, ""); }
    equals(other) { return other instanceof this.constructor && other.getId() === this.#id; }
    toString() { return (this.#kind === "node" ? "Node[" : "Relationship[") + this.#id + "]"; }
  }
  class Node extends Entity {
    constructor(id) { super("node", id); }
    getLabels() { return answer("labels", "node", this.getId(), ""); }
    hasLabel(label) { return this.getLabels().includes(String(label)); }
    getDegree() { return answer("degree", "node", this.getId(), ""); }
    hasRelationship() { return this.getDegree() > 0; }
  }
  class Type {
    #name;
    constructor(name) { this.#name = name; }
    name() { return this.#name; }
    equals(other) { return String(other) === this.#name; }
    toString() { return this.#name; }
  }
  class Relationship extends Entity {
    constructor(id) { super("relationship", id); }
    getType() { return new Type(answer("type", "relationship", this.getId(), "")); }
    isType(type) { return this.getType().equals(type); }
    getStartNode() { return new Node(answer("start", "relationship", this.getId(), "")); }
    getEndNode() { return new Node(answer("end", "relationship", this.getId(), "")); }
    getOtherNode(node) { return this.getStartNode().equals(node) ? this.getEndNode() : this.getStartNode(); }
    getNodes() { return [this.getStartNode(), this.getEndNode()]; }
  }
  class Path {
    #nodes; #relationships;
    constructor(nodes, relationships) { this.#nodes = nodes; this.#relationships = relationships; }
    length() { return this.#relationships.length; }
    startNode() { return new Node(this.#nodes[0]); }
    endNode() { return new Node(this.#nodes[this.#nodes.length - 1]); }
    lastRelationship() {
      const { length } = this.#relationships;
      return length === 0 ? null : new Relationship(this.#relationships[length - 1]);
    }
    nodes() { return this.#nodes.map((id) => new Node(id)); }
    relationships() { return this.#relationships.map((id) => new Relationship(id)); }
  }
  const method = (name, value) => Object.defineProperty(String.prototype, name, { value });
  method("contains", function (part) { return this.includes(String(part)); });
  method("equals", function (other) { return String(this) === String(other); });
  method("equalsIgnoreCase", function (other) { return this.toLowerCase() === String(other).toLowerCase(); });
  method("isEmpty", function () { return this.length === 0; });
  method("matches", function (pattern) { return new RegExp("^(?:" + pattern + ")$").test(this); });

  // A script is an expression, or statements of which the last one has the value.
  const compiled = (text) => {
    const expression = text.trim().replace(/;+$/, "");
    try {
      return new Function("position", "return (" + expression + "\\n);");
    } catch {
      return (position) => { globalThis.position = position; return (0, eval)(text); };
    }
  };
  globalThis.__compile = (text) => {
    const script = compiled(text);
    return (nodes, relationships) => script(new Path(JSON.parse(nodes), JSON.parse(relationships)));
  };
})();
`;
