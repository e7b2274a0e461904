package dev.imker.charts.spec;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What is wrong with a file, collected part by part, so that it is told all at once. */
final class Mistakes {
  private static final int MAX_TOLD = 25;
  private final List<SpecException> found = new ArrayList<>();

  /** Reads a part of the file; a mistake in it is kept, and the rest is read on. */
  <T> @Nullable T reading(Supplier<T> part) {
    try {
      return part.get();
    } catch (SpecException e) {
      add(e);
      return null;
    }
  }

  /**
   * As {@link #reading(Supplier)}.
   *
   * @param otherwise what stands for a part that could not be read, until the mistakes are told
   */
  <T> T reading(Supplier<T> part, T otherwise) {
    T read = reading(part);
    return read == null ? otherwise : read;
  }

  void add(SpecException mistake) {
    found.add(mistake);
  }

  boolean isEmpty() {
    return found.isEmpty();
  }

  /** Tells all that were found, in the order of their lines. */
  void throwIfAny() {
    if (found.isEmpty()) {
      return;
    }
    found.sort(
        Comparator.comparingInt(SpecException::line).thenComparingInt(SpecException::column));
    throw found.size() == 1 ? found.getFirst() : found.getFirst().and(others());
  }

  private String others() {
    String told =
        found.stream()
            .skip(1)
            .limit(MAX_TOLD - 1)
            .map(SpecException::getMessage)
            .distinct()
            .collect(Collectors.joining("\n"));
    return found.size() > MAX_TOLD
        ? told + "\nand %d more.".formatted(found.size() - MAX_TOLD)
        : told;
  }
}
