package dev.imker.model;

/**
 * Fencing token of a lease. Values grow strictly: the high 24 bits are the epoch of the leader that
 * made the token (a new one at every start of a server), the low 40 bits count within the epoch. A
 * token that was never persisted can therefore never be made again.
 *
 * <p>A database that was restored from a backup repeats epochs. Their tokens are distinguished by
 * the incarnation, a random number that every leader draws when its epoch begins.
 *
 * @param incarnation of the leader that made the token; 0 where nobody drew one
 */
public record LeaseToken(long value, long incarnation) implements Comparable<LeaseToken> {
  public static final int SEQUENCE_BITS = 40;

  /** A token of a leader without incarnation. */
  public LeaseToken(long value) {
    this(value, 0);
  }

  public static LeaseToken of(long epoch, long sequence) {
    return of(epoch, 0, sequence);
  }

  public static LeaseToken of(long epoch, long incarnation, long sequence) {
    return new LeaseToken((epoch << SEQUENCE_BITS) | sequence, incarnation);
  }

  public long epoch() {
    return epochOf(value);
  }

  /** The epoch that the value of a token names. */
  public static long epochOf(long value) {
    return value >>> SEQUENCE_BITS;
  }

  @Override
  public int compareTo(LeaseToken other) {
    int byValue = Long.compare(value, other.value);
    return byValue != 0 ? byValue : Long.compare(incarnation, other.incarnation);
  }
}
