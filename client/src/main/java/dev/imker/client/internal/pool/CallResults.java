package dev.imker.client.internal.pool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.model.ImkerException;
import dev.imker.tasks.values.ByteTable;
import dev.imker.tasks.values.CallOutcome;
import dev.imker.tasks.values.Values;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** The results of a job of calls, one in each task, in their order. */
public record CallResults<T extends @Nullable Object>(JobSession session, ClassLoader classes)
    implements PoolJob.Results<List<T>> {
  @Override
  public List<T> of(long job) throws InterruptedException {
    List<T> results = new ArrayList<>();
    for (JsonNode outcome : session.outcomes(job)) {
      results.add(result(job, outcome));
    }
    return results;
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // of which type they are, only its submitter knows
  private T result(long job, JsonNode outcome) throws InterruptedException {
    try {
      byte[] report = session.stdout(job, outcome);
      if (report == null || report.length < Long.BYTES) {
        throw new ImkerException(
            "Task %d.%d %s: %s"
                .formatted(
                    job,
                    outcome.path("number").asInt(),
                    outcome.path("state").asText(),
                    outcome.path("error").asText("")));
      }
      byte[] told = ByteTable.read(Arrays.copyOfRange(report, Long.BYTES, report.length)).get(0);
      Object value = Values.decode(CallOutcome.content(told), classes);
      if (CallOutcome.of(told) == CallOutcome.VALUE) {
        return (T) value;
      }
      throw failure(value);
    } catch (IOException e) {
      throw new ImkerException("The results of job " + job + " cannot be read.", e);
    }
  }

  private RuntimeException failure(@Nullable Object value) {
    Throwable thrown = Mailbox.thrown(value, classes);
    return thrown instanceof RuntimeException unchecked
        ? unchecked
        : new CompletionException(thrown);
  }
}
