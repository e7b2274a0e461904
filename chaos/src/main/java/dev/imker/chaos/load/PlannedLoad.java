package dev.imker.chaos.load;

import dev.imker.client.Imker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * Runs the planned jobs whose kind, number and log are written to its standard input, a line for
 * each, one after the other; after each it prints a line with what it was told in the end. It is
 * the same program all the time, whatever becomes of the pool.
 */
public final class PlannedLoad {
  private PlannedLoad() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try (Imker imker = Imker.connect()) {
      for (String order = orders.readLine(); order != null; order = orders.readLine()) {
        String[] words = order.split(" ", 3);
        String told = FailingJob.valueOf(words[0]).run(imker, Integer.parseInt(words[1]), words[2]);
        System.out.println(told.replaceAll("\\R", " "));
      }
    }
    System.exit(0);
  }
}
