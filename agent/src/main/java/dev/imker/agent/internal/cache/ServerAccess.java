package dev.imker.agent.internal.cache;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Where blobs are downloaded and uploaded, according to the last welcome. Without a connection
 * there is none, and callers wait.
 */
public final class ServerAccess {
  /**
   * Address of the server ({@code http://host:port}, and a path where a proxy has put it below
   * one), the token it takes for blobs, how their content may be encoded besides not at all, and
   * the addresses of all servers of the pool, this one first.
   */
  public record Access(URI base, String token, Set<String> encodings, List<URI> servers) {
    public Access {
      encodings = Set.copyOf(encodings);
      servers = List.copyOf(servers);
    }

    public Access(URI base, String token) {
      this(base, token, Set.of(), List.of(base));
    }

    /**
     * Something on the server.
     *
     * @param path below the address, with its query
     * @throws IllegalArgumentException if it leads elsewhere
     */
    URI at(String path) {
      if (!path.startsWith("/") || path.startsWith("//")) {
        throw new IllegalArgumentException("That address is not on this pool's server.");
      }
      return URI.create(base + path);
    }
  }

  /** The silence after which a server without a connection counts as gone. */
  private static final Duration MAX_SILENCE_OFFLINE = Duration.ofSeconds(3);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private @Nullable Access current;
  private @Nullable Access last;

  public void open(Access access) {
    set(access);
  }

  public void close() {
    set(null);
  }

  /** The content of the last welcome, whether or not the server is currently reachable. */
  public Optional<Access> last() {
    lock.lock();
    try {
      return Optional.ofNullable(last);
    } finally {
      lock.unlock();
    }
  }

  private void set(@Nullable Access access) {
    lock.lock();
    try {
      current = access;
      last = access != null ? access : last;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Why an answer is no longer expected; empty while it may arrive. */
  String whyDead(Access asked, Duration silence) {
    lock.lock();
    try {
      if (current == null) {
        return silence.compareTo(MAX_SILENCE_OFFLINE) > 0
            ? asked.base() + " has been silent for " + silence.toSeconds() + " s"
            : "";
      }
      return current.base().equals(asked.base())
          ? ""
          : "the agent has gone from " + asked.base() + " to another server";
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until there is a connection.
   *
   * @throws BlobException (temporary) when there is none for that long
   */
  Access await(long timeoutMillis) throws InterruptedException {
    long leftNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    lock.lockInterruptibly();
    try {
      while (current == null) {
        if (leftNanos <= 0) {
          throw BlobException.temporary("The server has been out of reach for too long.");
        }
        leftNanos = changed.awaitNanos(leftNanos);
      }
      return current;
    } finally {
      lock.unlock();
    }
  }
}
