package trefoil.jaxrs;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON to and from null, booleans, {@link Long}, {@link Double}, strings, lists and maps. */
final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    static Object parse(String text) {
        Json json = new Json(text);
        Object value = json.value();
        json.blanks();
        if (json.at != text.length()) {
            throw json.wrong();
        }
        return value;
    }

    static String write(Object value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(Object value) {
        return (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked")
    static List<Object> list(Object value) {
        return (List<Object>) value;
    }

    private Object value() {
        blanks();
        return switch (peek()) {
            case '{' -> members();
            case '[' -> elements();
            case '"' -> string();
            case 't' -> word("true", Boolean.TRUE);
            case 'f' -> word("false", Boolean.FALSE);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, Object> members() {
        Map<String, Object> members = new LinkedHashMap<>();
        at++;
        for (blanks(); peek() != '}'; blanks()) {
            if (!members.isEmpty()) {
                expect(',');
                blanks();
            }
            String name = string();
            blanks();
            expect(':');
            members.put(name, value());
        }
        at++;
        return members;
    }

    private List<Object> elements() {
        List<Object> elements = new ArrayList<>();
        at++;
        for (blanks(); peek() != ']'; blanks()) {
            if (!elements.isEmpty()) {
                expect(',');
            }
            elements.add(value());
        }
        at++;
        return elements;
    }

    private String string() {
        expect('"');
        StringBuilder string = new StringBuilder();
        for (char next = next(); next != '"'; next = next()) {
            string.append(next == '\\' ? escaped() : next);
        }
        return string.toString();
    }

    private char escaped() {
        char escape = next();
        return switch (escape) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> {
                at += 4;
                yield (char) Integer.parseInt(text.substring(at - 4, at), 16);
            }
            default -> escape;
        };
    }

    private Object number() {
        int from = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) != -1) {
            at++;
        }
        if (from == at) {
            throw wrong();
        }
        String digits = text.substring(from, at);
        if (digits.matches("-?\\d+")) {
            return Long.valueOf(digits);
        }
        return Double.valueOf(digits);
    }

    private Object word(String word, Object meaning) {
        if (!text.startsWith(word, at)) {
            throw wrong();
        }
        at += word.length();
        return meaning;
    }

    private void blanks() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) != -1) {
            at++;
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw wrong();
        }
        return text.charAt(at);
    }

    private char next() {
        char next = peek();
        at++;
        return next;
    }

    private void expect(char wanted) {
        if (next() != wanted) {
            throw wrong();
        }
    }

    private IllegalArgumentException wrong() {
        return new IllegalArgumentException("not JSON at character " + at);
    }

    private static void write(Object value, StringBuilder out) {
        if (value instanceof Map<?, ?> members) {
            String separator = "{";
            for (Map.Entry<?, ?> member : members.entrySet()) {
                out.append(separator);
                writeString(String.valueOf(member.getKey()), out);
                out.append(':');
                write(member.getValue(), out);
                separator = ",";
            }
            out.append(members.isEmpty() ? "{}" : "}");
        } else if (value instanceof Iterable<?> elements) {
            out.append('[');
            String separator = "";
            for (Object element : elements) {
                out.append(separator);
                write(element, out);
                separator = ",";
            }
            out.append(']');
        } else if (value == null || value instanceof Number || value instanceof Boolean) {
            out.append(value);
        } else {
            writeString(value.toString(), out);
        }
    }

    private static void writeString(String string, StringBuilder out) {
        out.append('"');
        for (int index = 0; index < string.length(); index++) {
            char next = string.charAt(index);
            if (next == '"' || next == '\\') {
                out.append('\\').append(next);
            } else if (next < ' ') {
                out.append(String.format("\\u%04x", (int) next));
            } else {
                out.append(next);
            }
        }
        out.append('"');
    }
}
