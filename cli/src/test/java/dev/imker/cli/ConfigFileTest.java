package dev.imker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What 'imker config check' says of a file of options. */
class ConfigFileTest {
  @TempDir Path folder;

  private ImkerProcess.Finished check(String options) throws IOException {
    Path file = Files.writeString(folder.resolve("server.conf"), options);
    return CommandsInProcess.run("config", "check", file.toString());
  }

  @Test
  void valid_file_is_told_with_what_it_means() throws IOException {
    ImkerProcess.Finished valid =
        check("# a comment\n--listen 0.0.0.0\n--port 7171\n--log-format json\n--data " + folder);
    assertThat(valid.exitCode()).isZero();
    assertThat(valid.out()).contains("is valid", "0.0.0.0:7171", folder.toString());
    assertThat(CommandsInProcess.run("config", "check", "../packaging/deb/imker/server.conf").out())
        .contains("is valid");
  }

  @Test
  void mistakes_are_told_with_the_file() throws IOException {
    assertThat(check("--port 1\n--prot 7171").err())
        .contains("server.conf:2: 'imker server' has no option --prot. Did you mean --port?");
    assertThat(check("port: 7171").err())
        .contains("server.conf:1: 'port:' is not an option. Write one in a line");
    assertThat(check("--port many").err()).contains("server.conf", "--port", "many");
    assertThat(check("--db jdbc:mysql://db/imker").err())
        .contains("server.conf", "jdbc:mysql://db/imker", "jdbc:postgresql://host:5432");
    assertThat(check("--lease 3 parsecs").exitCode()).isNotZero();
    assertThat(check("--zookeeper zk:2181").err()).contains("--zookeeper", "--db");
    assertThat(CommandsInProcess.run("config", "check", folder + "/none").err())
        .contains("none cannot be read");
  }
}
