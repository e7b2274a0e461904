package dev.imker.model;

/**
 * Fencing token of a lease. Tokens grow strictly: the high 24 bits are the epoch of the leader that
 * made the token (a new one at every start of a server), the low 40 bits count within the epoch. A
 * token that was never persisted can therefore never be made again.
 */
public record LeaseToken(long value) implements Comparable<LeaseToken> {
  public static final int SEQUENCE_BITS = 40;

  public static LeaseToken of(long epoch, long sequence) {
    return new LeaseToken((epoch << SEQUENCE_BITS) | sequence);
  }

  public long epoch() {
    return value >>> SEQUENCE_BITS;
  }

  @Override
  public int compareTo(LeaseToken other) {
    return Long.compare(value, other.value);
  }
}
