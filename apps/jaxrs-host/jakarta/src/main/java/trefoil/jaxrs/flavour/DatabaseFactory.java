package trefoil.jaxrs.flavour;

import jakarta.inject.Inject;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import java.util.function.Supplier;
import trefoil.graph.Database;

/** What {@code @Context Database} becomes: the graph with the rights of whoever asks. */
public final class DatabaseFactory implements Supplier<Database> {
    @Context
    private HttpHeaders headers;

    @Inject
    private JerseyFlavour.DatabaseSource source;

    @Override
    public Database get() {
        return source.of(headers);
    }
}
