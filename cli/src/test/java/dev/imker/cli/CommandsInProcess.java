package dev.imker.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.testkit.TestPool;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Runs commands inside the test's own process against a pool in the same process: as a user types
 * them, without the second that a Java process takes to start.
 */
public final class CommandsInProcess {
  private final String url;
  private final String token;

  public CommandsInProcess(TestPool pool) {
    this(pool.server().address().toString(), pool.server().adminToken());
  }

  CommandsInProcess(String url, String token) {
    this.url = url;
    this.token = token;
  }

  /** The same server with another user's token. */
  CommandsInProcess as(String otherToken) {
    return new CommandsInProcess(url, otherToken);
  }

  public ImkerProcess.Finished imker(String... arguments) {
    return run(withServer(arguments));
  }

  public JsonNode json(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    int dashes = all.indexOf("--");
    all.add(dashes < 0 ? all.size() : dashes, "--json");
    ImkerProcess.Finished finished = imker(all.toArray(String[]::new));
    assertThat(finished.exitCode()).as(all + finished.err()).isLessThan(2);
    return PoolFixture.json(finished.out());
  }

  /** Whatever the arguments say, without a server. */
  static ImkerProcess.Finished run(String... arguments) {
    return run(new byte[0], arguments);
  }

  static ImkerProcess.Finished run(byte[] standardInput, String... arguments) {
    PrintStream out = System.out;
    PrintStream err = System.err;
    InputStream in = System.in;
    ByteArrayOutputStream outBytes = new ByteArrayOutputStream();
    ByteArrayOutputStream errBytes = new ByteArrayOutputStream();
    try (PrintStream ownOut = new PrintStream(outBytes, true, UTF_8);
        PrintStream ownErr = new PrintStream(errBytes, true, UTF_8)) {
      System.setOut(ownOut);
      System.setErr(ownErr);
      System.setIn(new ByteArrayInputStream(standardInput));
      int exitCode = Main.execute(arguments);
      ownOut.flush();
      ownErr.flush();
      return new ImkerProcess.Finished(
          exitCode, outBytes.toString(UTF_8), errBytes.toString(UTF_8));
    } finally {
      System.setOut(out);
      System.setErr(err);
      System.setIn(in);
    }
  }

  public ImkerProcess.Finished withInput(String standardInput, String... arguments) {
    return run(standardInput.getBytes(UTF_8), withServer(arguments));
  }

  private String[] withServer(String... arguments) {
    List<String> all = new ArrayList<>(Arrays.asList(arguments));
    int dashes = all.indexOf("--");
    all.addAll(dashes < 0 ? all.size() : dashes, List.of("--server", url, "--token", token));
    return all.toArray(String[]::new);
  }
}
