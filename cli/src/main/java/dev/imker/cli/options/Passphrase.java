package dev.imker.cli.options;

import dev.imker.model.ImkerException;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** Asks for a password: without showing it on a terminal, otherwise as one line of the input. */
public final class Passphrase {
  private Passphrase() {}

  /** The terminal, if somebody sits at one; by the version of Java there is a console otherwise. */
  @SuppressWarnings("SystemConsoleNull")
  public static Optional<Console> terminal() {
    return Optional.ofNullable(System.console()).filter(Console::isTerminal);
  }

  public static String ask(String prompt) {
    Optional<Console> terminal = terminal();
    if (terminal.isPresent()) {
      char[] typed = terminal.get().readPassword("%s: ", prompt);
      if (typed == null) {
        throw new ImkerException("No password was given.");
      }
      String password = new String(typed);
      Arrays.fill(typed, ' ');
      return password;
    }
    return line();
  }

  /** A new password, asked for twice on a terminal. */
  public static String askNew(String prompt) {
    String password = ask(prompt);
    if (terminal().isPresent() && !ask("Repeat the password").equals(password)) {
      throw new ImkerException("The passwords do not match; nothing was changed.");
    }
    return password;
  }

  private static String line() {
    try {
      String line =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
      if (line == null) {
        throw new ImkerException("No password on standard input.");
      }
      return line;
    } catch (IOException e) {
      throw new ImkerException("The password cannot be read: " + e.getMessage(), e);
    }
  }
}
