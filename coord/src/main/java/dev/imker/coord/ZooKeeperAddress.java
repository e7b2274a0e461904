package dev.imker.coord;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;

/**
 * The address of a ZooKeeper: {@code host:port,host:port/path}, or {@code
 * name:password@host:port/path} if only we may access our nodes.
 *
 * @param folder the root of all our nodes, created if missing; empty for the root of ZooKeeper
 * @param credentials name and password separated by a colon; empty for none
 */
public record ZooKeeperAddress(String hosts, String folder, String credentials) {
  public static ZooKeeperAddress parse(String connect) {
    int at = connect.indexOf('@');
    String credentials = at < 0 ? "" : connect.substring(0, at);
    String place = connect.substring(at + 1);
    int slash = place.indexOf('/');
    if (slash < 0) {
      return new ZooKeeperAddress(place, "", credentials);
    }
    String path = place.substring(slash + 1);
    return new ZooKeeperAddress(
        place.substring(0, slash),
        path.endsWith("/") ? path.substring(0, path.length() - 1) : path,
        credentials);
  }

  /**
   * A client that works below the folder. With the path in the address, as ZooKeeper supports,
   * nothing works until somebody has created the folder.
   */
  public CuratorFrameworkFactory.Builder client() {
    CuratorFrameworkFactory.Builder builder =
        CuratorFrameworkFactory.builder().connectString(hosts);
    if (!credentials.isEmpty()) {
      builder
          .authorization("digest", credentials.getBytes(StandardCharsets.UTF_8))
          .aclProvider(new OwnerOnly());
    }
    return folder.isEmpty() ? builder : builder.namespace(folder);
  }

  private static final class OwnerOnly implements ACLProvider {
    @Override
    public List<ACL> getDefaultAcl() {
      return ZooDefs.Ids.CREATOR_ALL_ACL;
    }

    @Override
    public List<ACL> getAclForPath(String path) {
      return ZooDefs.Ids.CREATOR_ALL_ACL;
    }
  }

  /** Without the password. */
  @Override
  public String toString() {
    return folder.isEmpty() ? hosts : hosts + "/" + folder;
  }
}
