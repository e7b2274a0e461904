package dev.imker.testbase;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;

/**
 * Random inputs of a trial. One in ten is an extreme of what is asked for, since that is where
 * mistakes are.
 */
public final class Generator extends Random {
  private static final long serialVersionUID = 1;
  private static final int EXTREME_ONE_IN = 10;
  private static final long[] EXTREME_LONGS = {
    0, 1, -1, Long.MAX_VALUE, Long.MIN_VALUE, Integer.MAX_VALUE, Integer.MIN_VALUE
  };
  private static final int[] EXTREME_CHARS = {
    0, '\n', ' ', '"', '\'', '\\', 0x7f, 0xff, 0x2028, 0xd800, 0xfeff, 0xffff, 0x1f600
  };

  public Generator(long seed) {
    super(seed);
  }

  private boolean isExtreme() {
    return nextInt(EXTREME_ONE_IN) == 0;
  }

  /** A whole number, both ends included. */
  public int between(int least, int most) {
    if (isExtreme()) {
      return nextBoolean() ? least : most;
    }
    return least + (int) nextLong(1L + most - least);
  }

  public double between(double least, double most) {
    if (isExtreme()) {
      return nextBoolean() ? least : most;
    }
    return least + nextDouble() * (most - least);
  }

  public long anyLong() {
    return isExtreme() ? EXTREME_LONGS[nextInt(EXTREME_LONGS.length)] : nextLong();
  }

  public <T> T oneOf(List<T> choices) {
    return choices.get(nextInt(choices.size()));
  }

  public <T> List<T> listOf(int least, int most, Function<Generator, T> element) {
    int size = between(least, most);
    List<T> list = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      list.add(element.apply(this));
    }
    return list;
  }

  public byte[] bytes(int mostLength) {
    byte[] bytes = new byte[between(0, mostLength)];
    nextBytes(bytes);
    return bytes;
  }

  public String text(String characters, int mostLength) {
    StringBuilder text = new StringBuilder();
    for (int i = between(0, mostLength); i > 0; i--) {
      text.append(characters.charAt(nextInt(characters.length())));
    }
    return text.toString();
  }

  /** A text of characters between these, both included. */
  public String text(char first, char last, int mostLength) {
    StringBuilder text = new StringBuilder();
    for (int i = between(0, mostLength); i > 0; i--) {
      text.append((char) between(first, last));
    }
    return text.toString();
  }

  /** A text of any characters, lone surrogates among them. */
  public String anyText(int mostLength) {
    StringBuilder text = new StringBuilder();
    for (int i = between(0, mostLength); i > 0; i--) {
      text.appendCodePoint(
          isExtreme()
              ? EXTREME_CHARS[nextInt(EXTREME_CHARS.length)]
              : nextInt(nextBoolean() ? 0x80 : Character.MAX_CODE_POINT + 1));
    }
    return text.toString();
  }
}
