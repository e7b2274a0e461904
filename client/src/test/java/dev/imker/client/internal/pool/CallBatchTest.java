package dev.imker.client.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.client.context.PoolContext;
import dev.imker.client.executor.ExecutorOptions;
import dev.imker.client.internal.http.RestClient;
import dev.imker.tasks.RemoteCallable;
import dev.imker.tasks.values.CallOutcome;
import dev.imker.tasks.values.ValueException;
import dev.imker.tasks.values.Values;
import java.net.URI;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Whatever a task tells of its calls, nobody waits for them for ever. */
final class CallBatchTest {
  record Point(int x) {}

  record Weights(SortedMap<Point, Integer> ofPoints) {}

  private static final class Counting implements CallBatch.Listener {
    int over;

    @Override
    public void ran(int calls, long nanos) {}

    @Override
    public void waited() {}

    @Override
    public void over(int calls, List<CallQueue.Entry> again) {
      over += calls;
    }
  }

  private final Counting counting = new Counting();

  /** The future of a call whose task told this of it. */
  private RemoteFuture<Object> told(List<byte[]> outcomes) {
    RestClient rest = new RestClient(new PoolContext(URI.create("http://127.0.0.1:1"), "", ""));
    try (JobSession session = new JobSession(rest)) {
      CallQueue queue = new CallQueue(ExecutorOptions.USUAL);
      RemoteFuture<Object> future = new RemoteFuture<>((RemoteCallable<Object>) () -> 1);
      queue.add(future);
      CallBatch batch = new CallBatch(session, counting, queue.take(1));
      batch.ended(new Followed.Outcome(1, 1, "DONE", CallOutcome.report(5, outcomes), false, ""));
      return future;
    }
  }

  private void assertFails(List<byte[]> outcomes) {
    RemoteFuture<Object> future = told(outcomes);
    assertThat(future.state()).isEqualTo(Future.State.FAILED);
    assertThat(counting.over).isEqualTo(1);
  }

  @Test
  void result_that_does_not_fit_its_type_here_fails_the_call() {
    SortedMap<Point, Integer> sorted = new TreeMap<>(Comparator.comparingInt(Point::x));
    sorted.put(new Point(1), 2);
    byte[] value = Values.encode(new Weights(sorted), "value");
    assertFails(List.of(CallOutcome.VALUE.with(value)));
    assertThatThrownBy(() -> Values.decode(value, Point.class.getClassLoader()))
        .isInstanceOf(ValueException.class)
        .hasMessageContaining("SortedMap")
        .hasMessageContaining("Comparable");
  }

  @Test
  void failure_that_is_told_in_an_unknown_way_fails_the_call() {
    assertFails(List.of(CallOutcome.FAILURE.with(Values.encode("no failure", "value"))));
  }

  @Test
  void empty_outcome_fails_the_call() {
    assertFails(List.of(new byte[0]));
  }

  @Test
  void missing_outcome_fails_the_call() {
    assertFails(List.of());
  }
}
