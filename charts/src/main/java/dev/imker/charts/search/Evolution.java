package dev.imker.charts.search;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Breeds the next combinations from what those before were worth.
 *
 * <p>Each new one has two parents, each the better of two drawn from the best so far (at most as
 * many as a generation has). Every parameter comes from one of them; then, one parameter on the
 * average, it moves by some steps, or now and then to anywhere. What was tried before is not tried
 * again. Nothing but the seed, the generation and the results decides, so that any machine breeds
 * the same.
 */
public record Evolution(Space space, long seed, int size) {
  private static final double REACH = 0.15;
  private static final double ANYWHERE = 0.1;
  private static final int TRIES = 200;

  /**
   * The combinations of a generation, ascending; when all are known, the best once more.
   *
   * @param known everything that was evaluated
   * @param generation counted from 0, which is not bred
   */
  public long[] next(Evaluated known, int generation) {
    SplittableRandom random = new SplittableRandom(seed * 1_000_003L + generation);
    int[] best = Arrays.copyOf(known.ranking(), Math.min(size, known.ranking().length));
    Set<Long> bred = new LinkedHashSet<>();
    for (long tries = 0; bred.size() < size && tries < (long) TRIES * size; tries++) {
      // In a space that is nearly used up, breeding finds nothing new any more.
      boolean free = tries > (long) TRIES * size / 2;
      long child = free ? random.nextLong(space.size()) : child(known, best, random);
      if (space.isAllowed(child) && known.place(child) < 0) {
        bred.add(child);
      }
    }
    if (bred.isEmpty()) {
      bred.add(known.combinations()[known.best()]);
    }
    return bred.stream().mapToLong(Long::longValue).sorted().toArray();
  }

  private long child(Evaluated known, int[] best, SplittableRandom random) {
    int[] one = parent(known, best, random);
    int[] other = parent(known, best, random);
    int[] child = new int[one.length];
    for (int i = 0; i < child.length; i++) {
      int gene = random.nextBoolean() ? one[i] : other[i];
      boolean moves = random.nextInt(child.length) == 0;
      child[i] = moves ? moved(gene, space.parameters().get(i).values().length, random) : gene;
    }
    return space.combination(child);
  }

  /** The ranking is in order, so the lower place of two is the better one. */
  private int[] parent(Evaluated known, int[] best, SplittableRandom random) {
    int place = Math.min(random.nextInt(best.length), random.nextInt(best.length));
    return space.places(known.combinations()[best[place]]);
  }

  private static int moved(int place, int count, SplittableRandom random) {
    if (random.nextDouble() < ANYWHERE) {
      return random.nextInt(count);
    }
    double steps = random.nextGaussian() * Math.max(1, REACH * count);
    int whole = (int) (steps < 0 ? Math.floor(steps) : Math.ceil(steps));
    return Math.clamp((long) place + whole, 0, count - 1);
  }
}
