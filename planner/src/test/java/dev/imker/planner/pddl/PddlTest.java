package dev.imker.planner.pddl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PddlTest {
  static final String DOMAIN =
      """
      ; Vans bring parcels.
      (define (domain Vans)
        (:requirements :strips :typing :adl :action-costs)
        (:types van truck - vehicle  vehicle parcel - object  place)
        (:constants depot - place)
        (:functions (total-cost) - number)
        (:predicates (at ?x - (either vehicle parcel) ?p - place) (in ?x ?v) (open))
        (:action load
          :parameters (?x - parcel ?v - vehicle ?p - place)
          :precondition (and (at ?x ?p) (and (at ?v ?p) (not (= ?p depot))) ())
          :effect (and (in ?x ?v) (not (at ?x ?p)) (increase (total-cost) 1)))
        (:action rest :parameters ()))
      """;

  static final String PROBLEM =
      """
      (define (problem one) (:domain vans)
        (:objects v - van p1 P2 - parcel home - place)
        (:init (at v home) (at p1 home) (not (open)) (= (total-cost) 0))
        (:goal (and (in p1 v) (not (open))))
        (:metric minimize (total-cost)))
      """;

  @Test
  void a_domain_is_read_as_written() {
    Domain domain = Pddl.domain(DOMAIN);

    assertThat(domain.name()).isEqualTo("vans");
    assertThat(domain.constants()).containsExactly(TypedName.of("depot", "place"));
    assertThat(domain.types().fits(List.of("van"), List.of("vehicle"))).isTrue();
    assertThat(domain.types().fits(List.of("place"), List.of("vehicle"))).isFalse();
    assertThat(domain.predicates()).extracting(Predicate::name).containsExactly("at", "in", "open");
    ActionSchema load = domain.actions().getFirst();
    assertThat(load.precondition()).hasToString("[(at ?x ?p), (at ?v ?p), (not (= ?p depot))]");
    assertThat(load.effect()).hasToString("[(in ?x ?v), (not (at ?x ?p))]");
    assertThat(domain.actions().get(1).parameters()).isEmpty();
  }

  @Test
  void a_problem_is_read_as_written() {
    Problem problem = Pddl.problem(PROBLEM, Pddl.domain(DOMAIN));

    assertThat(problem.objects())
        .containsExactly(
            TypedName.of("v", "van"),
            TypedName.of("p1", "parcel"),
            TypedName.of("p2", "parcel"),
            TypedName.of("home", "place"));
    assertThat(problem.init()).hasToString("[(at v home), (at p1 home)]");
    assertThat(problem.goal()).hasToString("[(in p1 v), (not (open))]");
  }

  @Test
  void files_are_read_whatever_their_bytes(@TempDir Path folder) throws IOException {
    Path good = Files.writeString(folder.resolve("d.pddl"), DOMAIN);
    Path bad = Files.write(folder.resolve("b.pddl"), new byte[] {0, (byte) 0xff, 40, 41, 7});

    assertThat(Pddl.domain(good).name()).isEqualTo("vans");
    assertThatThrownBy(() -> Pddl.domain(bad))
        .isInstanceOf(PddlException.class)
        .hasMessage("line 1, column 1: expected '(' but found character U+0000");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | line 1, column 1: expected '(define …)' but the text is empty",
        "'(define' | line 1, column 8: expected ')' for the '(' of line 1, column 1 but the text"
            + " ends",
        "'(define (domain d)) x' | line 1, column 21: expected the end of the text but found 'x'",
        "'(defne (domain d))' | line 1, column 2: expected 'define' but found 'defne'",
        "'(define (problem d))' | line 1, column 9: expected '(domain name)'",
        "'(define (domain d) (:foo))' | line 1, column 21: expected one of :requirements, :types,"
            + " :constants, :predicates, :action but found ':foo'",
        "'(define (domain d) (:predicates (p x)))' | line 1, column 36: expected a variable such as"
            + " '?x' but found 'x'",
        "'(define (domain d) (:predicates (p ?x - t)))' | line 1, column 41: the type 't' is not"
            + " declared in :types",
        "'(define (domain d) (:action a :effect (p)))' | line 1, column 40: the predicate 'p' is"
            + " not declared in :predicates",
        "'(define (domain d) (:predicates (p ?x)) (:action a :effect (p)))' | line 1, column 62:"
            + " expected 1 term for 'p', here are 0 but found ')'",
        "'(define (domain d) (:predicates (p ?x)) (:action a :effect (p ?y)))' | line 1, column 63:"
            + " expected a parameter or constant but '?y' is not declared",
        "'(define (domain d) (:predicates (p)) (:action a :effect (when (p) (p))))' | line 1,"
            + " column 57: 'when' is not supported (only and, not, = and declared predicates)",
        "'(define (domain d) (:action a :parameters (?x ?x)))' | line 1, column 43: the parameter"
            + " '?x' occurs twice",
        "'(define (domain d) (:types t) (:types u))' | line 1, column 32: there is already a"
            + " section :types",
        "'(define (domain d) (:action a :foo ()))' | line 1, column 31: expected one of"
            + " :parameters, :precondition, :effect but found ':foo'",
      })
  void mistakes_are_located(String text, String message) {
    assertThatThrownBy(() -> Pddl.domain(text))
        .isInstanceOf(PddlException.class)
        .hasMessage(message);
  }

  @Test
  void mistakes_on_later_lines_are_located() {
    assertThatThrownBy(() -> Pddl.problem(PROBLEM.replace("p1 v", "p1 w"), Pddl.domain(DOMAIN)))
        .isInstanceOfSatisfying(
            PddlException.class,
            fault -> {
              assertThat(fault.line()).isEqualTo(4);
              assertThat(fault.column()).isEqualTo(22);
              assertThat(fault.problem()).isEqualTo("expected an object but 'w' is not declared");
            });
    assertThatThrownBy(
            () -> Pddl.problem("(define (problem p) (:domain other))", Pddl.domain(DOMAIN)))
        .hasMessageContaining("expected the name of the given domain, 'vans', but found 'other'");
    assertThatThrownBy(
            () -> Pddl.problem("(define (problem p) (:domain vans))", Pddl.domain(DOMAIN)))
        .hasMessageContaining("expected a section '(:goal …)'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'(:objects a a - place) (:goal (and))' | line 1, column 45: the object 'a' is declared"
            + " twice",
        "'(:objects a - place v - van) (:init (at a v)) (:goal (and))' | line 1, column 69: 'a' in"
            + " (at a v) is not of type van",
        "'(:goal (and)) (:goal (and))' | line 1, column 48: there is already a goal;"
            + " combine them with '(and …)'",
        "'(:requirements :stripes) (:goal (and))' | line 1, column 48: expected a requirement of"
            + " PDDL such as ':strips' but found ':stripes'",
      })
  void mistakes_of_problems_are_located(String text, String message) {
    Domain domain =
        Pddl.domain(
            "(define (domain d) (:requirements :strips :adl) (:types van place - object)"
                + " (:predicates (at ?v - van ?p - place)))");
    assertThatThrownBy(() -> Pddl.problem("(define (problem p) (:domain d) " + text + ")", domain))
        .hasMessage(message);
  }

  @Test
  void types_in_a_circle_are_refused() {
    assertThatThrownBy(() -> Pddl.domain("(define (domain d) (:types a - b b - c c - a))"))
        .hasMessage("line 1, column 28: the type 'a' descends from itself");
  }
}
