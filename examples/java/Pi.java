import dev.imker.client.Imker;
import dev.imker.client.executor.ImkerExecutor;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/**
 * Pi from a million random numbers, on all machines of the pool that {@code imker up} started:
 *
 * <pre>
 * javac -cp CLIENT -d classes examples/java/Pi.java && java -cp CLIENT:classes Pi
 * </pre>
 *
 * where CLIENT is imker-client with what it needs (tasks, model, planner, jackson-databind).
 */
public final class Pi {
  private Pi() {}

  static long hits(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long hits = 0;
    for (int i = 0; i < 1_000; i++) {
      double x = random.nextDouble();
      double y = random.nextDouble();
      hits += x * x + y * y <= 1 ? 1 : 0;
    }
    return hits;
  }

  public static void main(String[] arguments) {
    try (Imker imker = Imker.connect();
        ImkerExecutor pool = imker.executor()) {
      long inside =
          pool.map(LongStream.range(0, 1_000).boxed(), (Long seed) -> hits(seed))
              .mapToLong(Long::longValue)
              .sum();
      System.out.println(4.0 * inside / 1_000_000);
    }
  }
}
