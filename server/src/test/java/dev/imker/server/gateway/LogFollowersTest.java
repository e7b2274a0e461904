package dev.imker.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.model.AgentId;
import dev.imker.model.Lease;
import dev.imker.model.LeaseToken;
import dev.imker.model.TaskId;
import dev.imker.wire.proto.FollowLog;
import dev.imker.wire.proto.LogChunk.Stream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogFollowersTest {
  private static final Lease LEASE = new Lease(TaskId.of(1, 0), new LeaseToken(7, 1));

  /** Long enough for a thread that nothing keeps; one that is kept goes on afterwards. */
  private static final Duration HEAD_START = Duration.ofMillis(200);

  private final LogFollowers followers = new LogFollowers();
  private final List<FollowLog> heard = Collections.synchronizedList(new ArrayList<>());

  @Test
  void who_comes_while_another_leaves_is_not_switched_off() throws InterruptedException {
    LogFeed leaves = feed(Stream.STDERR);
    followers.add(leaves, heard::add);
    Thread comes = new Thread(() -> followers.add(feed(Stream.STDOUT), heard::add));
    followers.remove(
        leaves,
        order -> {
          startAndLetRun(comes);
          heard.add(order);
        });
    comes.join();
    assertThat(heard).extracting(FollowLog::getOn).containsExactly(true, false, true);
  }

  @Test
  void the_order_that_comes_last_knows_of_all_readers() throws InterruptedException {
    Thread second = new Thread(() -> followers.add(feed(Stream.STDOUT), heard::add));
    followers.add(
        feed(Stream.STDERR),
        order -> {
          startAndLetRun(second);
          heard.add(order);
        });
    second.join();
    assertThat(heard.getLast().getStdoutOffset()).isZero();
    assertThat(heard.getLast().getStderrOffset()).isZero();
  }

  private static void startAndLetRun(Thread thread) {
    thread.start();
    try {
      boolean _ = thread.join(HEAD_START);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static LogFeed feed(Stream stream) {
    return new LogFeed(new AgentId("a1"), LEASE, stream, 0);
  }
}
