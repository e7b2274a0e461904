package dev.imker.planner;

import dev.imker.planner.pddl.Domain;
import dev.imker.planner.pddl.Pddl;
import dev.imker.planner.pddl.Problem;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Planning problems written or generated for the tests. */
public final class Instances {
  /** A domain and a problem in it. */
  public record Instance(String name, Domain domain, Problem problem) {
    static Instance of(String domainText, String problemText) {
      Domain domain = Pddl.domain(domainText);
      Problem problem = Pddl.problem(problemText, domain);
      return new Instance(problem.name(), domain, problem);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static final String CARGO =
      """
      (define (domain cargo)
        (:requirements :strips :typing)
        (:types plane airport freight)
        (:predicates (at ?x - (either plane freight) ?a - airport) (in ?f - freight ?p - plane))
        (:action load :parameters (?f - freight ?p - plane ?a - airport)
          :precondition (and (at ?f ?a) (at ?p ?a))
          :effect (and (in ?f ?p) (not (at ?f ?a))))
        (:action unload :parameters (?f - freight ?p - plane ?a - airport)
          :precondition (and (in ?f ?p) (at ?p ?a))
          :effect (and (at ?f ?a) (not (in ?f ?p))))
        (:action fly :parameters (?p - plane ?from ?to - airport)
          :precondition (at ?p ?from)
          :effect (and (at ?p ?to) (not (at ?p ?from)))))
      """;

  static final String BLOCKS =
      """
      (define (domain towers)
        (:requirements :strips :equality :negative-preconditions)
        (:predicates (on ?x ?y) (table ?x) (covered ?x) (held ?x) (busy))
        (:action grab :parameters (?x)
          :precondition (and (table ?x) (not (covered ?x)) (not (busy)))
          :effect (and (held ?x) (busy) (not (table ?x))))
        (:action drop :parameters (?x)
          :precondition (held ?x)
          :effect (and (table ?x) (not (held ?x)) (not (busy))))
        (:action stack :parameters (?x ?y)
          :precondition (and (held ?x) (not (covered ?y)) (not (= ?x ?y)))
          :effect (and (on ?x ?y) (covered ?y) (not (held ?x)) (not (busy))))
        (:action unstack :parameters (?x ?y)
          :precondition (and (on ?x ?y) (not (covered ?x)) (not (busy)))
          :effect (and (held ?x) (busy) (not (on ?x ?y)) (not (covered ?y)))))
      """;

  static final String HANDS =
      """
      (define (domain hands)
        (:requirements :strips :typing :negative-preconditions)
        (:types room ball hand)
        (:predicates (here ?r - room) (lies ?b - ball ?r - room) (full ?h - hand)
          (carried ?b - ball ?h - hand))
        (:action walk :parameters (?from ?to - room)
          :precondition (here ?from) :effect (and (here ?to) (not (here ?from))))
        (:action take :parameters (?b - ball ?h - hand ?r - room)
          :precondition (and (here ?r) (lies ?b ?r) (not (full ?h)))
          :effect (and (carried ?b ?h) (full ?h) (not (lies ?b ?r))))
        (:action put :parameters (?b - ball ?h - hand ?r - room)
          :precondition (and (here ?r) (carried ?b ?h))
          :effect (and (lies ?b ?r) (not (carried ?b ?h)) (not (full ?h)))))
      """;

  static final String TILES =
      """
      (define (domain tiles)
        (:requirements :strips :typing)
        (:types tile cell)
        (:predicates (at ?t - tile ?c - cell) (empty ?c - cell) (next ?c ?d - cell))
        (:action slide :parameters (?t - tile ?from ?to - cell)
          :precondition (and (at ?t ?from) (empty ?to) (next ?from ?to))
          :effect (and (at ?t ?to) (empty ?from) (not (at ?t ?from)) (not (empty ?to)))))
      """;

  static final String DISKS =
      """
      (define (domain disks)
        (:requirements :strips)
        (:predicates (smaller ?x ?y) (on ?x ?y) (clear ?x))
        (:action move :parameters (?d ?from ?to)
          :precondition (and (smaller ?d ?to) (on ?d ?from) (clear ?d) (clear ?to))
          :effect (and (on ?d ?to) (clear ?from) (not (on ?d ?from)) (not (clear ?to)))))
      """;

  static final String NESTS =
      """
      (define (domain nests)
        (:requirements :strips :typing :negative-preconditions)
        (:types bird nest)
        (:predicates (sits ?b - bird ?n - nest) (taken ?n - nest) (settled ?b - bird) (fed ?b - bird))
        (:action settle :parameters (?b - bird ?n - nest)
          :precondition (and (not (settled ?b)) (not (taken ?n)))
          :effect (and (sits ?b ?n) (taken ?n) (settled ?b)))
        (:action leave :parameters (?b - bird ?n - nest)
          :precondition (sits ?b ?n)
          :effect (and (not (sits ?b ?n)) (not (taken ?n)) (not (settled ?b))))
        (:action feed :parameters (?b - bird) :precondition (settled ?b) :effect (fed ?b)))
      """;

  private Instances() {}

  /** Some planes, airports and freights, placed at random; every freight is wanted somewhere. */
  static Instance cargo(int planes, int airports, int freights, long seed) {
    Random random = new Random(seed);
    StringBuilder init = new StringBuilder();
    StringBuilder goal = new StringBuilder();
    IntStream.range(0, planes)
        .forEach(i -> init.append("(at p%d a%d)".formatted(i, random.nextInt(airports))));
    for (int i = 0; i < freights; i++) {
      init.append("(at f%d a%d)".formatted(i, random.nextInt(airports)));
      goal.append("(at f%d a%d)".formatted(i, random.nextInt(airports)));
    }
    return problem(
        CARGO,
        "cargo",
        names("p", planes)
            + " - plane "
            + names("a", airports)
            + " - airport "
            + names("f", freights)
            + " - freight",
        init.toString(),
        goal.toString());
  }

  /** Towers of the given blocks, and other towers wanted. */
  static Instance blocks(int count, long seed) {
    Random random = new Random(seed);
    return problem(
        BLOCKS,
        "towers",
        names("b", count),
        towers(count, random, true),
        towers(count, random, false));
  }

  private static String towers(int count, Random random, boolean complete) {
    List<Integer> order = shuffled(count, random);
    StringBuilder facts = new StringBuilder();
    for (int i = 0; i < count; i++) {
      if (i == 0 || random.nextInt(3) == 0) {
        facts.append("(table b%d)".formatted(order.get(i)));
      } else {
        facts.append("(on b%d b%d)".formatted(order.get(i), order.get(i - 1)));
        facts.append(complete ? "(covered b%d)".formatted(order.get(i - 1)) : "");
      }
    }
    return facts.toString();
  }

  /** All balls in one room, wanted in the other; two hands. */
  static Instance hands(int balls) {
    String init = "(here r0)" + each(balls, "(lies b%d r0)");
    return problem(
        HANDS,
        "hands",
        "r0 r1 - room left right - hand " + names("b", balls) + " - ball",
        init,
        each(balls, "(lies b%d r1)"));
  }

  /** A sliding puzzle with its tiles in random order; half of these have no solution. */
  static Instance tiles(int width, int height, long seed) {
    int cells = width * height;
    List<Integer> order = shuffled(cells, new Random(seed));
    StringBuilder init = new StringBuilder();
    StringBuilder goal = new StringBuilder();
    for (int cell = 0; cell < cells; cell++) {
      int tile = order.get(cell);
      init.append(tile == 0 ? "(empty c%d)".formatted(cell) : "(at t%d c%d)".formatted(tile, cell));
      goal.append(cell == 0 ? "(empty c0)" : "(at t%d c%d)".formatted(cell, cell));
      if (cell % width + 1 < width) {
        init.append("(next c%1$d c%2$d)(next c%2$d c%1$d)".formatted(cell, cell + 1));
      }
      if (cell + width < cells) {
        init.append("(next c%1$d c%2$d)(next c%2$d c%1$d)".formatted(cell, cell + width));
      }
    }
    return problem(
        TILES,
        "tiles",
        names("t", cells) + " - tile " + names("c", cells) + " - cell",
        init.toString(),
        goal.toString());
  }

  static Instance disks(int count) {
    StringBuilder init = new StringBuilder("(clear p1)(clear p2)(clear d0)");
    StringBuilder goal = new StringBuilder();
    for (int i = 0; i < count; i++) {
      String below = i + 1 < count ? "d" + (i + 1) : "p";
      init.append("(on d%d %s)".formatted(i, below.equals("p") ? "p0" : below));
      goal.append("(on d%d %s)".formatted(i, below.equals("p") ? "p2" : below));
      for (int peg = 0; peg < 3; peg++) {
        init.append("(smaller d%d p%d)".formatted(i, peg));
      }
      for (int larger = i + 1; larger < count; larger++) {
        init.append("(smaller d%d d%d)".formatted(i, larger));
      }
    }
    return problem(
        DISKS, "disks", "p0 p1 p2 " + names("d", count), init.toString(), goal.toString());
  }

  /** All birds fed, with too few nests for all at once. */
  static Instance nests(int birds, int nests) {
    return problem(
        NESTS,
        "nests",
        names("b", birds) + " - bird " + names("n", nests) + " - nest",
        "",
        each(birds, "(fed b%d)"));
  }

  /** All birds settled at the end, which too few nests make impossible. */
  static Instance crowdedNests(int birds, int nests) {
    return problem(
        NESTS,
        "nests",
        names("b", birds) + " - bird " + names("n", nests) + " - nest",
        "",
        each(birds, "(settled b%d)"));
  }

  /** Too few nests, and so many lamps beside them that the states cannot be counted. */
  static Instance crowdedNestsWithLamps(int lamps) {
    StringBuilder domain = new StringBuilder(NESTS.strip());
    domain.setLength(domain.length() - 1);
    for (int i = 0; i < lamps; i++) {
      domain.append(
          "(:action on%1$d :parameters () :precondition (not (lamp%1$d)) :effect (lamp%1$d))"
                  .formatted(i)
              + "(:action off%1$d :parameters () :precondition (lamp%1$d) :effect (not (lamp%1$d)))"
                  .formatted(i));
    }
    String declared = each(lamps, "(lamp%d)");
    return problem(
        domain.append(')').toString().replace("(:predicates ", "(:predicates " + declared),
        "nests",
        "b0 b1 b2 - bird n0 n1 - nest",
        "",
        each(3, "(settled b%d)") + declared);
  }

  /** Problems small enough to try everything. */
  static Stream<Instance> tiny() {
    List<Instance> instances = new ArrayList<>();
    for (long seed = 1; seed <= 3; seed++) {
      instances.add(cargo(1, 2, 2, seed));
      instances.add(cargo(2, 2, 1, seed));
      instances.add(blocks(3, seed));
      instances.add(tiles(2, 2, seed));
      instances.add(tiles(3, 2, seed));
    }
    instances.add(blocks(4, 1));
    instances.add(hands(2));
    instances.add(disks(3));
    instances.add(nests(3, 2));
    instances.add(crowdedNests(3, 2));
    return instances.stream();
  }

  private static Instance problem(
      String domain, String domainName, String objects, String init, String goal) {
    return Instance.of(
        domain,
        "(define (problem %s-test) (:domain %s) (:objects %s) (:init %s) (:goal (and %s)))"
            .formatted(domainName, domainName, objects, init, goal));
  }

  private static String names(String prefix, int count) {
    return String.join(" ", IntStream.range(0, count).mapToObj(i -> prefix + i).toList());
  }

  private static String each(int count, String pattern) {
    return String.join("", IntStream.range(0, count).mapToObj(pattern::formatted).toList());
  }

  private static List<Integer> shuffled(int count, Random random) {
    List<Integer> order = new ArrayList<>(IntStream.range(0, count).boxed().toList());
    Collections.shuffle(order, random);
    return order;
  }
}
