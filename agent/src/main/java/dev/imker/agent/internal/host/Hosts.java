package dev.imker.agent.internal.host;

import dev.imker.agent.internal.platform.TaskUser;
import dev.imker.agent.internal.process.ProcessExit;
import dev.imker.agent.internal.process.ProcessSpec;
import dev.imker.agent.internal.system.StartFailedException;
import dev.imker.model.PrivateFolder;
import dev.imker.model.code.CodePlace;
import dev.imker.tasks.Task;
import java.io.File;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts hosts and keeps track of the living ones. */
final class Hosts {
  private static final Logger LOG = LoggerFactory.getLogger(Hosts.class);
  private static final int USUAL_MEGABYTES = 512;
  private static final int FIRST_MEGABYTES = 16;
  private static final int SECRET_BYTES = 16;

  private static final String TEMPORARY = "tmp";
  private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(3);
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final SecureRandom RANDOM = new SecureRandom();

  private final HostSettings settings;
  private final Path link;
  private final ConcurrentMap<String, HostProcess> bySecret = new ConcurrentHashMap<>();
  private final AtomicLong last = new AtomicLong();
  private volatile boolean closed;

  /**
   * Sockets are accessed through a link with a short name, because the system limits the length.
   */
  Hosts(HostSettings settings) throws IOException {
    this.settings = settings;
    deleteTree(settings.folder());
    PrivateFolder.create(settings.folder());
    if (usersPass()) {
      Files.setPosixFilePermissions(
          settings.folder(), PosixFilePermissions.fromString("rwx--x--x"));
    }
    this.link = Files.createTempDirectory("imker").resolve("hosts");
    Files.createSymbolicLink(link, settings.folder().toAbsolutePath());
  }

  /** Whether hosts have to enter their folders by the way that the agent itself takes. */
  private boolean usersPass() {
    return settings.enclosure().hasUsers() && !settings.enclosure().mounts();
  }

  /** Waits for one host to connect; whoever listens in that folder is nobody else. */
  private void accept(ServerSocketChannel server, HostProcess host) {
    try (server;
        SocketChannel connection = server.accept();
        FrameChannel channel = new FrameChannel(connection)) {
      FrameChannel.Frame first = channel.read();
      if (first != null
          && first.type() == FrameType.HERE
          && host.secret().equals(new String(first.content(), StandardCharsets.UTF_8))) {
        host.serve(channel);
        return;
      }
    } catch (IOException e) {
      LOG.debug("A task host did not connect: {}", e.getMessage());
    }
    host.kill();
  }

