// Loaded before a suite of the era, in its own old Node: what it has hard-wired is led to the server under test. Written
// in what Node 4 understands.
//   GRAPH_PORT  where connections to port 7474 go
"use strict";
const Module = require("module");
const net = require("net");

const port = Number(process.env.GRAPH_PORT);
const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (first, second, third) {
  // Options come alone, or in a list that younger versions have normalised already.
  const options = Array.isArray(first) ? first[0] : first;
  if (options !== null && typeof options === "object" && String(options.port) === "7474") {
    options.port = port;
  }
  return connect.call(this, String(first) === "7474" ? port : first, second, third);
};

// The one stub: this package downloads and starts a server of its own; ours runs already.
const load = Module._load;
Module._load = function (name, parent, isMain) {
  return name === "disposable-seraph" ? startNothing : load.call(this, name, parent, isMain);
};

function startNothing(_options, callback) {
  let database;
  try {
    const seraph = load(process.cwd() + "/node_modules/seraph");
    database = seraph({ server: "http://localhost:7474", user: "neo4j", pass: "neo4j" });
  } catch (error) {
    // The suite of that client itself makes its own.
  }
  setImmediate(() => callback(null, database, { stop: (done) => done() }));
}
