export { GroupedWrites } from "./grouped-writes.ts";
export { bytesType } from "./column-types.ts";
export { isUniqueViolation } from "./constraint-errors.ts";
export { type DatabaseLocation, openDatabase, type OpenDatabaseOptions } from "./open-database.ts";
export { type Migration } from "./migrations.ts";
export { EmbeddedDatabase } from "./sqlite-dialect.ts";
