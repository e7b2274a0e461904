package dev.imker.server.internal.kinds;

import dev.imker.model.InputException;
import dev.imker.model.kind.TaskKind;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The kinds of jobs that this server knows: its own, and those of jars in a folder, each of which
 * has a class loader of its own. A jar that cannot be used costs its own kinds only.
 */
public final class TaskKinds {
  private static final Logger LOG = LoggerFactory.getLogger(TaskKinds.class);

  /** The variable of the environment that tells of which kind the job of a task is. */
  public static final String VARIABLE = "IMKER_KIND";

  private static final String SERVICES = "META-INF/services/" + TaskKind.class.getName();
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,63}");
  private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,18}");

  private final SortedMap<String, TaskKind> kinds = new TreeMap<>();

  /**
   * @param folder with jars; need not be there
   */
  public static TaskKinds load(Path folder) {
    TaskKinds kinds = new TaskKinds();
    kinds.addAll(TaskKinds.class.getClassLoader(), "the server");
    if (Files.isDirectory(folder)) {
      try (DirectoryStream<Path> jars = Files.newDirectoryStream(folder, "*.jar")) {
        List<Path> sorted = new ArrayList<>();
        jars.forEach(sorted::add);
        sorted.stream().sorted().forEach(kinds::addJar);
      } catch (IOException e) {
        LOG.warn("The folder {} cannot be read, so its job kinds are missing", folder, e);
      }
    }
    return kinds;
  }

  private void addJar(Path jar) {
    try {
      URL[] urls = {jar.toUri().toURL()};
      // Open as long as the server runs: its kinds may load more classes at any time.
      @SuppressWarnings("resource")
      URLClassLoader loader = new URLClassLoader(urls, TaskKind.class.getClassLoader());
      if (loader.findResource(SERVICES) == null) {
        LOG.warn("{} is no jar, or has no {}, so its kinds of jobs are missing", jar, SERVICES);
      }
      addAll(loader, jar.toString());
    } catch (IOException e) {
      LOG.warn("{} cannot be read, so its job kinds are missing", jar, e);
    }
  }

  private void addAll(ClassLoader loader, String where) {
    try {
      for (TaskKind kind : ServiceLoader.load(TaskKind.class, loader)) {
        if (kinds.containsKey(kind.name())) {
          continue; // that of the server itself, which every loader sees
        }
        if (NAME.matcher(kind.name()).matches()) {
          // What one of them throws here must not be thrown when all are listed.
          Objects.requireNonNull(kind.description(), "description");
          Objects.requireNonNull(kind.fields(), "fields");
          Objects.requireNonNull(kind.views(), "views");
          kinds.put(kind.name(), kind);
        } else {
          LOG.warn("'{}' of {} is not a valid name for a job kind", kind.name(), where);
        }
      }
    } catch (RuntimeException | Error e) {
      LOG.warn("The job kinds in {} cannot be used", where, e);
    }
  }

  public Collection<TaskKind> all() {
    return kinds.values();
  }

  public Optional<TaskKind> find(String name) {
    return Optional.ofNullable(kinds.get(name));
  }

  /**
   * The job that a kind makes, as it would stand in a job file.
   *
   * @throws InputException naming all that is wrong with the values
   */
  public static Map<String, Object> job(TaskKind kind, Map<String, String> given) {
    Map<String, String> values = new LinkedHashMap<>(given);
    List<String> problems = new ArrayList<>();
    List<TaskKind.Field> fields = guarded(kind, kind::fields);
    for (TaskKind.Field field : fields) {
      check(field, given.get(field.name()), problems);
      values.putIfAbsent(field.name(), field.fallback());
    }
    List<String> names = fields.stream().map(TaskKind.Field::name).toList();
    given.keySet().stream()
        .filter(name -> !names.contains(name))
        .forEach(
            name ->
                problems.add(
                    "There is no field '%s'; there are: %s."
                        .formatted(name, String.join(", ", names))));
    if (problems.isEmpty()) {
      problems.addAll(guarded(kind, () -> kind.problems(Map.copyOf(values))));
    }
    if (!problems.isEmpty()) {
      throw new InputException(String.join(" ", problems));
    }
    Map<String, Object> job =
        new LinkedHashMap<>(guarded(kind, () -> kind.job(Map.copyOf(values))));
    job.putIfAbsent("imker", 1);
    job.putIfAbsent("name", kind.name());
    Map<Object, Object> env = new LinkedHashMap<>();
    env.putAll(job.get("env") instanceof Map<?, ?> own ? own : Map.of());
    env.put(VARIABLE, kind.name());
    job.put("env", env);
    return job;
  }

  private static void check(TaskKind.Field field, @Nullable String value, List<String> problems) {
    if (value == null) {
      if (field.required()) {
        problems.add("'%s' is missing: %s".formatted(field.name(), field.description()));
      }
    } else if (field.type() == TaskKind.Type.NUMBER && !NUMBER.matcher(value).matches()) {
      problems.add("'%s' must be a whole number, not '%s'.".formatted(field.name(), value));
    } else if (field.type() == TaskKind.Type.FLAG
        && !value.equals("true")
        && !value.equals("false")) {
      problems.add("'%s' must be true or false, not '%s'.".formatted(field.name(), value));
    }
  }

  /** Whatever a kind throws, it is that kind's fault and nobody else's. */
  private static <T> T guarded(TaskKind kind, Supplier<T> call) {
    try {
      return Objects.requireNonNull(call.get(), "it answers null");
    } catch (InputException e) {
      throw e;
    } catch (RuntimeException | Error e) {
      LOG.warn("The job kind '{}' failed", kind.name(), e);
      throw new InputException(
          "The kind '%s' could not create a job from this: %s. See the server's log for details."
              .formatted(kind.name(), e));
    }
  }
}
