package dev.imker.planner.internal.ground;

import dev.imker.planner.internal.basics.Bits;
import dev.imker.planner.internal.basics.IntKey;
import dev.imker.planner.internal.basics.IntList;
import dev.imker.planner.internal.basics.Stopwatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;

/**
 * Finds every action instance that could ever be applied if nothing were deleted. New atoms are
 * taken one by one; each is matched with the conditions it could satisfy, the rest of the action's
 * conditions is joined from the atoms taken so far, the most selective condition first.
 */
final class Exploration {
  /** An action schema with an object for each parameter. */
  @SuppressWarnings("ArrayRecordComponent")
  record Instance(int schema, int[] binding) {}

  private record Trigger(int schema, int condition) {}

  private static final int BYTES_PER_INSTANCE = 600;

  private final List<NumberedSchema> schemas;
  private final FactIndex facts;
  private final boolean[] fluent;
  private final boolean[] deletable;
  private final int initialCount;
  private final BiPredicate<NumberedSchema, int[]> excluded;
  private final Stopwatch stopwatch;
  private final List<List<Trigger>> triggers = new ArrayList<>();
  private final Set<IntKey> seen = new HashSet<>();
  private final List<Instance> instances = new ArrayList<>();
  private final long maxInstances = Runtime.getRuntime().maxMemory() / 2 / BYTES_PER_INSTANCE;
  private boolean[] enabled;

  /**
   * @param facts the atoms of the initial state, numbered but not enabled; more are added
   * @param excluded tells actions that are to be left out, by their objects
   */
  Exploration(
      List<NumberedSchema> schemas,
      FactIndex facts,
      int predicateCount,
      BiPredicate<NumberedSchema, int[]> excluded,
      Stopwatch stopwatch) {
    this.schemas = schemas;
    this.facts = facts;
    this.excluded = excluded;
    this.stopwatch = stopwatch;
    fluent = new boolean[predicateCount];
    deletable = new boolean[predicateCount];
    initialCount = facts.size();
    enabled = new boolean[Math.max(16, facts.size())];
    for (int i = 0; i < predicateCount; i++) {
      triggers.add(new ArrayList<>());
    }
    for (int s = 0; s < schemas.size(); s++) {
      NumberedSchema schema = schemas.get(s);
      schema.adds.forEach(add -> fluent[add.predicate()] = true);
      schema.deletes.forEach(delete -> deletable[delete.predicate()] = true);
      for (int c = 0; c < schema.required.size(); c++) {
        triggers.get(schema.required.get(c).predicate()).add(new Trigger(s, c));
      }
    }
  }

  List<Instance> run() {
    for (int fact = 0; fact < initialCount; fact++) {
      if (!fluent[facts.predicate(fact)]) {
        enable(fact);
      }
    }
    for (int s = 0; s < schemas.size(); s++) {
      if (schemas.get(s).required.stream().noneMatch(p -> fluent[p.predicate()])) {
        join(s, unbound(schemas.get(s)), new boolean[schemas.get(s).required.size()]);
      }
    }
    for (int fact = 0; fact < facts.size(); fact++) {
      if (fluent[facts.predicate(fact)]) {
        enable(fact);
        for (Trigger trigger : triggers.get(facts.predicate(fact))) {
          start(trigger, fact);
        }
      }
    }
    return instances;
  }

  boolean isInitial(int fact) {
    return fact < initialCount;
  }

  private void enable(int fact) {
    if (fact >= enabled.length) {
      enabled = Arrays.copyOf(enabled, Math.max(fact + 1, enabled.length * 2));
    }
    enabled[fact] = true;
    facts.enable(fact);
  }

  private boolean isEnabled(int fact) {
    return fact >= 0 && fact < enabled.length && enabled[fact];
  }

  private static int[] unbound(NumberedSchema schema) {
    int[] binding = new int[schema.parameterCount];
    Arrays.fill(binding, NumberedSchema.UNBOUND);
    return binding;
  }

