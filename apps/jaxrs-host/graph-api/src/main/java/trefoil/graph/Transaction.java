package trefoil.graph;

import java.util.Map;

/** Statements that are kept together or not at all. */
public interface Transaction extends AutoCloseable {
    /** @throws DatabaseException  when the statement fails; the transaction is over and rolled back then */
    Result execute(String statement, Map<String, ?> parameters);

    /** @throws DatabaseException  when it could not be kept */
    void commit();

    /** Rolls back what was not committed. */
    @Override
    void close();
}
