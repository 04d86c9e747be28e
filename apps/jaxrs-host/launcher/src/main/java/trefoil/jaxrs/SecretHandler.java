package trefoil.jaxrs;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** Lets nobody in but the graph server: it has judged who asks, and this process has not. */
final class SecretHandler implements HttpHandler {
    /** Taken out of what resources see by the filter behind this. */
    private static final String HEADER = "X-Trefoil-Secret";

    private final byte[] secret;
    private final HttpHandler next;
    private final ClassLoader loader;

    SecretHandler(String secret, HttpHandler next) {
        this.secret = secret.getBytes(StandardCharsets.UTF_8);
        this.next = next;
        this.loader = next.getClass().getClassLoader();
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        String given = exchange.getRequestHeaders().getFirst(HEADER);
        if (given == null || !MessageDigest.isEqual(secret, given.getBytes(StandardCharsets.UTF_8))) {
            exchange.sendResponseHeaders(403, -1);
            exchange.close();
            return;
        }
        Thread.currentThread().setContextClassLoader(loader);
        next.handle(exchange);
    }
}