  private void start(Trigger trigger, int fact) {
    NumberedSchema schema = schemas.get(trigger.schema);
    int[] binding = unbound(schema);
    if (unify(schema, schema.required.get(trigger.condition), fact, binding)) {
      boolean[] done = new boolean[schema.required.size()];
      done[trigger.condition] = true;
      join(trigger.schema, binding, done);
    }
  }

  /** Binds the parameters so that the pattern becomes the fact; false if that is impossible. */
  private boolean unify(
      NumberedSchema schema, NumberedSchema.Pattern pattern, int fact, int[] binding) {
    int[] objects = facts.terms(fact);
    for (int i = 0; i < objects.length; i++) {
      int term = pattern.terms()[i];
      int bound = NumberedSchema.resolve(term, binding);
      if (bound == NumberedSchema.UNBOUND) {
        if (!Bits.get(schema.candidates[-1 - term], objects[i])) {
          return false;
        }
        binding[-1 - term] = objects[i];
      } else if (bound != objects[i]) {
        return false;
      }
    }
    return schema.equalitiesHold(binding);
  }

  private void join(int schemaNumber, int[] binding, boolean[] done) {
    stopwatch.check();
    NumberedSchema schema = schemas.get(schemaNumber);
    int best = -1;
    IntList bestCandidates = null;
    for (int c = 0; c < done.length; c++) {
      if (!done[c]) {
        NumberedSchema.Pattern condition = schema.required.get(c);
        if (condition.isBound(binding)) {
          if (!isEnabled(facts.find(condition.predicate(), condition.bind(binding)))) {
            return;
          }
          continue;
        }
        IntList candidates = facts.candidates(condition, binding);
        if (bestCandidates == null || candidates.size() < bestCandidates.size()) {
          best = c;
          bestCandidates = candidates;
        }
      }
    }
    if (bestCandidates == null) {
      bindFree(schemaNumber, binding, 0);
      return;
    }
    done[best] = true;
    int size = bestCandidates.size();
    for (int i = 0; i < size; i++) {
      int[] extended = binding.clone();
      if (unify(schema, schema.required.get(best), bestCandidates.get(i), extended)) {
        join(schemaNumber, extended, done);
      }
    }
    done[best] = false;
  }

  /** Parameters that no condition binds range over all objects of their type. */
  private void bindFree(int schemaNumber, int[] binding, int from) {
    stopwatch.check();
    NumberedSchema schema = schemas.get(schemaNumber);
    int parameter = from;
    while (parameter < binding.length && binding[parameter] != NumberedSchema.UNBOUND) {
      parameter++;
    }
    if (parameter == binding.length) {
      found(schemaNumber, binding);
      return;
    }
    for (int object : Bits.members(schema.candidates[parameter])) {
      binding[parameter] = object;
      if (schema.equalitiesHold(binding)) {
        bindFree(schemaNumber, binding, parameter + 1);
      }
    }
    binding[parameter] = NumberedSchema.UNBOUND;
  }

  private void found(int schemaNumber, int[] binding) {
    NumberedSchema schema = schemas.get(schemaNumber);
    if (!schema.equalitiesHold(binding)
        || isForbidden(schema, binding)
        || excluded.test(schema, binding)) {
      return;
    }
    int[] key = Arrays.copyOf(binding, binding.length + 1);
    key[binding.length] = schemaNumber;
    if (!seen.add(new IntKey(key))) {
      return;
    }
    if (instances.size() >= maxInstances) {
      throw new Stopwatch.Stopped();
    }
    instances.add(new Instance(schemaNumber, binding.clone()));
    for (NumberedSchema.Pattern add : schema.adds) {
      facts.number(add.predicate(), add.bind(binding));
    }
  }

  /** Whether a negative condition can never hold: the atom is there from the start and stays. */
  private boolean isForbidden(NumberedSchema schema, int[] binding) {
    for (NumberedSchema.Pattern pattern : schema.forbidden) {
      int fact = facts.find(pattern.predicate(), pattern.bind(binding));
      if (fact >= 0 && isInitial(fact) && !deletable[pattern.predicate()]) {
        return true;
      }
    }
    return false;
  }
}
