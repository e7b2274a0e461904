package dev.imker.bench.peers;

import dev.imker.bench.pool.PoolProcesses;
import dev.imker.cli.api.ApiClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A function of Python called many times. Imker starts a Python for every task; the others keep
 * theirs, and hold tasks and results in memory.
 */
final class PythonTools {
  private static final String PYTHON = "/usr/bin/python3";

  private static final String PROCESS_POOL =
      """
      import sys
      from concurrent.futures import ProcessPoolExecutor
      def work(n):
          return n
      if __name__ == "__main__":
          count = int(sys.argv[1])
          with ProcessPoolExecutor(2) as pool:
              assert sum(pool.map(work, range(count))) == count * (count - 1) // 2
      """;
  private static final String DASK =
      """
      import sys
      from distributed import Client
      def work(n):
          return n
      if __name__ == "__main__":
          count = int(sys.argv[1])
          with Client(n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None) as client:
              assert sum(client.gather(client.map(work, range(count), pure=False))) == count * (count - 1) // 2
      """;

  private PythonTools() {}

  static void run(int rounds, int count) throws Exception {
    Path folder = Files.createTempDirectory("peers-python-");
    try (PoolProcesses pool = PoolProcesses.start()) {
      pool.addNode("python", 2, ImkerPeer.NO_SANDBOX);
      List<Tool> tools = new ArrayList<>();
      tools.add(
          new Tool(
              "Imker",
              "SQLite on disk, a Python a task",
              count,
              n -> {
                try (ApiClient api = pool.client()) {
                  ImkerPeer.runFile(
                      api,
                      "imker: 1\nname: python\ncommand: [%s, -c, 'print(${n})']\nsweep: {n: 1..%d}\n"
                          .formatted(PYTHON, n),
                      n);
                }
              }));
      tools.add(
          new Tool(
              "xargs",
              "-P 2 -n 1, a Python a task",
              count,
              n ->
                  Tool.shell(
                      folder,
                      "seq " + n + " | xargs -P 2 -I{} " + PYTHON + " -c 'print({})' >/dev/null")));
      tools.add(script(folder, "ProcessPoolExecutor", "2 processes", PROCESS_POOL, 20 * count));
      if (knows("distributed")) {
        tools.add(script(folder, "Dask", "LocalCluster, 2 workers of 1 thread", DASK, 5 * count));
      } else {
        System.out.println("Dask is left out: apt-get install python3-distributed");
      }
      Tool.compare("python", "Python calls a second, start of the tool included", rounds, tools);
    } finally {
      Tool.deleteTree(folder);
    }
  }

  private static boolean knows(String module) throws IOException, InterruptedException {
    return new ProcessBuilder(PYTHON, "-c", "import " + module)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor()
        == 0;
  }

  private static Tool script(Path folder, String name, String settings, String text, int count)
      throws IOException {
    Path script = Files.writeString(folder.resolve(name + ".py"), text);
    return new Tool(
        name, settings, count, n -> Tool.shell(folder, PYTHON + " " + script + " " + n));
  }
}
