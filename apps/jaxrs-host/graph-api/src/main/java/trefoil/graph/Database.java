package trefoil.graph;

import java.util.Map;

/**
 * The graph, as a mounted resource sees it: {@code @Context Database database}. Everything is done with the rights of
 * whoever made the request that the resource answers.
 */
public interface Database {
    /**
     * Runs one statement in a transaction of its own.
     *
     * @param parameters  by name: null, booleans, numbers, strings, lists and maps of those
     * @throws DatabaseException  when the statement fails; nothing of it is kept then
     */
    Result execute(String statement, Map<String, ?> parameters);

    /** Begins a transaction; what is neither committed nor closed is rolled back when it has been idle too long. */
    Transaction begin();
}
