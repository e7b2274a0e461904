package dev.imker.server.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class InboxTest {
  private static final int CAPACITY = 8;
  private static final long LONG_MILLIS = 60_000;
  private final Inbox inbox = new Inbox(CAPACITY);

  private static Command command() {
    return (pool, nowMillis, out) -> {};
  }

  private void fill() {
    for (int i = 0; i < CAPACITY; i++) {
      assertThat(inbox.put(command(), 0)).isTrue();
    }
  }

  @Test
  void full_inbox_grows_no_further() {
    fill();
    assertThat(inbox.put(command(), 1)).isFalse();
    assertThat(inbox.size()).isEqualTo(CAPACITY);
  }

  @Test
  void sender_waits_for_room() throws ExecutionException, InterruptedException {
    fill();
    Command last = command();
    CompletableFuture<Boolean> put =
        CompletableFuture.supplyAsync(() -> inbox.put(last, LONG_MILLIS));
    assertThat(inbox.poll()).isNotNull();
    assertThat(put.get()).isTrue();
    for (int i = 1; i < CAPACITY; i++) {
      inbox.poll();
    }
    assertThat(inbox.poll()).isSameAs(last);
  }
}
