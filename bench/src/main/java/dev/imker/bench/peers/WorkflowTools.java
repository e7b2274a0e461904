package dev.imker.bench.peers;

import dev.imker.bench.pool.PoolProcesses;
import dev.imker.cli.api.ApiClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A graph: many commands that each make a file, and one that joins all of them. */
final class WorkflowTools {
  private static final String IMKER =
      """
      imker: 1
      name: workflow
      stages:
        - name: part
          command: echo ${n} > part.txt
          sweep: {n: 1..COUNT}
          results: part.txt
        - name: join
          after: part
          command: cat parts/*/part.txt > all.txt
          inputs: [{stage: part, files: part.txt, into: 'parts/${task}'}]
      """;
  private static final String MAKE =
      """
      PARTS = $(addsuffix .txt,$(shell seq COUNT))
      all.txt: $(PARTS)
      \tcat $(PARTS) > all.txt
      %.txt:
      \techo $* > $@
      """;
  private static final String SNAKEMAKE =
      """
      rule all:
          input: expand("part{n}.txt", n=range(1, COUNT + 1))
          output: "all.txt"
          shell: "cat {input} > {output}"
      rule part:
          output: "part{n}.txt"
          shell: "echo {wildcards.n} > {output}"
      """;

  private WorkflowTools() {}

  static void run(int rounds, int count) throws Exception {
    try (PoolProcesses pool = PoolProcesses.start()) {
      pool.addNode("workflow", 2, ImkerPeer.NO_SANDBOX);
      List<Tool> tools = new ArrayList<>();
      tools.add(
          new Tool(
              "Imker",
              "SQLite on disk, files to the server and to the joining task",
              count,
              n -> {
                try (ApiClient api = pool.client()) {
                  ImkerPeer.runFile(api, IMKER.replace("COUNT", Integer.toString(n)), n + 1);
                }
              }));
      if (Tool.usable("make", "make")) {
        tools.add(
            new Tool("make", "-j 2", count, n -> inFolder("Makefile", MAKE, n, "make -s -j 2")));
      }
      if (Tool.usable("snakemake", "snakemake")) {
        tools.add(
            new Tool(
                "Snakemake",
                "--cores 2",
                Math.max(10, count / 4),
                n -> inFolder("Snakefile", SNAKEMAKE, n, "snakemake -q all --cores 2 all.txt")));
      }
      Tool.compare("workflows", "Steps of a workflow a second", rounds, tools);
    }
  }

  private static void inFolder(String file, String text, int count, String command)
      throws Exception {
    Path folder = Files.createTempDirectory("peers-workflow-");
    try {
      Files.writeString(folder.resolve(file), text.replace("COUNT", Integer.toString(count)));
      Tool.shell(folder, command);
      if (Files.readAllLines(folder.resolve("all.txt")).size() != count) {
        throw new IllegalStateException(command + " did not join " + count + " files");
      }
    } finally {
      Tool.deleteTree(folder);
    }
  }
}
