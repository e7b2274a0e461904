package dev.imker.agent;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.imker.model.ImkerException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/**
 * Controls the agents that run on this machine from another process of the same user: an order is a
 * file in the agent's folder, and so is the answer. This works on every system and needs no port;
 * the folder's permissions decide who may give orders.
 */
public final class AgentControl {
  /** The orders that an owner can give to an agent. */
  public enum Order {
    PAUSE,
    RESUME,
    DRAIN,
    STATUS
  }

  /** The answer of an agent; {@code folder} is its own folder in the data folder. */
  public record Answer(String folder, Map<String, String> status) {}

  /** The folder of orders and answers inside an agent's own. */
  public static final String FOLDER = "control";

  public static final String ORDER = ".order";
  public static final String ANSWER = ".answer";

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long LOOK_MILLIS = 20;

  private AgentControl() {}

  /**
   * Gives an order to every agent that runs with this data folder and waits for their answers.
   *
   * @throws ImkerException when none runs, or one does not answer
   */
  public static List<Answer> send(Path dataFolder, Order order) throws InterruptedException {
    try {
      List<Answer> answers = new ArrayList<>();
      for (Path agent : running(dataFolder)) {
        answers.add(ask(agent, order));
      }
      if (answers.isEmpty()) {
        throw new ImkerException(
            "No agent is running with the folder " + dataFolder + " (--data names another one).");
      }
      return answers;
    } catch (IOException e) {
      throw new ImkerException(
          "The agent's folder " + dataFolder + " cannot be used: " + e.getMessage(), e);
    }
  }

  private static List<Path> running(Path dataFolder) throws IOException {
    List<Path> running = new ArrayList<>();
    if (Files.isDirectory(dataFolder)) {
      try (DirectoryStream<Path> folders = Files.newDirectoryStream(dataFolder, "agent-*")) {
        for (Path folder : folders) {
          if (isLocked(folder.resolve("lock"))) {
            running.add(folder);
          }
        }
      }
    }
    running.sort(null);
    return running;
  }

  private static boolean isLocked(Path file) throws IOException {
    if (!Files.exists(file)) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      return lock == null;
    } catch (OverlappingFileLockException e) {
      return true; // an agent of this very process has it
    }
  }

  private static Answer ask(Path agent, Order order) throws IOException, InterruptedException {
    Path folder = Files.createDirectories(agent.resolve(FOLDER));
    String id = UUID.randomUUID().toString();
    Path draft = folder.resolve(id + ".new");
    Files.writeString(draft, order.name().toLowerCase(Locale.ROOT));
    Path sent = folder.resolve(id + ORDER);
    Files.move(draft, sent, StandardCopyOption.ATOMIC_MOVE);
    Path answer = folder.resolve(id + ANSWER);
    long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
    while (!Files.exists(answer)) {
      if (System.nanoTime() - deadlineNanos > 0) {
        Files.deleteIfExists(sent);
        throw new ImkerException("The agent in " + agent + " does not answer; check its log.");
      }
      Thread.sleep(LOOK_MILLIS);
    }
    Map<String, String> status =
        JSON.readValue(answer.toFile(), new TypeReference<Map<String, String>>() {});
    Files.delete(answer);
    return new Answer(String.valueOf(agent.getFileName()), status);
  }
}
