package dev.imker.coord;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderLatchListener;
import org.apache.curator.framework.recipes.leader.Participant;
import org.apache.curator.framework.state.SessionConnectionStateErrorPolicy;
import org.apache.curator.retry.RetryForever;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leadership by ZooKeeper: every candidate has an ephemeral sequential node, the smallest number
 * leads, and every other candidate watches only its predecessor. A candidate that disappears loses
 * its node when its session expires.
 */
public final class ZooKeeperLeadership implements Leadership {
  private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperLeadership.class);
  private static final String PATH = "/imker/leader";
  private static final int RETRY_MILLIS = 200;

  private final String title;
  private final BooleanSupplier able;
  private final CuratorFramework client;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("imker-leadership").factory());
  private volatile @Nullable Listener listener;
  private volatile @Nullable LeaderLatch latch;
  private volatile boolean closed;

  /**
   * @param connect host:port of the servers, comma-separated; a path at the end separates several
   *     pools
   * @param sessionMillis silence after which a candidate counts as gone; ZooKeeper has limits of
   *     its own
   * @param title describes this candidate to others: where it can be reached
   */
  public ZooKeeperLeadership(String connect, int sessionMillis, String title) {
    this(connect, sessionMillis, title, () -> true);
  }

  /**
   * @param able whether this one is currently a candidate; checked before it rejoins
   */
  public ZooKeeperLeadership(
      String connect, int sessionMillis, String title, BooleanSupplier able) {
    this.title = title;
    this.able = able;
    client =
        ZooKeeperAddress.parse(connect)
            .client()
            .sessionTimeoutMs(sessionMillis)
            .connectionTimeoutMs(sessionMillis)
            .retryPolicy(new RetryForever(RETRY_MILLIS))
            // A short interruption does not matter: the session decides, and every write is fenced.
            .connectionStateErrorPolicy(new SessionConnectionStateErrorPolicy())
            .build();
  }

  @Override
  public void start(Listener told) {
    listener = told;
    client.start();
    join();
  }

  private void join() {
    LeaderLatch fresh = new LeaderLatch(client, PATH, title);
    fresh.addListener(
        new LeaderLatchListener() {
          @Override
          public void isLeader() {
            tell(true);
          }

          @Override
          public void notLeader() {
            tell(false);
          }
        },
        thread);
    try {
      fresh.start();
      latch = fresh;
    } catch (Exception e) {
      throw new CoordinationException("ZooKeeper cannot be used: " + e.getMessage(), e);
    }
  }

  private void tell(boolean leads) {
    Listener told = listener;
    if (told == null || closed) {
      return;
    }
    if (leads) {
      told.lead();
    } else {
      told.follow("the ZooKeeper session has ended");
    }
  }

  @Override
  public Optional<String> leader() {
    return participants().stream()
        .filter(Participant::isLeader)
        .map(Participant::getId)
        .findFirst();
  }

  @Override
  public List<String> successors() {
    return participants().stream()
        .filter(participant -> !participant.isLeader())
        .map(Participant::getId)
        .toList();
  }

  private List<Participant> participants() {
    LeaderLatch current = latch;
    if (current == null || !client.getZookeeperClient().isConnected()) {
      return List.of();
    }
    try {
      return new ArrayList<>(current.getParticipants());
    } catch (Exception e) {
      LOG.debug("asking ZooKeeper for the candidates", e);
      return List.of();
    }
  }

  @Override
  public void stepDown(String reason) {
    thread.execute(
        () -> {
          LeaderLatch former = latch;
          if (closed || former == null || !former.hasLeadership()) {
            return;
          }
          LOG.info("Giving up leadership: {}", reason);
          latch = null;
          leave(former, LeaderLatch.CloseMode.SILENT);
          Listener told = listener;
          if (told != null) {
            told.follow("it gave up leadership");
          }
          joinAgain();
        });
  }

  /** A server that gave up leadership becomes a candidate again as soon as it is able to lead. */
  private void joinAgain() {
    while (!closed) {
      if (!able.getAsBoolean()) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(RETRY_MILLIS));
        continue;
      }
      try {
        join();
        return;
      } catch (CoordinationException e) {
        LOG.warn("Not a candidate for leadership yet: {}", e.getMessage());
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(RETRY_MILLIS));
      }
    }
  }

  private static void leave(LeaderLatch former, LeaderLatch.CloseMode mode) {
    try {
      former.close(mode);
    } catch (IOException e) {
      LOG.debug("leaving the queue", e);
    }
  }

  @Override
  public void close() {
    closed = true;
    LeaderLatch former = latch;
    if (former != null && former.getState() == LeaderLatch.State.STARTED) {
      leave(former, LeaderLatch.CloseMode.SILENT);
    }
    client.close();
    thread.shutdownNow();
  }
}
