package trefoil.jaxrs;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;

/**
 * Serves the resource classes of jars, each package below its mount, to the graph server alone: on loopback, for
 * requests that carry its secret. Reads what to do as one JSON object from standard input:
 *
 * <pre>{"home": "folder of this host", "jars": ["…"], "mounts": [{"package": "…", "path": "/…"}],
 *  "secret": "…"}</pre>
 *
 * and answers with one line on standard output, {@code {"port": n}} or {@code {"error": "…"}}. It ends when standard
 * input does: nobody is left without the server that started it.
 */
public final class Launcher {
    private static final int THREADS = 16;
    /** Where the graph server is for this request. */
    private static final String DATABASE_HEADER = "X-Trefoil-Database";

    public static void main(String[] arguments) throws IOException {
        byte[] line = readLine();
        try {
            int port = start(Json.object(Json.parse(new String(line, StandardCharsets.UTF_8))));
            System.out.println(Json.write(Map.of("port", port)));
        } catch (MountException | IOException error) {
            System.out.println(Json.write(Map.of("error", String.valueOf(error.getMessage()))));
            System.exit(1);
        }
        while (System.in.read() != -1) {
            // Nothing more is said; the end is what is waited for.
        }
        System.exit(0);
    }

    private static int start(Map<String, Object> input) throws IOException {
        String secret = (String) input.get("secret");
        Path home = Path.of((String) input.get("home"));
        List<Path> jars = Json.list(input.get("jars")).stream().map(jar -> Path.of((String) jar)).toList();
        Flavours flavours = new Flavours(home, jars);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newFixedThreadPool(THREADS, task -> {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
        }));
        for (Object each : Json.list(input.get("mounts"))) {
            Map<String, Object> mount = Json.object(each);
            String path = (String) mount.get("path");
            HttpHandler handler = flavours.mount((String) mount.get("package"), headers ->
                new HttpDatabase(headers.apply(DATABASE_HEADER), headers.apply("Authorization")));
            server.createContext(path, new SecretHandler(secret, handler));
        }
        server.start();
        return server.getAddress().getPort();
    }

    private static byte[] readLine() throws IOException {
        var line = new java.io.ByteArrayOutputStream();
        for (int next = System.in.read(); next != -1 && next != '\n'; next = System.in.read()) {
            line.write(next);
        }
        return line.toByteArray();
    }

    private Launcher() {}
}
