package dev.imker.agent.internal.host;

import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;

/**
 * The classes of a task library. Beside its own they see the platform and what tasks are programmed
 * against, but nothing else that the host is made of.
 */
final class LibraryLoader extends URLClassLoader {
  static {
    registerAsParallelCapable();
  }

  LibraryLoader(List<Path> jars) {
    super("library", urls(jars), new Shared());
  }

  private static URL[] urls(List<Path> jars) {
    return jars.stream().map(LibraryLoader::url).toArray(URL[]::new);
  }

  private static URL url(Path jar) {
    try {
      return jar.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException("no jar: " + jar, e);
    }
  }

  /** Lets through the packages that library and host have in common. */
  private static final class Shared extends ClassLoader {
    private static final String TASKS = "dev.imker.tasks.";
    private final ClassLoader own = HostMain.class.getClassLoader();

    Shared() {
      super("shared", ClassLoader.getPlatformClassLoader());
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      if (name.startsWith(TASKS)) {
        return own.loadClass(name);
      }
      throw new ClassNotFoundException(name);
    }
  }
}
