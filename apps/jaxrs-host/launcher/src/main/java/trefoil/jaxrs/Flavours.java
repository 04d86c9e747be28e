package trefoil.jaxrs;

import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import trefoil.graph.Database;

/**
 * Finds which generation a package is written for and serves it with that one's libraries, which the other one never
 * sees: each has its own class loader, with the jars of the plugins beside it.
 */
final class Flavours {
    private static final List<String> NAMES = List.of("javax", "jakarta");
    private static final String IMPLEMENTATION = "trefoil.jaxrs.flavour.JerseyFlavour";

    private final Path home;
    private final List<Path> jars;
    private final JarClasses classes;

    Flavours(Path home, List<Path> jars) throws IOException {
        this.home = home;
        this.jars = jars;
        this.classes = new JarClasses(jars);
    }

    HttpHandler mount(String packageName, Function<UnaryOperator<String>, Database> databases) {
        List<String> names = classes.inPackage(packageName);
        for (String flavourName : NAMES) {
            if (names.stream().anyMatch(name -> classes.mentions(name, flavourName + "/ws/rs/Path"))) {
                return mount(flavourName, packageName, names, databases);
            }
        }
        throw new MountException("the package " + packageName + " does not contain any root resource classes");
    }

    private HttpHandler mount(
        String flavourName,
        String packageName,
        List<String> names,
        Function<UnaryOperator<String>, Database> databases
    ) {
        ClassLoader loader = loaderOf(flavourName);
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        // Jersey looks for its parts by the thread's class loader.
        Thread.currentThread().setContextClassLoader(loader);
        try {
            Flavour flavour = (Flavour) loader.loadClass(IMPLEMENTATION).getDeclaredConstructor().newInstance();
            Set<Class<?>> components = componentsOf(flavour, names, loader);
            if (components.stream().noneMatch(flavour::isResource)) {
                throw new MountException("the package " + packageName + " does not contain any root resource classes");
            }
            return flavour.serve(components, databases);
        } catch (NoClassDefFoundError error) {
            String missing = String.valueOf(error.getMessage()).replace('/', '.');
            throw new MountException("the package " + packageName + " needs the class " + missing + ", which is not here");
        } catch (ReflectiveOperationException error) {
            throw new MountException("the package " + packageName + " cannot be mounted: " + error);
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    /** Every class of the package is looked at whole, so that what is missing is known now and not at a request. */
    private static Set<Class<?>> componentsOf(Flavour flavour, List<String> names, ClassLoader loader)
        throws ClassNotFoundException {
        Set<Class<?>> components = new LinkedHashSet<>();
        for (String name : names) {
            Class<?> type = Class.forName(name, false, loader);
            type.getDeclaredMethods();
            type.getDeclaredFields();
            type.getDeclaredConstructors();
            if (flavour.isComponent(type)) {
                components.add(type);
            }
        }
        return components;
    }

    private ClassLoader loaderOf(String flavourName) {
        try (Stream<Path> libraries = Files.list(home.resolve(flavourName))) {
            List<URL> urls = new ArrayList<>();
            for (Path file : Stream.concat(libraries.sorted(), jars.stream()).toList()) {
                urls.add(file.toUri().toURL());
            }
            return new URLClassLoader(urls.toArray(new URL[0]), Flavours.class.getClassLoader());
        } catch (MalformedURLException error) {
            throw new IllegalStateException(error);
        } catch (IOException error) {
            throw new MountException("the libraries for " + flavourName + ".ws.rs are not in " + home);
        }
    }
}
