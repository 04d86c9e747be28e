package trefoil.jaxrs.flavour;

import com.sun.net.httpserver.HttpHandler;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.ext.Provider;
import jakarta.ws.rs.ext.RuntimeDelegate;
import java.lang.reflect.Modifier;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.glassfish.jersey.internal.inject.AbstractBinder;
import org.glassfish.jersey.process.internal.RequestScoped;
import org.glassfish.jersey.server.ResourceConfig;
import trefoil.graph.Database;
import trefoil.jaxrs.Flavour;

/**
 * Resource classes on Jersey. This source is compiled twice, for jakarta.ws.rs and, with that word replaced, for
 * javax.ws.rs.
 */
public final class JerseyFlavour implements Flavour {
    @Override
    public boolean isComponent(Class<?> type) {
        return isResource(type) || (type.isAnnotationPresent(Provider.class) && isConcrete(type));
    }

    @Override
    public boolean isResource(Class<?> type) {
        return type.isAnnotationPresent(Path.class) && isConcrete(type);
    }

    @Override
    public HttpHandler serve(Set<Class<?>> components, Function<UnaryOperator<String>, Database> databases) {
        ResourceConfig configuration = new ResourceConfig(components);
        configuration.register(CallerFilter.class);
        configuration.register(new AbstractBinder() {
            @Override
            protected void configure() {
                bind(new DatabaseSource(databases)).to(DatabaseSource.class);
                bindFactory(DatabaseFactory.class)
                    .to(Database.class)
                    .proxy(true)
                    .proxyForSameScope(false)
                    .in(RequestScoped.class);
            }
        });
        return RuntimeDelegate.getInstance().createEndpoint(configuration, HttpHandler.class);
    }

    private static boolean isConcrete(Class<?> type) {
        return !type.isInterface() && !Modifier.isAbstract(type.getModifiers());
    }

    /** Makes the database of a request; kept as one thing so that it can be injected. */
    public record DatabaseSource(Function<UnaryOperator<String>, Database> make) {
        Database of(HttpHeaders headers) {
            return make.apply(headers::getHeaderString);
        }
    }
}
