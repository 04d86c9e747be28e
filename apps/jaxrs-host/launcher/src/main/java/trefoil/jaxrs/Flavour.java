package trefoil.jaxrs;

import com.sun.net.httpserver.HttpHandler;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import trefoil.graph.Database;

/** One of the two generations of the resource interface. Implementations have a constructor without parameters. */
public interface Flavour {
    /** Whether the class is a resource or a provider of this generation. */
    boolean isComponent(Class<?> type);

    /** Whether the class is a root resource. */
    boolean isResource(Class<?> type);

    /** @param databases  a database for the request with these headers */
    HttpHandler serve(Set<Class<?>> components, Function<UnaryOperator<String>, Database> databases);
}
