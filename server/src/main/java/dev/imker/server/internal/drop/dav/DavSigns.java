package dev.imker.server.internal.drop.dav;

import dev.imker.server.internal.drop.place.SignsOfLife;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * Signs of life of the servers that use a folder: a file of each that changes while it is there.
 */
final class DavSigns {
  private static final String SIGN = "alive";

  private final DavFiles files;
  private final String servers;
  private final String own;
  private final long everyMillis;
  private final SignsOfLife signs;
  private long exchangedNanos;
  private volatile boolean given;

  /**
   * @param servers has a folder for each of them
   */
  DavSigns(DavFiles files, String servers, String own, long lostMillis) {
    this.files = files;
    this.servers = servers;
    this.own = own;
    this.everyMillis = SignsOfLife.everyMillis(lostMillis);
    this.signs = new SignsOfLife(lostMillis);
  }

  /** Gives a sign if it is time to; returns the folders of servers that are gone. */
  List<String> exchange() throws IOException {
    long now = System.nanoTime();
    if (given && now - exchangedNanos < TimeUnit.MILLISECONDS.toNanos(everyMillis)) {
      return List.of();
    }
    give();
    given = true;
    exchangedNanos = now;
    Map<String, String> others = new HashMap<>();
    for (DavEntry server : files.entries(servers)) {
      if (server.folder() && !server.name().equals(own)) {
        Optional<DavEntry> sign = files.stat(server.path() + "/" + SIGN);
        if (sign.isPresent()) {
          others.put(server.path(), text(sign.get()));
        }
      }
    }
    return signs.lost(others);
  }

  long everyMillis() {
    return everyMillis;
  }

  /** Gives another one, if there was one. */
  void giveAgain() throws IOException {
    if (given) {
      give();
    }
  }

  private void give() throws IOException {
    files.write(
        servers + "/" + own + "/" + SIGN,
        UUID.randomUUID().toString().getBytes(StandardCharsets.UTF_8));
  }

  private String text(DavEntry sign) throws IOException {
    return new String(files.read(sign.path()), StandardCharsets.UTF_8);
  }
}
