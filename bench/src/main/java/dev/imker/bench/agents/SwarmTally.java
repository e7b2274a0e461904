package dev.imker.bench.agents;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** What happens to all agents of a swarm together. */
final class SwarmTally {

  private static final long BUCKET_MILLIS = 100;
  private static final int BUCKETS_PER_SECOND = 10;

  private final AtomicInteger here = new AtomicInteger();
  private final LongAdder attempts = new LongAdder();
  private final LongAdder opened = new LongAdder();
  private final LongAdder signs = new LongAdder();
  private final AtomicInteger unanswered = new AtomicInteger();
  private final LongAdder confirmed = new LongAdder();
  private final ConcurrentLinkedQueue<Long> replyMicros = new ConcurrentLinkedQueue<>();
  private final ConcurrentSkipListMap<Long, LongAdder> openedByBucket =
      new ConcurrentSkipListMap<>();
  private final ConcurrentSkipListMap<Long, LongAdder> attemptsByBucket =
      new ConcurrentSkipListMap<>();

  void attempt() {
    attempts.increment();
    count(attemptsByBucket);
  }

  void opened() {
    opened.increment();
    count(openedByBucket);
  }

  private static void count(ConcurrentSkipListMap<Long, LongAdder> buckets) {
    long bucket = TimeUnit.NANOSECONDS.toMillis(System.nanoTime()) / BUCKET_MILLIS;
    buckets.computeIfAbsent(bucket, _ -> new LongAdder()).increment();
  }

  void here(boolean came) {
    here.addAndGet(came ? 1 : -1);
  }

  void signSent() {
    signs.increment();
    unanswered.incrementAndGet();
  }

  void replied(long micros) {
    unanswered.decrementAndGet();
    replyMicros.add(micros);
  }

  void confirmed() {
    confirmed.increment();
  }

  void reset() {
    attempts.reset();
    opened.reset();
    signs.reset();
    confirmed.reset();
    replyMicros.clear();
    openedByBucket.clear();
    attemptsByBucket.clear();
  }

  SwarmReport report() {
    long[] replies = replyMicros.stream().mapToLong(Long::longValue).sorted().toArray();
    return new SwarmReport(
        here.get(),
        attempts.sum(),
        peakPerSecond(attemptsByBucket),
        opened.sum(),
        peakPerSecond(openedByBucket),
        signs.sum(),
        unanswered.get(),
        replies.length == 0 ? 0 : replies[replies.length / 2],
        replies.length == 0 ? 0 : replies[(int) (replies.length * 0.99)],
        replies.length == 0 ? 0 : replies[replies.length - 1],
        confirmed.sum());
  }

  /** The most within any second. */
  private static long peakPerSecond(ConcurrentSkipListMap<Long, LongAdder> buckets) {
    long peak = 0;
    for (long first : buckets.keySet()) {
      long sum =
          buckets.subMap(first, first + BUCKETS_PER_SECOND).values().stream()
              .mapToLong(LongAdder::sum)
              .sum();
      peak = Math.max(peak, sum);
    }
    return peak;
  }
}
