package dev.imker.charts.series;

import dev.imker.charts.series.Slot.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One way to call an indicator. */
public record Signature(
    String key, List<Slot> slots, Function<List<Argument>, SeriesExpr> expression) {

  public Signature {
    slots = List.copyOf(slots);
  }

  static Signature ofConstructor(String key, List<Slot> slots) {
    return new Signature(key, slots, arguments -> new SeriesExpr.Call(key, arguments));
  }

  /** For every slot the index of the written value that goes there, or -1 for its fallback. */
  public record Match(Signature signature, int[] valueOfSlot) {
    long fallbacks() {
      return Arrays.stream(valueOfSlot).filter(v -> v < 0).count();
    }
  }

  /** Fits values written as a list: in order, a missing leading series being the close price. */
  @Nullable Match positional(List<Shape> values) {
    for (int skipped = 0; skipped <= slots.size() - values.size(); skipped++) {
      int[] valueOfSlot = new int[slots.size()];
      Arrays.fill(valueOfSlot, -1);
      boolean fits = true;
      for (int i = 0; i < values.size(); i++) {
        valueOfSlot[skipped + i] = i;
        fits &= slots.get(skipped + i).accepts(values.get(i));
      }
      if (fits && gapsHaveFallbacks(valueOfSlot)) {
        return new Match(this, valueOfSlot);
      }
    }
    return null;
  }

  /** Fits values written with names. */
  @Nullable Match named(List<String> names, List<Shape> shapes) {
    int[] valueOfSlot = new int[slots.size()];
    Arrays.fill(valueOfSlot, -1);
    for (int i = 0; i < names.size(); i++) {
      int slot = freeSlot(names.get(i), shapes.get(i), valueOfSlot);
      if (slot < 0) {
        return null;
      }
      valueOfSlot[slot] = i;
    }
    return gapsHaveFallbacks(valueOfSlot) ? new Match(this, valueOfSlot) : null;
  }

  private int freeSlot(String name, Shape shape, int[] valueOfSlot) {
    for (int i = 0; i < slots.size(); i++) {
      if (valueOfSlot[i] < 0 && slots.get(i).isNamed(name) && slots.get(i).accepts(shape)) {
        return i;
      }
    }
    boolean onlyNumber =
        slots.stream().filter(s -> s.kind() == Slot.Kind.WHOLE_NUMBER).count() == 1;
    if (onlyNumber && Slot.simplified(name).equals("bars") && shape == Shape.NUMBER) {
      for (int i = 0; i < slots.size(); i++) {
        if (slots.get(i).kind() == Slot.Kind.WHOLE_NUMBER && valueOfSlot[i] < 0) {
          return i;
        }
      }
    }
    return -1;
  }

  private boolean gapsHaveFallbacks(int[] valueOfSlot) {
    for (int i = 0; i < valueOfSlot.length; i++) {
      if (valueOfSlot[i] < 0 && slots.get(i).fallback() == null) {
        return false;
      }
    }
    return true;
  }

  /** As in "{of, bars, k}"; what may be left out in brackets. */
  public String usage() {
    return slots.stream()
        .map(slot -> slot.fallback() == null ? slot.label() : "[" + slot.label() + "]")
        .collect(Collectors.joining(", ", "{", "}"));
  }

  /** The expression for the given arguments, one per slot. */
  public SeriesExpr build(List<Argument> arguments) {
    return expression.apply(new ArrayList<>(arguments));
  }
}
