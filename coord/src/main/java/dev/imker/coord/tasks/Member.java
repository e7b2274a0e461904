package dev.imker.coord.tasks;

import java.util.Optional;

/**
 * A run of a task, or a program outside the pool, that takes part in coordination.
 *
 * @param task such as 12.3, or a name for the program
 * @param lease identifies this run; letters, digits and dashes
 */
public record Member(String task, String lease) {
  public Member {
    if (!lease.matches("[A-Za-z0-9-]+") || !task.matches("[A-Za-z0-9.-]+")) {
      throw new IllegalArgumentException("not a member: " + task + " " + lease);
    }
  }

  /** The name of its node: m_TASK_LEASE. */
  String node() {
    return "m_" + task + "_" + lease;
  }

  /** The member of this node, whatever number follows the name. */
  static Optional<Member> of(String node) {
    String[] parts = node.split("_", 4);
    return parts.length >= 3 && parts[0].equals("m")
        ? Optional.of(new Member(parts[1], parts[2]))
        : Optional.empty();
  }
}
