package dev.imker.bench.java;

import dev.imker.client.Imker;
import dev.imker.client.executor.ExecutorOptions;
import dev.imker.client.executor.ImkerExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;

/** The executor of a pool. */
public final class ImkerContender implements Contender {
  private final ImkerExecutor executor;

  /**
   * @param chunk calls in a task; 0 leaves it to the executor
   */
  public ImkerContender(Imker imker, int chunk) {
    this.executor = imker.executor(ExecutorOptions.USUAL.withChunk(chunk));
  }

  @Override
  public void calls(int count) throws Exception {
    calls(executor, count);
  }

  public static void calls(ImkerExecutor executor, int count) throws Exception {
    List<Future<Integer>> futures = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int number = i;
      futures.add(executor.submit(() -> number));
    }
    for (int i = 0; i < count; i++) {
      if (futures.get(i).get() != i) {
        throw new IllegalStateException("wrong result of call " + i);
      }
    }
  }

  @Override
  public void close() {
    executor.close();
  }
}
