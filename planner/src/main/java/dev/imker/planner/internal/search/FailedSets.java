package dev.imker.planner.internal.search;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Sets of propositions that cannot be reached together; answers whether a set contains one. */
final class FailedSets {
  private static final class Node {
    final Map<Integer, Node> children = new HashMap<>();
    int @Nullable [] set;
  }

  private final Node root = new Node();

  /** Remembers a set; its members must be sorted. */
  void add(int[] set) {
    Node node = root;
    for (int member : set) {
      node = node.children.computeIfAbsent(member, _ -> new Node());
    }
    if (node.set == null) {
      node.set = set;
    }
  }

  /** A remembered subset of the given sorted set, or null. */
  int @Nullable [] subsetOf(int[] set) {
    return subsetOf(root, set, 0);
  }

  private static int @Nullable [] subsetOf(Node node, int[] set, int from) {
    if (node.set != null) {
      return node.set;
    }
    if (!node.children.isEmpty()) {
      for (int i = from; i < set.length; i++) {
        Node child = node.children.get(set[i]);
        if (child != null) {
          int[] found = subsetOf(child, set, i + 1);
          if (found != null) {
            return found;
          }
        }
      }
    }
    return null;
  }

  boolean allMatch(Predicate<int[]> condition) {
    return allMatch(root, condition);
  }

  private static boolean allMatch(Node node, Predicate<int[]> condition) {
    return (node.set == null || condition.test(node.set))
        && node.children.values().stream().allMatch(child -> allMatch(child, condition));
  }
}
