package dev.imker.server.drop;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.imker.model.ImkerException;
import dev.imker.server.internal.drop.dav.DavPlace;
import dev.imker.server.internal.drop.place.DropPlace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A folder on a real WebDAV server. */
class DavPlaceTest extends SharedPlaceContract {
  private static ApacheDav apache;

  @BeforeAll
  static void serve() throws Exception {
    assumeTrue(Files.isExecutable(ApacheDav.PROGRAM), "Debian's apache2-bin is not installed");
    apache = new ApacheDav();
  }

  @AfterAll
  static void end() throws IOException {
    if (apache != null) {
      apache.close();
    }
  }

  @Override
  Shelf shelf(Path folder, String name) throws IOException {
    String own = folder.getFileName() + "-" + name;
    Path root = Files.createDirectory(apache.share().resolve(own));
    ApacheDav.open(root);
    return new DavShelf(apache, own, new FolderPlaceTest.DiskShelf(root));
  }

  @Override
  int stride() {
    return 9;
  }

  @Test
  void a_wrong_password_is_told() throws Exception {
    Path wrong = Files.writeString(temporary.resolve("wrong"), "ada:wrong");
    assertThatThrownBy(() -> DavPlace.open(apache.address("x"), wrong, "one", DavPlace.Pace.USUAL))
        .isInstanceOf(ImkerException.class)
        .hasMessageContaining("rejects the name and password");
  }

  @Test
  void a_password_does_not_cross_the_network_in_the_clear() {
    assertThatThrownBy(
            () -> DavPlace.open("http://192.0.2.1/work", apache.key(), "one", DavPlace.Pace.USUAL))
        .isInstanceOf(ImkerException.class)
        .hasMessageContaining("Write https");
  }

  /** People work in the folder that the server serves. */
  record DavShelf(ApacheDav apache, String name, FolderPlaceTest.DiskShelf disk) implements Shelf {
    @Override
    public DropPlace open(String server, long lostMillis) {
      DavPlace.Pace fast = new DavPlace.Pace(20, 20, lostMillis, 1);
      return DavPlace.open(apache.address(name), apache.key(), server, fast);
    }

    @Override
    public void write(String path, String text) throws IOException {
      Path parent = Objects.requireNonNull(disk.root().resolve(path).getParent());
      boolean made = !Files.exists(parent);
      disk.write(path, text);
      if (made) {
        ApacheDav.open(parent);
      }
    }

    @Override
    public void move(String path, String target) throws IOException {
      disk.move(path, target);
    }

    @Override
    public void remove(String path) throws IOException {
      disk.remove(path);
    }

    @Override
    public Map<String, String> files() throws IOException {
      return disk.files();
    }

    @Override
    public String trouble(String path) throws IOException {
      return disk.trouble(path);
    }

    @Override
    public void close() {}
  }
}
