package dev.imker.agent.internal.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.agent.internal.process.TaskProcess;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HostProcessTest {
  @TempDir Path folder;

  private final List<String> told = new ArrayList<>();

  /**
   * What a call held of the whole pool goes to another as soon as it is told to be over. A call
   * that does not listen would go on using it, for as long as its host has other work.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_host_outlives_a_call_that_does_not_end_only_if_it_holds_nothing_of_the_pool(boolean ofPool)
      throws Exception {
    UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.resolve("s"));
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(address);
      try (SocketChannel _ = SocketChannel.open(address);
          SocketChannel connection = server.accept()) {
        HostProcess host = new HostProcess(1, folder, "secret", server, Optional.empty());
        host.started(new Recorded());
        host.connected().complete(new FrameChannel(connection));
        Work work =
            new Work(
                "1.1",
                1,
                "",
                "",
                Map.of(),
                Map.of(),
                new long[0],
                new Work.Body.Action("Any", Map.of(), new byte[0], new byte[0], false));
        host.run(1, work, new Listening("deaf"));
        host.run(2, work, new Listening("neighbour"));
        host.abandon(1, ofPool);
        host.abandon(1, ofPool);
      }
    }
    assertThat(told)
        .isEqualTo(
            ofPool
                ? List.of("neighbour lost BESIDE_OTHERS", "killed", "deaf lost ALONE", "killed")
                : List.of("deaf lost ALONE"));
  }

  private final class Recorded implements TaskProcess {
    @Override
    public long pid() {
      return 0;
    }

    @Override
    public long memoryBytes() {
      return 0;
    }

    @Override
    public void kill() {
      told.add("killed");
    }

    @Override
    public boolean freeze(boolean on) {
      return false;
    }

    @Override
    public void terminate(long graceMillis) {}
  }

  private final class Listening implements HostListener {
    private final String name;

    Listening(String name) {
      this.name = name;
    }

    @Override
    public void ended(Ended end) {
      told.add(name + " ended");
    }

    @Override
    public void lost(String reason, Loss when, boolean outOfMemory) {
      told.add(name + " lost " + when);
    }

    @Override
    public void progress(double fraction, String text) {}

    @Override
    public void waits(boolean on) {}

    @Override
    public void checkpoint(int call, byte[] value) {}

    @Override
    public void wrote(long offset, byte[] text) {}

    @Override
    public void asked(HostRequest request) {}
  }
}
