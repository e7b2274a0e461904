package dev.imker.server.drop;

import static org.awaitility.Awaitility.await;

import dev.imker.server.internal.drop.place.FolderTree;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Base64;

/** Apache with mod_dav (Debian: apache2-bin), which serves a folder of this machine. */
final class ApacheDav implements AutoCloseable {
  static final Path PROGRAM = Path.of("/usr/sbin/apache2");
  private static final String USER = "ada";
  private static final String PASSWORD = "a:b c";

  private final Path folder;
  private final int port;
  private final Process process;

  ApacheDav() throws Exception {
    folder = Files.createTempDirectory("imker-apache");
    open(folder);
    open(Files.createDirectory(share()));
    open(Files.createDirectory(folder.resolve("locks")));
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    byte[] sha =
        MessageDigest.getInstance("SHA-1").digest(PASSWORD.getBytes(StandardCharsets.UTF_8));
    Files.writeString(
        folder.resolve("users"), USER + ":{SHA}" + Base64.getEncoder().encodeToString(sha) + "\n");
    Files.writeString(key(), USER + ":" + PASSWORD + "\n");
    process =
        new ProcessBuilder(PROGRAM.toString(), "-f", configuration().toString(), "-DFOREGROUND")
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("output.log").toFile())
            .start();
    await().atMost(Duration.ofSeconds(60)).until(this::answers);
  }

  private boolean answers() throws IOException {
    if (!process.isAlive()) {
      throw new IOException(Files.readString(folder.resolve("output.log")));
    }
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  /** Apache runs as nobody where the tests run as root. */
  static void open(Path folder) throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
  }

  private Path configuration() throws IOException {
    StringBuilder text = new StringBuilder();
    for (String module :
        new String[] {
          "mpm_event",
          "authn_core",
          "authn_file",
          "authz_core",
          "authz_user",
          "auth_basic",
          "dav",
          "dav_fs"
        }) {
      text.append(
          "LoadModule %s_module /usr/lib/apache2/modules/mod_%s.so\n".formatted(module, module));
    }
    text.append(
        """
        ServerRoot %1$s
        ServerName localhost
        Listen 127.0.0.1:%2$d
        User nobody
        Group nogroup
        PidFile %1$s/pid
        Mutex file:%1$s default
        ErrorLog %1$s/error.log
        DavLockDB %1$s/locks/db
        DocumentRoot %1$s/share
        <Directory %1$s/share>
          Dav On
          AuthType Basic
          AuthName share
          AuthUserFile %1$s/users
          Require valid-user
        </Directory>
        """
            .formatted(folder, port));
    return Files.writeString(folder.resolve("apache.conf"), text);
  }

  /** What it serves. */
  Path share() {
    return folder.resolve("share");
  }

  Path key() {
    return folder.resolve("key");
  }

  String address(String name) {
    return "http://127.0.0.1:" + port + "/" + name;
  }

  @Override
  public void close() throws IOException {
    process.destroy();
    process.onExit().join();
    FolderTree.delete(folder);
  }
}
