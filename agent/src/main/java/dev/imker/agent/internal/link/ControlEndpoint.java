package dev.imker.agent.internal.link;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.imker.agent.AgentControl;
import dev.imker.agent.AgentControl.Order;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Receives orders of the machine's owner; see {@link AgentControl}. */
final class ControlEndpoint {
  private static final Logger LOG = LoggerFactory.getLogger(ControlEndpoint.class);
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final Path folder;
  private final Function<Order, Map<String, String>> handler;

  ControlEndpoint(Path agentFolder, Function<Order, Map<String, String>> handler)
      throws IOException {
    this.folder = Files.createDirectories(agentFolder.resolve(AgentControl.FOLDER));
    this.handler = handler;
    try (DirectoryStream<Path> old = Files.newDirectoryStream(folder)) {
      for (Path file : old) {
        Files.deleteIfExists(file); // the sender has given up, or is about to
      }
    }
  }

  /** Executes the orders since the last call. */
  void work() {
    try (DirectoryStream<Path> orders =
        Files.newDirectoryStream(folder, "*" + AgentControl.ORDER)) {
      for (Path file : orders) {
        answer(file);
      }
    } catch (IOException e) {
      LOG.warn("Orders to this agent cannot be read", e);
    }
  }

  private void answer(Path file) throws IOException {
    String text = Files.readString(file).strip().toUpperCase(Locale.ROOT);
    Files.delete(file);
    Order order;
    try {
      order = Order.valueOf(text);
    } catch (IllegalArgumentException e) {
      LOG.warn("Unknown order: {}", text);
      return;
    }
    String name = file.getFileName().toString().replace(AgentControl.ORDER, "");
    Path draft = folder.resolve(name + ".new");
    JSON.writeValue(draft.toFile(), handler.apply(order));
    Files.move(draft, folder.resolve(name + AgentControl.ANSWER), StandardCopyOption.ATOMIC_MOVE);
  }
}
