package dev.imker.coord;

import org.apache.curator.framework.CuratorFrameworkFactory;

/**
 * Where a ZooKeeper is: {@code host:port,host:port/path}.
 *
 * @param folder below which everything is put, made if it is not there; empty for the root
 */
public record ZooKeeperAddress(String hosts, String folder) {
  public static ZooKeeperAddress parse(String connect) {
    int slash = connect.indexOf('/');
    if (slash < 0) {
      return new ZooKeeperAddress(connect, "");
    }
    String path = connect.substring(slash + 1);
    return new ZooKeeperAddress(
        connect.substring(0, slash),
        path.endsWith("/") ? path.substring(0, path.length() - 1) : path);
  }

  /**
   * A client that works below the folder. With the path in the address, as ZooKeeper would take it,
   * nothing works until somebody has made the folder.
   */
  public CuratorFrameworkFactory.Builder client() {
    CuratorFrameworkFactory.Builder builder =
        CuratorFrameworkFactory.builder().connectString(hosts);
    return folder.isEmpty() ? builder : builder.namespace(folder);
  }
}
