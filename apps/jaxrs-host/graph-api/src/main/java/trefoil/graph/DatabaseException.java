package trefoil.graph;

/** A statement or a commit failed. */
public final class DatabaseException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String code;

    public DatabaseException(String code, String message) {
        super(message);
        this.code = code;
    }

    /** The status code, such as {@code Graph.ClientError.Statement.InvalidSyntax}. */
    public String code() {
        return code;
    }
}
