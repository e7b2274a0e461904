package dev.imker.bench.planner;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/** Solves instance after instance: two lines in with the files, one line out. */
final class PlannerWorker {
  private PlannerWorker() {}

  /**
   * @param args name of the planner, seconds for an instance
   */
  public static void main(String[] args) throws IOException {
    PrintStream answers = System.out;
    // The peer tells its progress there.
    System.setOut(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
    PlannerContender planner = args[0].equals("imker") ? new ImkerPlanner() : new Pddl4jPlanner();
    Duration timeout = Duration.ofSeconds(Long.parseLong(args[1]));
    BufferedReader questions =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String domain = questions.readLine(); domain != null; domain = questions.readLine()) {
      Path problem = Path.of(questions.readLine());
      long start = System.nanoTime();
      String outcome = outcome(planner, Path.of(domain), problem, timeout);
      answers.println((System.nanoTime() - start) / 1e6 + " " + outcome);
      answers.flush();
    }
  }

  private static String outcome(
      PlannerContender planner, Path domain, Path problem, Duration timeout) throws IOException {
    try {
      return planner.solve(domain, problem, timeout);
    } catch (RuntimeException | StackOverflowError e) {
      return "fails: " + e.getClass().getSimpleName();
    }
  }
}
