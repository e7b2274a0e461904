package dev.imker.planner;

import dev.imker.planner.Instances.Instance;
import java.util.List;
import java.util.Random;

/**
 * Small problems as PDDL texts, with all that the language has: types that descend from each other,
 * objects of either of two, constants, equality, negation, an object that is declared twice.
 */
public final class RandomTexts {
  private static final String HEAD =
      """
      (define (domain chance)
        (:requirements :strips :typing :equality :negative-preconditions)
        (:types insect plant - thing bee - insect)
        (:constants queen - bee)
        (:predicates (day) (tired ?i - thing) (near ?a - (either insect plant) ?b - thing))
      """;
  private static final String OBJECTS =
      "(:objects queen - bee rose - plant moth - (either insect plant))";
  private static final List<String> TYPES =
      List.of("- insect", "- plant", "- bee", "- (either bee plant)", "- thing", "");

  private final Random random;

  private RandomTexts(long seed) {
    random = new Random(seed);
  }

  public static Instance of(long seed) {
    return new RandomTexts(seed).instance();
  }

  private Instance instance() {
    StringBuilder domain = new StringBuilder(HEAD);
    int actions = 1 + random.nextInt(3);
    for (int i = 0; i < actions; i++) {
      domain.append(action(i));
    }
    List<String> objects = List.of("queen", "rose", "moth");
    String init = atoms(objects, random.nextInt(4));
    String goal = literals(objects, 1 + random.nextInt(3), random.nextInt(5) == 0);
    return Instance.of(
        domain.append(")").toString(),
        "(define (problem p) (:domain chance) %s (:init %s) (:goal (and %s)))"
            .formatted(OBJECTS, init, goal));
  }

  private String action(int number) {
    boolean two = random.nextInt(3) == 0;
    String parameters = "?x " + type() + (two ? " ?y " + type() : "");
    List<String> terms = two ? List.of("?x", "?y", "queen") : List.of("?x", "queen");
    return "(:action a%d :parameters (%s) :precondition (and %s) :effect (and %s))\n"
        .formatted(
            number,
            parameters,
            literals(terms, random.nextInt(3), two && random.nextBoolean()),
            literals(terms, 1 + random.nextInt(3), false));
  }

  private String type() {
    return TYPES.get(random.nextInt(TYPES.size()));
  }

  private String literals(List<String> terms, int count, boolean equality) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      String atom = atom(terms);
      text.append(random.nextInt(3) == 0 ? "(not " + atom + ")" : atom).append(' ');
    }
    if (equality) {
      String equal = "(= " + pick(terms) + " " + pick(terms) + ")";
      text.append(random.nextInt(3) > 0 ? "(not " + equal + ")" : equal);
    }
    return text.toString();
  }

  private String atoms(List<String> terms, int count) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append(atom(terms)).append(' ');
    }
    return text.toString();
  }

  private String atom(List<String> terms) {
    return switch (random.nextInt(4)) {
      case 0 -> "(day)";
      case 1 -> "(tired " + pick(terms) + ")";
      default -> "(near " + pick(terms) + " " + pick(terms) + ")";
    };
  }

  private String pick(List<String> terms) {
    return terms.get(random.nextInt(terms.size()));
  }
}
