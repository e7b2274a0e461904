package dev.imker.charts.spec;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a result is tested for luck.
 *
 * @param draws how often trades are drawn anew
 * @param permutations how often every market is shuffled and traded again
 * @param blocks into how many the history is cut to see whether choosing helps; 0 if that is not
 *     wanted
 */
public record LuckSpec(int draws, int permutations, int blocks, int seed) {
  private static final int MAX_DRAWS = 100_000;
  private static final int MAX_PERMUTATIONS = 10_000;
  private static final int MAX_BLOCKS = 16;
  static final LuckSpec USUAL = new LuckSpec(1000, 0, 0, 1);

  static LuckSpec read(@Nullable YamlValue section, Analysis.Kind kind, boolean halving) {
    if (section == null) {
      return USUAL;
    }
    Map<String, YamlValue> map = section.map(List.of("draws", "permutations", "blocks", "seed"));
    YamlValue permutations = map.get("permutations");
    if (permutations != null && kind == Analysis.Kind.WALK_FORWARD) {
      permutations
          .mistakes()
          .add(
              permutations.error(
                  "markets are shuffled for a backtest or an optimisation only; a walk-forward is"
                      + " tested out of sample already."));
    }
    YamlValue blocks = map.get("blocks");
    if (blocks != null && kind != Analysis.Kind.OPTIMISE) {
      blocks
          .mistakes()
          .add(blocks.error("only 'kind: optimise' compares combinations; remove this."));
    }
    if (blocks != null && halving) {
      throw blocks.error(
          "a search by halving does not try its combinations on all blocks; choose all, random or"
              + " halton.");
    }
    return new LuckSpec(
        whole(map.get("draws"), 0, MAX_DRAWS, USUAL.draws),
        whole(permutations, 0, MAX_PERMUTATIONS, 0),
        even(blocks),
        whole(map.get("seed"), 0, Integer.MAX_VALUE, USUAL.seed));
  }

  private static int whole(@Nullable YamlValue value, int least, int most, int otherwise) {
    return value == null
        ? otherwise
        : value.mistakes().reading(() -> upTo(value, least, most), otherwise);
  }

  private static int upTo(YamlValue value, int least, int most) {
    int number = value.whole(least);
    if (number > most) {
      throw value.error("%d is too many; the maximum is %d.".formatted(number, most));
    }
    return number;
  }

  private static int even(@Nullable YamlValue value) {
    int blocks = whole(value, 0, MAX_BLOCKS, 0);
    if (value != null && (blocks % 2 != 0 || blocks == 2)) {
      throw value.error(
          "%d blocks cannot be halved in several ways; take 4, 6, 8, … %d, or 0 for none."
              .formatted(blocks, MAX_BLOCKS));
    }
    return blocks;
  }
}
