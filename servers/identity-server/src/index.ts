export { startIdentityServer } from "./server.ts";
