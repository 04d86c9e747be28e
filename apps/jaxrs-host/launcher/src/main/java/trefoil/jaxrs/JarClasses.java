package trefoil.jaxrs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarFile;

/** The classes of some jars, as bytes: what they mention is known before any of them is loaded. */
final class JarClasses {
    private static final String ENDING = ".class";

    private final Map<String, String> byName = new TreeMap<>();

    JarClasses(List<Path> jars) throws IOException {
        for (Path jar : jars) {
            try (JarFile file = new JarFile(jar.toFile())) {
                for (var entry : file.stream().filter(each -> each.getName().endsWith(ENDING)).toList()) {
                    String path = entry.getName();
                    String name = path.substring(0, path.length() - ENDING.length()).replace('/', '.');
                    try (var content = file.getInputStream(entry)) {
                        byName.put(name, new String(content.readAllBytes(), StandardCharsets.ISO_8859_1));
                    }
                }
            } catch (IOException error) {
                throw new IOException("the jar " + jar + " cannot be read", error);
            }
        }
    }

    /** Names of the classes of the package and those below it. */
    List<String> inPackage(String packageName) {
        return byName.keySet().stream().filter(name -> name.startsWith(packageName + ".")).toList();
    }

    /** Whether the class names a type in its constants. @param path  with slashes */
    boolean mentions(String name, String path) {
        return byName.getOrDefault(name, "").contains(path);
    }
}
