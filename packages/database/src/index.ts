export { GroupedWrites } from "./grouped-writes.ts";
export { bytesType } from "./column-types.ts";
export { isUniqueViolation } from "./constraint-errors.ts";
export { type DatabaseLocation, openDatabase, type OpenDatabaseOptions } from "./open-database.ts";
export { PreparedQuery } from "./prepared-query.ts";
export { type Migration } from "./migrations.ts";
export { oneAtATime } from "./one-at-a-time.ts";
export { EmbeddedDatabase } from "./embedded-database.ts";
