package dev.imker.core.resource;

import dev.imker.model.job.Requirements;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Items that are handed out individually, such as GPUs: a task gets whole ones, or shares one with
 * others that need only a fraction. Fractions are taken from the item with the least left, so that
 * whole ones stay whole.
 */
final class Items {
  private final Map<String, Long> taken;
  private Set<String> present = Set.of();

  Items() {
    taken = new LinkedHashMap<>();
  }

  private Items(Items other) {
    taken = new LinkedHashMap<>(other.taken);
    present = other.present;
  }

  Items copy() {
    return new Items(this);
  }

  /** The items present now; taken amounts of others are still returned. */
  void has(Collection<String> names) {
    present = Set.copyOf(names);
    names.forEach(name -> taken.putIfAbsent(name, 0L));
    taken.entrySet().removeIf(one -> one.getValue() == 0 && !present.contains(one.getKey()));
  }

  List<String> present() {
    return taken.keySet().stream().filter(present::contains).toList();
  }

  /** Whether a task with this amount could be served. */
  boolean fits(long amount) {
    long whole = 0;
    for (Map.Entry<String, Long> one : taken.entrySet()) {
      if (present.contains(one.getKey())) {
        if (amount < Requirements.HUNDREDTHS) {
          if (one.getValue() + amount <= Requirements.HUNDREDTHS) {
            return true;
          }
        } else if (one.getValue() == 0 && ++whole >= amount / Requirements.HUNDREDTHS) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether an attempt could have just these pieces again. */
  boolean areFree(List<String> pieces, long amount) {
    for (String piece : pieces) {
      Long used = taken.get(piece);
      if (!present.contains(piece)
          || (used == null ? 0 : used) + amount / pieces.size() > Requirements.HUNDREDTHS) {
        return false;
      }
    }
    return true;
  }

  /** Takes an amount that fits; returns the pieces. */
  List<String> take(long amount) {
    List<String> pieces = new ArrayList<>();
    if (amount < Requirements.HUNDREDTHS) {
      pieces.add(fullest(amount));
    } else {
      taken.forEach(
          (name, used) -> {
            if (used == 0
                && present.contains(name)
                && pieces.size() < amount / Requirements.HUNDREDTHS) {
              pieces.add(name);
            }
          });
    }
    add(pieces, amount);
    return pieces;
  }

  /** Adds to what is taken of some pieces, all together so much, or takes it off. */
  void add(List<String> pieces, long amount) {
    for (String piece : pieces) {
      taken.compute(
          piece,
          (name, used) -> {
            long now = Math.max(0, (used == null ? 0 : used) + amount / pieces.size());
            return now == 0 && !present.contains(name) ? null : (Long) now;
          });
    }
  }

  private String fullest(long amount) {
    String best = "";
    long least = Long.MAX_VALUE;
    for (Map.Entry<String, Long> one : taken.entrySet()) {
      long free = Requirements.HUNDREDTHS - one.getValue();
      if (present.contains(one.getKey()) && free >= amount && free < least) {
        least = free;
        best = one.getKey();
      }
    }
    return best;
  }

  /** Whether no piece is taken more than once over, and as much as is said in sum. */
  boolean isSound(long sum) {
    long all = 0;
    for (long used : taken.values()) {
      if (used < 0 || used > Requirements.HUNDREDTHS) {
        return false;
      }
      all += used;
    }
    return all == sum;
  }
}
