package dev.imker.cli.terminal;

import dev.imker.model.text.SafeText;
import java.io.Console;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** One line of the terminal that is drawn again and again, cut where the terminal ends. */
public record TerminalLine(PrintStream terminal) {
  private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");
  private static final Path STANDARD_OUTPUT = Path.of("/proc/self/fd/1");

  /** Without wrapping, what does not fit is cut off by the terminal, however wide it is by now. */
  private static final String WITHOUT_WRAPPING = "\r\u001b[?7l";

  private static final String ERASE_REST = "\u001b[K";
  private static final String WITH_WRAPPING = "\u001b[?7h";

  /** Whether standard error is a terminal that understands how lines are drawn. */
  public static boolean isPossible() {
    return !"dumb".equals(System.getenv("TERM")) && isTerminal();
  }

  /** Whether standard output is a terminal that understands more than lines. */
  public static boolean isOutputTerminal() {
    try {
      return !"dumb".equals(System.getenv("TERM"))
          && isTerminal(Files.readSymbolicLink(STANDARD_OUTPUT).toString());
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  /** The other two may lead elsewhere; and where only this one does, it is a file of words. */
  @SuppressWarnings("SystemConsoleNull") // Null or not a terminal: it depends on the provider.
  private static boolean isTerminal() {
    try {
      return isTerminal(Files.readSymbolicLink(STANDARD_ERROR).toString());
    } catch (IOException | UnsupportedOperationException e) {
      Console console = System.console(); // the system does not tell of standard error alone
      return console != null && console.isTerminal();
    }
  }

  public static boolean isTerminal(String device) {
    return device.matches("/dev/(pts/.*|tty.*|console)");
  }

  public void draw(String line) {
    // Back to its beginning, so that a ^C that the terminal shows is erased with it.
    terminal.print(WITHOUT_WRAPPING + SafeText.line(line) + ERASE_REST + WITH_WRAPPING + "\r");
    terminal.flush();
  }

  /** Leaves an empty line to whoever writes next. */
  public void erase() {
    terminal.print("\r" + ERASE_REST);
    terminal.flush();
  }
}