  /** Starts a process; it connects by itself. */
  HostProcess start(int megabytes, boolean network, List<String> gpus) throws IOException {
    long number = last.incrementAndGet();
    byte[] random = new byte[SECRET_BYTES];
    RANDOM.nextBytes(random);
    String secret = HexFormat.of().formatHex(random);
    Path folder = PrivateFolder.create(settings.folder().resolve(Long.toString(number)));
    Path temporary = Files.createDirectory(folder.resolve(TEMPORARY));
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(link.resolve(number + "/" + HostMain.SOCKET_FILE)));
    Optional<TaskUser> user = settings.enclosure().user();
    HostProcess host = new HostProcess(number, folder, secret, server, user);
    try {
      if (user.isPresent()) {
        user.get().give(folder);
        user.get().give(temporary);
        user.get().give(folder.resolve(HostMain.SOCKET_FILE));
      }
      Map<String, String> environment = settings.environment().of(number, gpus);
      environment.put("HOME", folder.toString());
      environment.put("TMPDIR", temporary.toString());
      environment.put(HostMain.SECRET, secret);
      bySecret.put(secret, host);
      Map<String, Path> code = code();
      ProcessSpec spec =
          new ProcessSpec(
              command(megabytes == 0 ? USUAL_MEGABYTES : megabytes, code),
              environment,
              folder,
              host.output(),
              host.complaints(),
              settings.priority());
      ProcessSpec enclosed = settings.enclosure().enclose(spec, temporary, network, code, user);
      host.started(settings.processes().start(enclosed, exit -> ended(host, exit)));
    } catch (IOException | RuntimeException e) {
      bySecret.remove(secret);
      server.close();
      user.ifPresent(TaskUser::endTask);
      tidy(folder);
      if (e instanceof StartFailedException) {
        throw new IOException(e.getMessage(), e);
      }
      throw e;
    }
    if (closed) { // by somebody who may have seen it without its process
      host.kill();
    }
    Thread.ofPlatform().daemon().name("imker-host").start(() -> accept(server, host));
    return host;
  }

  private void ended(HostProcess host, ProcessExit exit) {
    host.exited(exit);
    host.user().ifPresent(TaskUser::endTask);
    tidy(host.folder());
    tidy(host.output());
    tidy(host.complaints());
    host.user().ifPresent(TaskUser::release);
    bySecret.remove(host.secret());
  }

  private List<String> command(int megabytes, Map<String, Path> code) {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String classPath =
        code.entrySet().stream()
            .map(
                entry ->
                    settings.enclosure().mounts() ? entry.getKey() : entry.getValue().toString())
            .collect(Collectors.joining(File.pathSeparator));
    return List.of(
        java,
        "-Xmx" + megabytes + "m",
        "-Xms" + Math.min(FIRST_MEGABYTES, megabytes) + "m",
        "-Xss1m",
        "-XX:+UseSerialGC",
        "-XX:+ExitOnOutOfMemoryError",
        "-XX:-UsePerfData",
        "--enable-native-access=ALL-UNNAMED", // to keep threads on their cores
        "--enable-preview", // of Java, which classes of tasks may use
        "-Djava.io.tmpdir=" + TEMPORARY,
        "-Dfile.encoding=UTF-8",
        "-cp",
        classPath,
        HostMain.class.getName());
  }

  /** The host needs little: itself and what tasks are programmed against. */
  private Map<String, Path> code() throws IOException {
    Map<String, Path> code = new LinkedHashMap<>();
    for (Path place :
        Stream.of(HostMain.class, Task.class).map(CodePlace::of).distinct().toList()) {
      code.put("code" + code.size(), usersPass() ? readable(place) : place);
    }
    return code;
  }

  /** The same file where every user can read it, as in somebody's home they cannot. */
  private Path readable(Path place) throws IOException {
    boolean closed =
        Stream.iterate(place, Objects::nonNull, Path::getParent).anyMatch(Hosts::isClosed);
    if (!closed || !Files.isRegularFile(place)) {
      return place;
    }
    Path copy = settings.folder().resolve(place.getFileName());
    if (!Files.exists(copy)) {
      Files.copy(place, copy);
      Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rw-r--r--"));
    }
    return copy;
  }

  private static boolean isClosed(Path place) {
    try {
      return !Files.getPosixFilePermissions(place)
          .contains(
              Files.isDirectory(place)
                  ? PosixFilePermission.OTHERS_EXECUTE
                  : PosixFilePermission.OTHERS_READ);
    } catch (IOException e) {
      return true;
    }
  }

  List<HostProcess> all() {
    return new ArrayList<>(bySecret.values());
  }

  /** Kills all hosts and waits briefly until nothing is left of them. */
  void close() {
    closed = true;
    all().forEach(HostProcess::kill);
    long begin = System.nanoTime();
    while (!bySecret.isEmpty() && System.nanoTime() - begin < CLOSE_NANOS) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
    try {
      Files.deleteIfExists(link);
      Files.deleteIfExists(link.getParent());
    } catch (IOException e) {
      LOG.debug("A link to the task hosts could not be removed", e);
    }
  }

  private static void tidy(Path folder) {
    try {
      deleteTree(folder);
    } catch (IOException e) {
      LOG.debug("The folder of a task host could not be removed", e);
    }
  }

  private static void deleteTree(@Nullable Path folder) throws IOException {
    if (folder == null || !Files.exists(folder)) {
      return;
    }
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }
}
