package dev.imker.spring;

import dev.imker.client.Imker;
import dev.imker.client.executor.ImkerExecutor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.opentest4j.ValueWrapper;

/** What {@link FatJarTest} packs and starts: prints what its calls returned. */
final class FatJarProgram {
  private FatJarProgram() {}

  record Answer(String text, boolean elsewhere) {}

  private static String resource() throws IOException {
    try (InputStream in = FatJarProgram.class.getResourceAsStream("/texts/words.txt")) {
      return in == null ? "none" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  public static void main(String[] args) throws Exception {
    long here = ProcessHandle.current().pid();
    String captured = args[0];
    try (Imker imker = Imker.connect();
        ImkerExecutor pool = imker.executor()) {
      System.out.println(
          pool.submit(() -> new Answer(captured, ProcessHandle.current().pid() != here)).get());
      System.out.println(pool.submit(() -> ValueWrapper.create(7).getStringRepresentation()).get());
      System.out.println(pool.submit(FatJarProgram::resource).get());
      System.out.println(pool.map(List.of(1, 2, 3), (Integer n) -> n * n));
      try {
        pool.submit(() -> Integer.parseInt(captured)).get();
      } catch (ExecutionException e) {
        System.out.println(e.getCause());
      }
    }
  }
}
