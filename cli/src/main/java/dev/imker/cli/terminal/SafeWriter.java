package dev.imker.cli.terminal;

import dev.imker.model.text.SafeText;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;

/**
 * Prints what came from a server: names of machines, jobs and users are chosen by others and must
 * not steer the terminal of whoever reads them.
 */
public final class SafeWriter extends FilterWriter {
  private final boolean coloured;

  private SafeWriter(Writer to, boolean coloured) {
    super(to);
    this.coloured = coloured;
  }

  public static PrintWriter of(PrintWriter to) {
    return new PrintWriter(new SafeWriter(to, false), true);
  }

  /** To standard output: states stand out where somebody looks. */
  public static PrintWriter ofOutput(PrintWriter to) {
    return new PrintWriter(new SafeWriter(to, Colours.onOutput()), true);
  }

  @Override
  public void write(int character) throws IOException {
    write(String.valueOf((char) character));
  }

  @Override
  public void write(char[] text, int offset, int length) throws IOException {
    write(new String(text, offset, length));
  }

  @Override
  public void write(String text, int offset, int length) throws IOException {
    write(text.substring(offset, offset + length));
  }

  @Override
  public void write(String text) throws IOException {
    String safe = SafeText.lines(text);
    out.write(coloured ? Colours.ofStates(safe) : safe);
  }
}
