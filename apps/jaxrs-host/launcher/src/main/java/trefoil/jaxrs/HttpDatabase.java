package trefoil.jaxrs;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import trefoil.graph.Database;
import trefoil.graph.DatabaseException;
import trefoil.graph.Result;
import trefoil.graph.Transaction;

/** The graph server's own transactional endpoint, asked with the caller's credentials. */
final class HttpDatabase implements Database {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final String url;
    private final String authorization;

    /** @param authorization  null when the server asks for none */
    HttpDatabase(String url, String authorization) {
        if (url == null) {
            throw new IllegalStateException("the graph server does not listen in plain HTTP on this machine");
        }
        this.url = url + "/db/data/transaction";
        this.authorization = authorization;
    }

    @Override
    public Result execute(String statement, Map<String, ?> parameters) {
        return resultOf(ask("POST", url + "/commit", statement, parameters));
    }

    @Override
    public Transaction begin() {
        String commit = (String) ask("POST", url, null, Map.of()).get("commit");
        // The address in the answer is the one that clients know; this one is known to work from here.
        String own = url + commit.substring(commit.lastIndexOf("/transaction/") + "/transaction".length(), commit.lastIndexOf('/'));
        return new Transaction() {
            private boolean isOpen = true;

            @Override
            public Result execute(String statement, Map<String, ?> parameters) {
                return resultOf(ask("POST", own, statement, parameters));
            }

            @Override
            public void commit() {
                isOpen = false;
                ask("POST", own + "/commit", null, Map.of());
            }

            @Override
            public void close() {
                if (isOpen) {
                    isOpen = false;
                    try {
                        ask("DELETE", own, null, Map.of());
                    } catch (DatabaseException error) {
                        // It is over already: an error has ended it.
                    }
                }
            }
        };
    }

    private Map<String, Object> ask(String method, String address, String statement, Map<String, ?> parameters) {
        List<Object> statements = statement == null
            ? List.of()
            : List.of(Map.of("statement", statement, "parameters", parameters));
        var request = HttpRequest.newBuilder(URI.create(address))
            .method(method, HttpRequest.BodyPublishers.ofString(Json.write(Map.of("statements", statements))))
            .header("Content-Type", "application/json")
            .header("Accept", "application/json");
        if (authorization != null) {
            request.header("Authorization", authorization);
        }
        try {
            var response = CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
            Map<String, Object> answer = Json.object(Json.parse(response.body()));
            for (Object each : Json.list(answer.getOrDefault("errors", List.of()))) {
                Map<String, Object> error = Json.object(each);
                throw new DatabaseException(String.valueOf(error.get("code")), (String) error.get("message"));
            }
            return answer;
        } catch (IOException error) {
            throw new IllegalStateException("the graph server does not answer", error);
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the graph server was asked", error);
        }
    }

    private static Result resultOf(Map<String, Object> answer) {
        Map<String, Object> result = Json.object(Json.list(answer.get("results")).get(0));
        List<String> columns = Json.list(result.get("columns")).stream().map(String::valueOf).toList();
        List<Map<String, Object>> rows = new ArrayList<>();
        for (Object each : Json.list(result.get("data"))) {
            List<Object> values = Json.list(Json.object(each).get("row"));
            Map<String, Object> row = new LinkedHashMap<>();
            for (int at = 0; at < columns.size(); at++) {
                row.put(columns.get(at), values.get(at));
            }
            rows.add(row);
        }
        return new Result() {
            @Override
            public List<String> columns() {
                return columns;
            }

            @Override
            public List<Map<String, Object>> rows() {
                return rows;
            }
        };
    }
}
