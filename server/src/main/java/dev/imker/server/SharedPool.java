package dev.imker.server;

import dev.imker.coord.LeaseTimes;

/**
 * What several servers of a pool share.
 *
 * @param database address of a PostgreSQL database; empty for a pool of one server, in its folder
 * @param zookeeper where leadership is decided; empty to decide it in the database
 * @param blobs where files are
 * @param lease for leadership by the database
 */
public record SharedPool(String database, String zookeeper, BlobPlace blobs, LeaseTimes lease) {
  public static final SharedPool NONE =
      new SharedPool("", "", BlobPlace.DATABASE, LeaseTimes.defaults());

  public static SharedPool of(String database) {
    return new SharedPool(database, "", BlobPlace.DATABASE, LeaseTimes.defaults());
  }

  public SharedPool withZooKeeper(String value) {
    return new SharedPool(database, value, blobs, lease);
  }

  public SharedPool withBlobs(BlobPlace value) {
    return new SharedPool(database, zookeeper, value, lease);
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
