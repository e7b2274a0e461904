package dev.imker.server.drop;

import dev.imker.server.internal.drop.drive.DrivePlace;
import dev.imker.server.internal.drop.drive.GoogleStandIn;
import dev.imker.server.internal.drop.place.DropPlace;
import dev.imker.testbase.ExpectedLogs;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Nested;

/** Google Drive, in pages of three, quiet and busy. */
@ExpectedLogs("in the drop folder .* waits")
class DrivePlaceContractTest {
  @Nested
  class Quiet extends SharedPlaceContract {
    @Override
    Shelf shelf(Path folder, String name) throws Exception {
      return new DriveShelf(new GoogleStandIn(), folder);
    }
  }

  /** Every eleventh request is refused, or done without an answer. */
  @Nested
  class Busy extends SharedPlaceContract {
    @Override
    Shelf shelf(Path folder, String name) throws Exception {
      GoogleStandIn google = new GoogleStandIn();
      DriveShelf shelf = new DriveShelf(google, folder);
      google.trouble(GoogleStandIn.every(11));
      return shelf;
    }

    @Override
    int stride() {
      return 15;
    }
  }

  /** A folder on Drive. */
  record DriveShelf(GoogleStandIn google, String root, Path keys) implements Shelf {
    DriveShelf(GoogleStandIn google, Path keys) {
      this(google, google.folder("work"), keys);
    }

    @Override
    public DropPlace open(String server, long lostMillis) throws Exception {
      DrivePlace.Pace fast = new DrivePlace.Pace(5, 50, 50, lostMillis, 1);
      return DrivePlace.open(root, google.key(keys), server, google.roots(), fast);
    }

    @Override
    public void write(String path, String text) {
      if (files().containsKey(path)) {
        google.drive.edit(path, root, text);
      } else {
        google.file(root, path, text);
      }
    }

    @Override
    public void move(String path, String target) {
      google.drive.move(path, root, google.folderAt(root, target));
    }

    @Override
    public void remove(String path) {
      google.drive.trash(path, root);
    }

    @Override
    public Map<String, String> files() {
      Map<String, String> all = new TreeMap<>();
      google
          .drive
          .tree(root)
          .forEach(
              (path, item) -> {
                if (!path.startsWith(".imker")) {
                  all.put(path, new String(item.content, StandardCharsets.UTF_8));
                }
              });
      return all;
    }

    @Override
    public String trouble(String path) {
      return google.drive.at(root, path).description();
    }

    @Override
    public void close() {
      google.close();
    }
  }
}
