package dev.imker.coord.tasks;

import dev.imker.coord.CoordinationException;
import dev.imker.coord.UnsureException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.apache.curator.RetryPolicy;
import org.apache.curator.RetrySleeper;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;

/** The operations that recipes need on nodes, as blocking calls. */
record Nodes(CuratorFramework client) {
  /** The content of a node and how often it was changed. */
  record Content(byte[] data, int version) {}

  /** The children of a node and how often they changed. */
  record Children(List<String> names, int version) {}

  private interface Call<T> {
    T run() throws Exception;
  }

  /** Bound during operations that the library must not retry. */
  private static final ScopedValue<Boolean> ONCE = ScopedValue.newInstance();

  /** A retry policy for the client that respects operations to be executed once. */
  static RetryPolicy unlessOnce(RetryPolicy policy) {
    return new RetryPolicy() {
      @Override
      public boolean allowRetry(int tries, long elapsedMillis, RetrySleeper sleeper) {
        return !ONCE.isBound() && policy.allowRetry(tries, elapsedMillis, sleeper);
      }

      @Override
      public boolean allowRetry(Throwable failure) {
        return !ONCE.isBound() && policy.allowRetry(failure);
      }
    };
  }

  /** Creates a node and its parents; false if it exists. */
  boolean create(String path, byte[] data) {
    return call(() -> Optional.of(isCreated(path, data))).orElse(false);
  }

  /** Like {@link #create}, but without retries: false means that it existed before. */
  boolean createOnce(String path, byte[] data) {
    return once(() -> Optional.of(isCreated(path, data))).orElse(false);
  }

  private boolean isCreated(String path, byte[] data) throws Exception {
    try {
      client.create().creatingParentsIfNeeded().forPath(path, data);
      return true;
    } catch (KeeperException.NodeExistsException e) {
      return false;
    }
  }

  /** Creates a node whose name ends with an increasing number; returns its name. */
  String createSequential(String path, byte[] data) {
    String made =
        call(() ->
                Optional.of(
                    client
                        .create()
                        .creatingParentsIfNeeded()
                        .withMode(CreateMode.PERSISTENT_SEQUENTIAL)
                        .forPath(path, data)))
            .orElseThrow();
    return made.substring(made.lastIndexOf('/') + 1);
  }

  /**
   * Creates exactly one node like {@link #createSequential}: it carries a mark by which it is found
   * if the answer was lost.
   */
  void append(String path, byte[] data) {
    requireConnected();
    try {
      var _ =
          client
              .create()
              .creatingParentsIfNeeded()
              .withProtection()
              .withMode(CreateMode.PERSISTENT_SEQUENTIAL)
              .forPath(path, data);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unsure(e);
    } catch (Exception e) {
      throw isUnsure(e) ? unsure(e) : failed(e);
    }
  }

  /** Whether it existed and was removed by this call. */
  boolean remove(String path) {
    return once(() -> {
          client.delete().forPath(path);
          return Optional.of(true);
        })
        .orElse(false);
  }

  /** Whether it existed. */
  boolean delete(String path) {
    return call(() -> {
          client.delete().forPath(path);
          return Optional.of(true);
        })
        .orElse(false);
  }

  boolean exists(String path) {
    return call(() -> Optional.ofNullable(client.checkExists().forPath(path))).isPresent();
  }

  Optional<Content> read(String path) {
    return call(
        () -> {
          Stat stat = new Stat();
          byte[] data = client.getData().storingStatIn(stat).forPath(path);
          return Optional.of(new Content(data, stat.getVersion()));
        });
  }

  /** Changes the content if it still has this version; without retries. */
  boolean write(String path, byte[] data, int version) {
    return once(() -> {
          try {
            client.setData().withVersion(version).forPath(path, data);
            return Optional.of(true);
          } catch (KeeperException.BadVersionException e) {
            return Optional.of(false);
          }
        })
        .orElse(false);
  }

  CuratorOp writing(String path, byte[] data, int version) {
    return operation(
        () -> client.transactionOp().setData().withVersion(version).forPath(path, data));
  }

  CuratorOp creating(String path, byte[] data) {
    return operation(() -> client.transactionOp().create().forPath(path, data));
  }

  CuratorOp appending(String path, byte[] data) {
    return operation(
        () ->
            client
                .transactionOp()
                .create()
                .withMode(CreateMode.PERSISTENT_SEQUENTIAL)
                .forPath(path, data));
  }

  CuratorOp removing(String path) {
    return operation(() -> client.transactionOp().delete().forPath(path));
  }

  private static CuratorOp operation(Call<CuratorOp> call) {
    try {
      return call.run();
    } catch (Exception e) {
      throw failed(e);
    }
  }

  /**
   * Executes all operations or none; false if something has changed. May be sent twice: at least
   * one operation has to be impossible the second time.
   */
  boolean together(List<CuratorOp> operations) {
    return call(() -> {
          try {
            var _ = client.transaction().forOperations(operations);
            return Optional.of(true);
          } catch (KeeperException.NodeExistsException | KeeperException.BadVersionException e) {
            return Optional.of(false);
          }
        })
        .orElse(false);
  }

  Children children(String path) {
    return call(() -> {
          Stat stat = new Stat();
          List<String> names =
              new ArrayList<>(client.getChildren().storingStatIn(stat).forPath(path));
          return Optional.of(new Children(names, stat.getCversion()));
        })
        .orElse(new Children(List.of(), 0));
  }

  /** Children in the order of the numbers at the end of their names. */
  List<String> queue(String path) {
    return children(path).names().stream().sorted(Comparator.comparingLong(Nodes::number)).toList();
  }

  static long number(String sequential) {
    return Long.parseLong(sequential.substring(sequential.length() - 10));
  }

  void deleteAll(String path) {
    call(
        () -> {
          client.delete().deletingChildrenIfNeeded().forPath(path);
          return Optional.of(true);
        });
  }

  /** Empty if there is no such node. */
  private static <T> Optional<T> call(Call<Optional<T>> call) {
    try {
      return call.run();
    } catch (KeeperException.NoNodeException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CoordinationException("interrupted", e);
    } catch (Exception e) {
      throw failed(e);
    }
  }

  /**
   * Like {@link #call}, but never more than once.
   *
   * @throws UnsureException if it may have happened
   * @throws CoordinationException if it has not
   */
  private <T> Optional<T> once(Call<Optional<T>> call) {
    requireConnected();
    try {
      return ScopedValue.where(ONCE, true).call(call::run);
    } catch (KeeperException.NoNodeException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unsure(e);
    } catch (Exception e) {
      throw isUnsure(e) ? unsure(e) : failed(e);
    }
  }

  /** What was never sent has not happened. */
  private void requireConnected() {
    try {
      if (!client.getZookeeperClient().blockUntilConnectedOrTimedOut()) {
        throw new CoordinationException(
            "ZooKeeper cannot be reached; nothing was done.", new TimeoutException());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CoordinationException("interrupted", e);
    }
  }

  private static boolean isUnsure(Exception e) {
    return e instanceof KeeperException.ConnectionLossException
        || e instanceof KeeperException.OperationTimeoutException
        || e instanceof KeeperException.SessionExpiredException;
  }

  private static UnsureException unsure(Exception e) {
    return new UnsureException(
        "ZooKeeper did not answer; the operation may or may not have happened.", e);
  }

  private static CoordinationException failed(Exception e) {
    return new CoordinationException("ZooKeeper failed: " + e.getMessage(), e);
  }
}
