package dev.imker.client.internal.shipping;

import dev.imker.model.ImkerException;
import dev.imker.planner.actions.ActionDescription;
import dev.imker.planner.actions.ActionLibrary;
import dev.imker.planner.actions.ActionPlanner;
import dev.imker.planner.actions.ActionScanner;
import dev.imker.planner.actions.Relation;
import dev.imker.planner.actions.ScanReport;
import dev.imker.tasks.Effects;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The actions of a planned job, and the code they are made of. */
public final class ActionSource {
  private static final int PLANS_KEPT = 1_000;

  /** Plans are remembered across jobs with the same actions. */
  private static final Map<List<ActionDescription>, ActionPlanner> PLANNERS =
      new ConcurrentHashMap<>();

  private final Map<String, ActionDescription> actions = new LinkedHashMap<>();
  private final Set<Class<?>> classes = new LinkedHashSet<>();
  private final List<Path> jars = new ArrayList<>();

  public void add(Class<?> task) {
    String resource = "/" + task.getName().replace('.', '/') + ".class";
    try (InputStream in = task.getResourceAsStream(resource)) {
      if (in == null) {
        throw new ImkerException("The class " + task.getName() + " has no class file.");
      }
      ActionDescription action =
          ActionScanner.scanClass(in.readAllBytes())
              .orElseThrow(
                  () -> new ImkerException(task.getName() + " is not marked with @Action."))
              .description();
      actions.put(action.name(), withSupertypes(action, task));
      classes.add(task);
    } catch (IOException e) {
      throw new ImkerException("Cannot read the class " + task.getName() + ".", e);
    }
  }

  /** Whoever needs a value of a type will do with one of a subtype. */
  private static ActionDescription withSupertypes(ActionDescription action, Class<?> task) {
    Effects effects = task.getAnnotation(Effects.class);
    if (effects == null) {
      return action;
    }
    Set<Relation> all = new LinkedHashSet<>(action.effects());
    for (Class<?> type : effects.value()) {
      supertypes(type).forEach(name -> all.add(Relation.relation(name)));
    }
    return new ActionDescription(
        action.name(),
        action.parameters(),
        action.preconditions(),
        List.copyOf(all),
        action.negativeEffects());
  }

  /** Names of a class and of all that it extends and implements, without those of Java. */
  public static Set<String> supertypes(Class<?> type) {
    Set<String> names = new LinkedHashSet<>();
    Deque<Class<?>> open = new ArrayDeque<>(List.of(type));
    for (Class<?> next = open.poll(); next != null; next = open.poll()) {
      boolean own = next.equals(type) || !next.getName().startsWith("java.");
      if (own && names.add(next.getName())) {
        open.addAll(List.of(next.getInterfaces()));
        if (next.getSuperclass() != null) {
          open.add(next.getSuperclass());
        }
      }
    }
    return names;
  }

  public void add(Path jar) {
    try {
      ScanReport report = ActionScanner.scanJar(jar);
      if (!report.problems().isEmpty()) {
        throw new ImkerException(jar + ": " + String.join("; ", report.problems()));
      }
      report.actions().forEach(found -> actions.put(found.className(), found.description()));
      jars.add(jar);
    } catch (IOException e) {
      throw new ImkerException("Cannot read " + jar + ": " + e.getMessage(), e);
    }
  }

  /** Values of this class come along. */
  public void needs(Class<?> type) {
    classes.add(type);
  }

  public ActionLibrary library() {
    return new ActionLibrary(actions.values());
  }

  public ActionPlanner planner() {
    return PLANNERS.computeIfAbsent(
        List.copyOf(actions.values()), _ -> new ActionPlanner(library(), PLANS_KEPT));
  }

  public ActionDescription action(String name) {
    ActionDescription action = actions.get(name);
    if (action == null) {
      throw new IllegalArgumentException("no action " + name);
    }
    return action;
  }

  public Shipping shipping() {
    Shipping shipping = new Shipping(jars);
    classes.forEach(shipping::require);
    return shipping;
  }

  /** Where the tasks come from when they run in this program. */
  public ClassLoader loader() {
    for (Class<?> type : classes) {
      ClassLoader loader = type.getClassLoader();
      if (loader != null) {
        return loader;
      }
    }
    return ClassLoader.getSystemClassLoader();
  }
}
