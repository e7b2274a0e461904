package dev.imker.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TaskTest {
  record Single(int value) {}

  record Twice(int value) {}

  static final class Doubling extends Task {
    @Override
    protected void task() {
      put(new Twice(2 * get(Single.class).value()));
    }
  }

  static final class Moving extends Task {
    @Override
    protected void task() {
      put("d", get(String.class, "d") + "@" + argument("to"));
    }
  }

  @Test
  void a_task_takes_values_by_type_and_leaves_others() throws Exception {
    TaskValues values = new TaskValues(Map.of("n", new Single(4)), Map.of());
    Doubling task = new Doubling();
    task.begin(values, new FixedContext(1));
    task.attempt("");
    assertThat(values.made()).isEqualTo(Map.of(Twice.class.getName(), new Twice(8)));
  }

  @Test
  void a_task_takes_values_by_parameter() throws Exception {
    TaskValues values =
        new TaskValues(Map.of("letter", "text"), Map.of("d", "letter", "to", "archive"));
    Moving task = new Moving();
    task.begin(values, new FixedContext(1));
    task.attempt("");
    assertThat(values.made()).isEqualTo(Map.of("letter", "text@archive"));
  }

  @Test
  void a_missing_value_is_named() {
    Doubling task = new Doubling();
    task.begin(new TaskValues(Map.of(), Map.of()), new FixedContext(1));
    assertThatThrownBy(() -> task.attempt(""))
        .hasMessageContaining(Single.class.getName())
        .hasMessageContaining("@Preconditions");
  }

  @Test
  void a_further_attempt_begins_with_rescue() throws Exception {
    StringBuilder calls = new StringBuilder();
    Task task =
        new Task() {
          @Override
          protected void rescue(String previousError) {
            calls.append("rescue(").append(previousError).append(") ");
          }

          @Override
          protected void task() {
            calls.append("task ");
          }
        };
    task.begin(new TaskValues(Map.of(), Map.of()), new FixedContext(1));
    task.attempt("");
    task.begin(new TaskValues(Map.of(), Map.of()), new FixedContext(2));
    task.attempt("token expired");
    assertThat(calls).hasToString("task rescue(token expired) task ");
  }
}
