package dev.imker.server.drop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.server.internal.drop.place.DropPlace;
import dev.imker.server.internal.drop.place.FolderPlace;
import dev.imker.server.internal.drop.place.SignsOfLife;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class FolderPlaceTest extends SharedPlaceContract {
  @Override
  Shelf shelf(Path folder, String name) {
    return new DiskShelf(folder.resolve(name));
  }

  @Test
  @Timeout(60)
  void what_changed_before_a_folder_was_watched_is_not_waited_for() throws Exception {
    try (DropPlace place = shelf.open("server-1", SignsOfLife.LOST_MILLIS)) {
      shelf.write("inbox/a.yaml", "work");
      place.awaitChange(600_000);
      shelf.write("inbox/project/b.yaml", "work");
      place.awaitChange(600_000); // the folder has come
      shelf.write("inbox/project/c.yaml", "work");
      place.awaitChange(600_000);
      assertThat(place.inbox().waiting()).hasSize(3);
    }
  }

  /** A folder of this machine. */
  record DiskShelf(Path root) implements Shelf {
    @Override
    public DropPlace open(String server, long lostMillis) {
      return FolderPlace.open(root, server, lostMillis);
    }

    @Override
    public void write(String path, String text) throws IOException {
      Files.createDirectories(root.resolve(path).getParent());
      Files.writeString(root.resolve(path), text);
    }

    @Override
    public void move(String path, String target) throws IOException {
      Files.move(root.resolve(path), root.resolve(target));
    }

    @Override
    public void remove(String path) throws IOException {
      Files.delete(root.resolve(path));
    }

    @Override
    public Map<String, String> files() throws IOException {
      Map<String, String> all = new TreeMap<>();
      try (Stream<Path> tree = Files.walk(root)) {
        for (Path file : tree.filter(Files::isRegularFile).toList()) {
          String path = root.relativize(file).toString();
          if (!("/" + path).contains("/.imker")) {
            all.put(path, Files.readString(file));
          }
        }
      }
      return all;
    }

    @Override
    public String trouble(String path) throws IOException {
      return Files.readString(root.resolve(path + ".trouble.txt"));
    }

    @Override
    public void close() {}
  }
}
