package dev.imker.coord.tasks;

import dev.imker.coord.CoordinationException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;

/** The few things that recipes do with nodes, in blocking style. */
final class Nodes {
  /** The content of a node and how often it was changed. */
  record Content(byte[] data, int version) {}

  /** The children of a node and how often they changed. */
  record Children(List<String> names, int version) {}

  private interface Call<T> {
    T run() throws Exception;
  }

  private final CuratorFramework client;

  Nodes(CuratorFramework client) {
    this.client = client;
  }

  /** Makes a node and those above it; false if it is there already. */
  boolean create(String path, byte[] data) {
    return call(() -> {
          try {
            client.create().creatingParentsIfNeeded().forPath(path, data);
            return Optional.of(true);
          } catch (KeeperException.NodeExistsException e) {
            return Optional.of(false);
          }
        })
        .orElse(false);
  }

  /** Makes a node whose name ends with a number that grows; returns its name. */
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

  /** Whether it was there. */
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

  /** Changes the content if it still has this version. */
  boolean write(String path, byte[] data, int version) {
    return call(() -> {
          try {
            client.setData().withVersion(version).forPath(path, data);
            return Optional.of(true);
          } catch (KeeperException.BadVersionException e) {
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
      throw new CoordinationException("ZooKeeper failed: " + e.getMessage(), e);
    }
  }
}
