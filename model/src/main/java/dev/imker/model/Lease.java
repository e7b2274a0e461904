package dev.imker.model;

/** The right of one agent to run one task. Only a result with the current token counts. */
public record Lease(TaskId task, LeaseToken token) {
  private static final int HEXADECIMAL = 16;

  /** Job, index, token and incarnation with dashes between them; {@link #parse} reads it. */
  public String text() {
    return task.job().value()
        + "-"
        + task.index()
        + "-"
        + token.value()
        + "-"
        + Long.toHexString(token.incarnation());
  }

  /**
   * Reads what {@link #text} writes.
   *
   * @throws IllegalArgumentException if it is anything else
   */
  public static Lease parse(String text) {
    String[] numbers = text.split("-", 4);
    if (numbers.length != 4) {
      throw new IllegalArgumentException("not a lease: " + text);
    }
    TaskId task = TaskId.of(Long.parseLong(numbers[0]), Integer.parseInt(numbers[1]));
    long incarnation = Long.parseUnsignedLong(numbers[3], HEXADECIMAL);
    return new Lease(task, new LeaseToken(Long.parseLong(numbers[2]), incarnation));
  }
}
