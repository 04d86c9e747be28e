export { addressesToBind, isLoopbackAddress, isLoopbackHost, isLoopbackRequest } from "./loopback.ts";
export { type ClientErrorAnswer, type ClientErrorStatus } from "./client-error.ts";
export { createHttpServer, type HttpServer, type HttpServerOptions } from "./http-server.ts";
export { type ListenerOptions, type ListeningAddress } from "./listener.ts";
export { createLogger, type LoggerOptions, type LogLevel, logLevels } from "./logger.ts";
export { redacted, scrubText, scrubUrl } from "./redaction/redact.ts";
export { secretNames, type SecretName } from "./redaction/secret-names.ts";
export { type ServerCertificate, type TlsListenerOptions } from "./tls.ts";
export { type Logger } from "pino";
