package dev.imker.server;

import dev.imker.coord.LeaseTimes;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What several servers of a pool share.
 *
 * @param database address of a PostgreSQL database; empty for a pool of one server, in its folder
 * @param zookeeper where leadership is decided; empty to decide it in the database
 * @param blobs a folder that all of them see; if empty, files are in the database
 * @param lease for leadership by the database
 */
public record SharedPool(
    String database, String zookeeper, Optional<Path> blobs, LeaseTimes lease) {
  public static final SharedPool NONE =
      new SharedPool("", "", Optional.empty(), LeaseTimes.defaults());

  public static SharedPool of(String database) {
    return new SharedPool(database, "", Optional.empty(), LeaseTimes.defaults());
  }

  public SharedPool withZooKeeper(String value) {
    return new SharedPool(database, value, blobs, lease);
  }

  public SharedPool withBlobs(Path value) {
    return new SharedPool(database, zookeeper, Optional.of(value), lease);
  }

  public SharedPool withLease(LeaseTimes value) {
    return new SharedPool(database, zookeeper, blobs, value);
  }

  /** Whether there may be several servers. */
  public boolean isOn() {
    return !database.isEmpty();
  }

  /** Never shows the password. */
  @Override
  public String toString() {
    return "SharedPool[zookeeper=" + zookeeper + ", blobs=" + blobs + "]";
  }
}
