package dev.imker.server.members;

import dev.imker.coord.LeaseTimes;

/**
 * What several servers of a pool share.
 *
 * @param database address of a PostgreSQL database; empty for a pool of one server, in its folder
 * @param zookeeper where leadership is decided; empty to decide it in the database
 * @param blobs where files are
 * @param lease for leadership by the database
 * @param upgrade whether the schema may be changed under servers of another version
 */
public record SharedPool(
    String database, String zookeeper, BlobPlace blobs, LeaseTimes lease, boolean upgrade) {
  public static final SharedPool NONE =
      new SharedPool("", "", BlobPlace.DATABASE, LeaseTimes.defaults(), false);

  public static SharedPool of(String database) {
    return new SharedPool(database, "", BlobPlace.DATABASE, LeaseTimes.defaults(), false);
  }

  public SharedPool withZooKeeper(String value) {
    return new SharedPool(database, value, blobs, lease, upgrade);
  }

  public SharedPool withBlobs(BlobPlace value) {
    return new SharedPool(database, zookeeper, value, lease, upgrade);
  }

  public SharedPool withLease(LeaseTimes value) {
    return new SharedPool(database, zookeeper, blobs, value, upgrade);
  }

  /** Changes the schema of the database even if servers of an older version run on it. */
  public SharedPool withUpgrade(boolean value) {
    return new SharedPool(database, zookeeper, blobs, lease, value);
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
