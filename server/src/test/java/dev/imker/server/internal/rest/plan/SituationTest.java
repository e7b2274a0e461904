package dev.imker.server.internal.rest.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.imker.server.http.Json;
import dev.imker.server.internal.rest.request.RecordReader;
import dev.imker.server.plan.ActionTimes;
import dev.imker.server.plan.PlanOrder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SituationTest {
  private static final String DOMAIN =
      """
      (define (domain roads)
        (:predicates (at ?x) (road ?x ?y))
        (:action drive :parameters (?from ?to)
          :precondition (and (at ?from) (road ?from ?to))
          :effect (and (at ?to) (not (at ?from)))))
      """;
  private static final String PROBLEM =
      """
      (define (problem p) (:domain roads) (:objects a b c)
        (:init (at a) (road a b) (road b c)) (:goal (at c)))
      """;

  private static final ActionTimes NOTHING_KNOWN = new ActionTimes(Map.of(), List.of());

  private static Situation situation() {
    ObjectNode order = Json.MAPPER.createObjectNode().put("domain", DOMAIN).put("problem", PROBLEM);
    order
        .putObject("job")
        .putArray("stages")
        .addObject()
        .put("name", "drive")
        .putArray("command")
        .add("drive");
    return Situation.of(RecordReader.read(order, "", PlanOrder.class));
  }

  @Test
  void planning_that_the_end_of_the_server_interrupts_does_not_say_that_there_is_no_plan()
      throws Exception {
    Situation situation = situation();
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> situation.planned(NOTHING_KNOWN, () -> false))
        .isInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isFalse();
    assertThat(situation.planned(NOTHING_KNOWN, () -> false)).hasSize(2);
  }
}
