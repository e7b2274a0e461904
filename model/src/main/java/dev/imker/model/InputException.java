package dev.imker.model;

/** Input of a user that cannot be understood; the same input will fail again. */
public class InputException extends ImkerException {
  private static final long serialVersionUID = 1L;

  public InputException(String message) {
    super(message);
  }
}
