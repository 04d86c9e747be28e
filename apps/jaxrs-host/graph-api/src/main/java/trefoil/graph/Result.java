package trefoil.graph;

import java.util.List;
import java.util.Map;

/**
 * What a statement returned. Integers are {@link Long}, floats {@link Double}; nodes and relationships are maps of their
 * properties.
 */
public interface Result {
    List<String> columns();

    /** Values by column. */
    List<Map<String, Object>> rows();
}
