import { type StatusCode } from "@trefoil/cypher";

/**
 * The exceptions that answers of the REST endpoints name: clients of the era match on the simple name, some on the full
 * one. `code` is what `errors` says for it; without one it is `DatabaseError.General.UnknownFailure`.
 *
 * @source graph-http §5, §6 (error object)
 */
export const EXCEPTIONS: Readonly<Record<ExceptionName, readonly [packageName: string, code: StatusCode | undefined]>> =
  {
    BadInputException: ["org.neo4j.server.rest.repr", "ClientError.Request.InvalidFormat"],
    InvalidArgumentsException: ["org.neo4j.server.rest.repr", "ClientError.Statement.InvalidArguments"],
    NodeNotFoundException: ["org.neo4j.server.rest.web", "ClientError.Statement.EntityNotFound"],
    RelationshipNotFoundException: ["org.neo4j.server.rest.web", "ClientError.Statement.EntityNotFound"],
    NoSuchPropertyException: ["org.neo4j.server.rest.web", "ClientError.Statement.NoSuchProperty"],
    PropertyValueException: ["org.neo4j.server.rest.web", "ClientError.Statement.InvalidArguments"],
    StartNodeNotFoundException: ["org.neo4j.server.rest.domain", "ClientError.Statement.EntityNotFound"],
    EndNodeNotFoundException: ["org.neo4j.server.rest.domain", "ClientError.Statement.EntityNotFound"],
    EvaluationException: ["org.neo4j.server.rest.domain", undefined],
    BatchOperationFailedException: ["org.neo4j.server.rest.domain", undefined],
    JsonParseException: ["org.neo4j.server.rest.domain", "ClientError.Request.InvalidFormat"],
    PluginLookupException: ["org.neo4j.server.plugins", undefined],
    NotFoundException: ["org.neo4j.graphdb", "ClientError.Statement.EntityNotFound"],
    UnknownNotFoundException: ["org.neo4j.graphdb", undefined],
    ConstraintViolationException: ["org.neo4j.graphdb", "ClientError.Schema.ConstraintViolation"],
    TransactionFailureException: ["org.neo4j.graphdb", undefined],
    QueryExecutionException: ["org.neo4j.graphdb", undefined],
    IllegalTokenNameException: ["org.neo4j.kernel.api.exceptions.schema", "ClientError.Schema.IllegalTokenName"],
    AlreadyIndexedException: ["org.neo4j.kernel.api.exceptions.schema", "ClientError.Schema.IndexAlreadyExists"],
    FrontendSyntaxException: ["org.neo4j.cypher.internal.frontend.v2_3", undefined],
    FrontendUniquePathNotUniqueException: ["org.neo4j.cypher.internal.frontend.v2_3", undefined],
    CodehausJsonParseException: ["org.codehaus.jackson", undefined],
    WebApplicationException: ["javax.ws.rs", undefined],
    SyntaxException: ["org.neo4j.cypher", "ClientError.Statement.InvalidSyntax"],
    CypherTypeException: ["org.neo4j.cypher", "ClientError.Statement.InvalidType"],
    IncomparableValuesException: ["org.neo4j.cypher", "ClientError.Statement.InvalidSyntax"],
    ParameterNotFoundException: ["org.neo4j.cypher", "ClientError.Statement.ParameterMissing"],
    EntityNotFoundException: ["org.neo4j.cypher", "ClientError.Statement.EntityNotFound"],
    CypherExecutionException: ["org.neo4j.cypher", undefined],
    LoadExternalResourceException: ["org.neo4j.cypher", "TransientError.Statement.ExternalResourceFailure"],
    MissingIndexException: ["org.neo4j.cypher", "ClientError.Schema.NoSuchIndex"],
    ArithmeticException: ["org.neo4j.cypher", "ClientError.Statement.ArithmeticError"],
    InvalidArgumentException: ["org.neo4j.cypher", "ClientError.Statement.InvalidArguments"],
    PatternException: ["org.neo4j.cypher", "ClientError.Statement.InvalidSemantics"],
    InvalidSemanticsException: ["org.neo4j.cypher", "ClientError.Statement.InvalidSemantics"],
    UniquePathNotUniqueException: ["org.neo4j.cypher", "ClientError.Statement.ConstraintViolation"],
    MergeConstraintConflictException: ["org.neo4j.cypher", "ClientError.Statement.ConstraintViolation"],
    ClassCastException: ["java.lang", undefined],
    NullPointerException: ["java.lang", undefined],
    NumberFormatException: ["java.lang", undefined],
    IllegalArgumentException: ["java.lang", undefined],
    UnsupportedOperationException: ["java.lang", undefined],
    RuntimeException: ["java.lang", undefined],
    AuthorizationViolationException: ["org.neo4j.graphdb.security", "ClientError.Security.AuthorizationFailed"],
    PeriodicCommitInOpenTransactionException: ["org.neo4j.cypher", "ClientError.Statement.InvalidSemantics"],
    AlreadyConstrainedException: [
      "org.neo4j.kernel.api.exceptions.schema",
      "ClientError.Schema.ConstraintAlreadyExists",
    ],
    CreateConstraintFailureException: [
      "org.neo4j.kernel.api.exceptions.schema",
      "DatabaseError.Schema.ConstraintCreationFailure",
    ],
    ParseException: ["org.apache.lucene.queryParser", undefined],
    MalformedObjectNameException: ["javax.management", undefined],
  };

export type ExceptionName =
  | "BadInputException"
  | "InvalidArgumentsException"
  | "NodeNotFoundException"
  | "RelationshipNotFoundException"
  | "NoSuchPropertyException"
  | "PropertyValueException"
  | "StartNodeNotFoundException"
  | "EndNodeNotFoundException"
  | "EvaluationException"
  | "BatchOperationFailedException"
  | "JsonParseException"
  | "PluginLookupException"
  | "NotFoundException"
  | "UnknownNotFoundException"
  | "ConstraintViolationException"
  | "TransactionFailureException"
  | "QueryExecutionException"
  | "IllegalTokenNameException"
  | "AlreadyIndexedException"
  | "FrontendSyntaxException"
  | "FrontendUniquePathNotUniqueException"
  | "CodehausJsonParseException"
  | "WebApplicationException"
  | "SyntaxException"
  | "CypherTypeException"
  | "IncomparableValuesException"
  | "ParameterNotFoundException"
  | "EntityNotFoundException"
  | "CypherExecutionException"
  | "LoadExternalResourceException"
  | "MissingIndexException"
  | "ArithmeticException"
  | "InvalidArgumentException"
  | "PatternException"
  | "InvalidSemanticsException"
  | "UniquePathNotUniqueException"
  | "MergeConstraintConflictException"
  | "ClassCastException"
  | "NullPointerException"
  | "NumberFormatException"
  | "IllegalArgumentException"
  | "UnsupportedOperationException"
  | "RuntimeException"
  | "AuthorizationViolationException"
  | "PeriodicCommitInOpenTransactionException"
  | "AlreadyConstrainedException"
  | "CreateConstraintFailureException"
  | "ParseException"
  | "MalformedObjectNameException";

/** The simple name on the wire: some names stand for several classes. */
export function simpleName(name: ExceptionName): string {
  return SIMPLE_NAMES[name] ?? name;
}

const SIMPLE_NAMES: Readonly<Partial<Record<ExceptionName, string>>> = {
  UnknownNotFoundException: "NotFoundException",
  FrontendSyntaxException: "SyntaxException",
  FrontendUniquePathNotUniqueException: "UniquePathNotUniqueException",
  CodehausJsonParseException: "JsonParseException",
};
