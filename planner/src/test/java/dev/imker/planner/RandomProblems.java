package dev.imker.planner;

import dev.imker.planner.Instances.Instance;
import dev.imker.planner.pddl.ActionSchema;
import dev.imker.planner.pddl.Atom;
import dev.imker.planner.pddl.Domain;
import dev.imker.planner.pddl.Literal;
import dev.imker.planner.pddl.Predicate;
import dev.imker.planner.pddl.Problem;
import dev.imker.planner.pddl.TypeHierarchy;
import dev.imker.planner.pddl.TypedName;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Small problems without any sense, to meet combinations nobody would write. */
public final class RandomProblems {
  private static final List<TypedName> OBJECTS =
      List.of(TypedName.of("k", TypedName.ANY), TypedName.of("m", TypedName.ANY));

  private RandomProblems() {}

  public static Instance of(long seed) {
    Random random = new Random(seed);
    List<Predicate> predicates = new ArrayList<>();
    int predicateCount = 3 + random.nextInt(3);
    for (int i = 0; i < predicateCount; i++) {
      List<TypedName> parameters =
          i % 2 == 0 ? List.of() : List.of(TypedName.of("?v", TypedName.ANY));
      predicates.add(new Predicate("p" + i, parameters));
    }
    List<ActionSchema> actions = new ArrayList<>();
    int actionCount = 2 + random.nextInt(4);
    for (int i = 0; i < actionCount; i++) {
      List<TypedName> parameters =
          random.nextBoolean() ? List.of() : List.of(TypedName.of("?x", TypedName.ANY));
      List<String> terms = new ArrayList<>(List.of("k"));
      parameters.forEach(parameter -> terms.add(parameter.name()));
      actions.add(
          new ActionSchema(
              "a" + i,
              parameters,
              literals(random, predicates, terms, random.nextInt(4)),
              literals(random, predicates, terms, 1 + random.nextInt(3))));
    }
    List<String> objects = OBJECTS.stream().map(TypedName::name).toList();
    List<Atom> init =
        literals(random, predicates, objects, random.nextInt(4)).stream()
            .map(Literal::atom)
            .distinct()
            .toList();
    List<Literal> goal = literals(random, predicates, objects, 1 + random.nextInt(3));
    Domain domain = new Domain("random", TypeHierarchy.of(List.of()), OBJECTS, predicates, actions);
    return new Instance(
        "random-" + seed, domain, new Problem("random-" + seed, List.of(), init, goal));
  }

  private static List<Literal> literals(
      Random random, List<Predicate> predicates, List<String> terms, int count) {
    List<Literal> literals = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Predicate predicate = predicates.get(random.nextInt(predicates.size()));
      List<String> chosen =
          predicate.parameters().stream()
              .map(_ -> terms.get(random.nextInt(terms.size())))
              .toList();
      literals.add(new Literal(new Atom(predicate.name(), chosen), random.nextInt(3) > 0));
    }
    return literals;
  }
}
