package dev.imker.server.internal.rest.tasks;

import dev.imker.model.TaskState;
import dev.imker.model.job.StageIndex;
import dev.imker.model.job.SweepAxis;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Exchange;
import dev.imker.server.internal.rest.nodes.NodeNames;
import dev.imker.server.internal.rest.request.Glob;
import dev.imker.store.AttemptRecord;
import dev.imker.store.TaskRecord;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What tasks are searched for besides their state.
 *
 * @param params what values of parameters must be
 * @param node what the name of the node of the last attempt must be; null for any
 * @param ran whether there must have been an attempt, or must not; null for any
 * @param text that is in the output or the error output; empty for any
 */
record TaskFilter(
    Map<String, Predicate<String>> params,
    @Nullable Predicate<String> node,
    @Nullable Integer exitCode,
    @Nullable Boolean ran,
    String text) {
  private static final int MIN_EXIT_CODE = -255;
  private static final int MAX_EXIT_CODE = 255;

  /** Of the query of a request. */
  static TaskFilter read(Exchange exchange) {
    Optional<String> exit = exchange.query("exit").filter(value -> !value.isBlank());
    return new TaskFilter(
        params(exchange.query("param").orElse("")),
        exchange
            .query("node")
            .filter(value -> !value.isBlank())
            .<Predicate<String>>map(value -> new Glob(value.strip()))
            .orElse(null),
        exit.isPresent()
            ? (Integer) (int) exchange.queryNumber("exit", 0, MIN_EXIT_CODE, MAX_EXIT_CODE)
            : null,
        exchange.query("ran").isPresent() ? (Boolean) exchange.queryFlag("ran") : null,
        exchange.query("text").orElse(""));
  }

  private static Map<String, Predicate<String>> params(String given) {
    Map<String, Predicate<String>> all = new LinkedHashMap<>();
    for (String one : given.split(",", -1)) {
      if (one.isBlank()) {
        continue;
      }
      int equals = one.indexOf('=');
      if (equals < 1) {
        throw ApiException.invalid(
            "param",
            "'%s' is not a value of a parameter; write NAME=VALUE, where * stands for anything."
                .formatted(one.strip()));
      }
      all.put(one.substring(0, equals).strip(), new Glob(one.substring(equals + 1).strip()));
    }
    return all;
  }

  boolean isEmpty() {
    return params.isEmpty() && ran == null && !needsRow();
  }

  /** Whether tasks that never ran cannot pass. */
  boolean needsRow() {
    return node != null || exitCode != null || !text.isEmpty() || Boolean.TRUE.equals(ran);
  }

  boolean hasParams(StageIndex stages, int index) {
    if (params.isEmpty()) {
      return true;
    }
    List<SweepAxis> axes = stages.stageOf(index).sweep();
    List<String> values = stages.params(index);
    int met = 0;
    for (int i = 0; i < axes.size(); i++) {
      Predicate<String> wanted = params.get(axes.get(i).name());
      if (wanted != null && !wanted.test(values.get(i))) {
        return false;
      }
      met += wanted == null ? 0 : 1;
    }
    return met == params.size();
  }

  /** Whether a task ran where it must have, and ended as it must have; its output apart. */
  boolean passes(TaskRecord task, Set<TaskState> states, NodeNames names) {
    AttemptRecord last = task.last();
    if (!states.isEmpty() && !states.contains(task.state())) {
      return false;
    }
    if (ran != null && ran != (last != null)) {
      return false;
    }
    if (last == null) {
      return !needsRow();
    }
    boolean there =
        node == null || node.test(names.of(last.node())) || node.test(names.of(last.agent()));
    boolean ended =
        exitCode == null
            || (last.report() != null
                && last.report().startedMillis() > 0
                && last.report().exitCode() == exitCode);
    return there && ended;
  }
}
