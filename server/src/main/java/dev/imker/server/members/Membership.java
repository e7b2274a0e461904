package dev.imker.server.members;

import dev.imker.coord.ServerRegister;
import dev.imker.server.http.Standing;
import dev.imker.server.internal.coord.TaskCoordinator;
import dev.imker.server.internal.rest.pool.ServerRoutes;
import dev.imker.server.loop.RoleListener;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.store.PoolStore;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * This server as one of its pool's. One that shares its pool with nobody leads always; any other
 * follows until it is its turn.
 */
public final class Membership implements Standing, AutoCloseable {
  private final SharedPool shared;
  private volatile @Nullable PoolServers servers;
  private volatile Supplier<Optional<PoolStore.Position>> follows = Optional::empty;

  public Membership(SharedPool shared) {
    this.shared = shared;
  }

  /**
   * Joins the queue of those who want to lead.
   *
   * @param own where this server can be reached
   * @param work what a leader does besides
   * @param serversChanged told the addresses of all servers when they are others than before
   * @param endStreams ends what only a leader has to tell
   */
  public void join(
      List<String> own,
      SchedulerLoop loop,
      LeaderWork work,
      TaskCoordinator coordinator,
      Consumer<List<String>> serversChanged,
      Runnable reloadAccounts,
      Runnable endStreams) {
    PoolServers pool =
        new PoolServers(shared, own, loop, serversChanged, reloadAccounts, endStreams);
    servers = pool;
    follows = loop::position;
    loop.onRole(
        new RoleListener() {
          @Override
          public void leads() {
            reloadAccounts.run();
            work.begin();
          }

          @Override
          public void follows(boolean deposed) {
            endStreams.run();
            work.end(coordinator::close);
            if (deposed) {
              pool.stepDown();
            }
          }
        });
    pool.start();
  }

  @Override
  public boolean leads() {
    PoolServers pool = servers;
    return pool == null ? !shared.isOn() : pool.leads();
  }

  @Override
  public Optional<String> leader() {
    PoolServers pool = servers;
    return pool == null ? Optional.empty() : pool.leader();
  }

  @Override
  public List<String> servers() {
    PoolServers pool = servers;
    return pool == null ? List.of() : pool.urls();
  }

  @Override
  public Optional<String> position() {
    return follows.get().map(PoolStore.Position::toString);
  }

  /** Whether this server reaches its database; one in a folder of its own always does. */
  public boolean reachesDatabase() {
    PoolServers pool = servers;
    return pool == null || pool.reachesDatabase();
  }

  public int runningServers() {
    PoolServers pool = servers;
    return pool == null ? 1 : pool.runningServers();
  }

  public long longestSilenceSeconds() {
    PoolServers pool = servers;
    return pool == null ? 0 : pool.longestSilenceSeconds();
  }

  /** All servers of a shared pool, the leader first. */
  public List<ServerRoutes.ServerView> views() {
    PoolServers pool = servers;
    return pool == null ? List.of() : pool.register().stream().map(Membership::view).toList();
  }

  private static ServerRoutes.ServerView view(ServerRegister.Entry entry) {
    return new ServerRoutes.ServerView(
        List.of(entry.self().urls().split(",", -1)),
        entry.self().version(),
        entry.leads() && entry.isRunning(),
        entry.epoch(),
        entry.drained(),
        Instant.ofEpochMilli(entry.startedMillis()).truncatedTo(ChronoUnit.SECONDS).toString(),
        entry.silentMillis(),
        entry.behindMillis(),
        entry.isRunning());
  }

  /** False if there is no server of that address. */
  public boolean drain(String url, boolean drained) {
    PoolServers pool = servers;
    return pool != null && pool.drain(url, drained);
  }

  @Override
  public void close() {
    PoolServers pool = servers;
    if (pool != null) {
      pool.close();
    }
  }
}
