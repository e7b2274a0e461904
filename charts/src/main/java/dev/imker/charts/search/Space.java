package dev.imker.charts.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * All combinations of the parameters. A combination is known by its number in the grid, in which
 * the last parameter changes fastest; so it travels as one long.
 */
public final class Space {
  private final List<Parameter> parameters;
  private final List<Expression> constraints;

  public Space(List<Parameter> parameters, List<Expression> constraints) {
    this.parameters = List.copyOf(parameters);
    this.constraints = List.copyOf(constraints);
  }

  public List<Parameter> parameters() {
    return parameters;
  }

  public List<String> names() {
    return parameters.stream().map(Parameter::name).toList();
  }

  /** Points of the grid, allowed or not; at most {@link Long#MAX_VALUE}. */
  public long size() {
    long size = 1;
    for (Parameter parameter : parameters) {
      if (Math.multiplyHigh(size, parameter.values().length) != 0) {
        return Long.MAX_VALUE;
      }
      size *= parameter.values().length;
    }
    return size;
  }

  public double[] values(long combination) {
    double[] values = new double[parameters.size()];
    long rest = combination;
    for (int i = values.length - 1; i >= 0; i--) {
      double[] choices = parameters.get(i).values();
      values[i] = choices[(int) (rest % choices.length)];
      rest /= choices.length;
    }
    return values;
  }

  public boolean isAllowed(long combination) {
    if (constraints.isEmpty()) {
      return true;
    }
    double[] values = values(combination);
    return constraints.stream().allMatch(c -> c.holds(values));
  }

  /** The combination made of the given place in every parameter. */
  public long combination(int[] places) {
    long combination = 0;
    for (int i = 0; i < places.length; i++) {
      combination = combination * parameters.get(i).values().length + places[i];
    }
    return combination;
  }

  public int[] places(long combination) {
    int[] places = new int[parameters.size()];
    long rest = combination;
    for (int i = places.length - 1; i >= 0; i--) {
      int count = parameters.get(i).values().length;
      places[i] = (int) (rest % count);
      rest /= count;
    }
    return places;
  }

  /** The allowed combinations one step away in one parameter. */
  public long[] neighbours(long combination) {
    int[] places = places(combination);
    List<Long> neighbours = new ArrayList<>();
    for (int i = 0; i < places.length; i++) {
      for (int step = -1; step <= 1; step += 2) {
        int place = places[i] + step;
        if (place >= 0 && place < parameters.get(i).values().length) {
          int[] moved = Arrays.copyOf(places, places.length);
          moved[i] = place;
          neighbours.add(combination(moved));
        }
      }
    }
    return neighbours.stream().mapToLong(Long::longValue).filter(this::isAllowed).toArray();
  }
}
