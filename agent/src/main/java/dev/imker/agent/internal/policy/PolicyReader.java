package dev.imker.agent.internal.policy;

import dev.imker.agent.Offer;
import dev.imker.agent.OwnerActive;
import dev.imker.agent.internal.policy.Policy.NetworkMode;
import dev.imker.agent.internal.policy.Policy.SandboxMode;
import dev.imker.agent.internal.process.ProcessLimits;
import dev.imker.model.BlobId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads a policy from YAML; docs/agent.md lists the settings. */
final class PolicyReader {
  private static final List<String> SETTINGS =
      List.of(
          "cores",
          "memory",
          "gpus",
          "resources",
          "task",
          "network",
          "serves",
          "signed",
          "trust",
          "sandbox",
          "user",
          "show",
          "hours",
          "pause",
          "only-short",
          "updates",
          "release-key");
  private static final List<String> TASK_SETTINGS =
      List.of("memory", "cpu-time", "run-time", "processes", "open-files", "disk");
  private static final List<String> PAUSE_SETTINGS =
      List.of("owner-active", "others-load", "idle", "free-memory", "give-back", "shrink-to");
  private static final Pattern SERVED = Pattern.compile("[^\\s/]+(/[^\\s/]+)?");

  private PolicyReader() {}

  static Policy read(Path file, OwnerActive usual) {
    try {
      return parse(file.toString(), Files.readString(file), usual);
    } catch (IOException e) {
      throw new PolicyException("The policy " + file + " cannot be read: " + e.getMessage(), e);
    }
  }

  static Policy parse(String name, String text, OwnerActive usual) {
    Optional<Node> root;
    try {
      root = new Compose(LoadSettings.builder().setLabel(name).build()).composeString(text);
    } catch (MarkedYamlEngineException e) {
      String line = e.getProblemMark().map(mark -> ", line " + (mark.getLine() + 1)).orElse("");
      throw new PolicyException(name + line + ": not valid YAML (" + e.getProblem() + ").", e);
    } catch (YamlEngineException e) {
      throw new PolicyException(name + ": not valid YAML (" + e.getMessage() + ").", e);
    }
    return root.map(node -> policy(new PolicyNode(name, node, SETTINGS), usual))
        .orElseGet(() -> Policy.generous(usual));
  }

  private static Policy policy(PolicyNode root, OwnerActive usual) {
    PolicyNode task = root.has("task") ? root.map("task", TASK_SETTINGS) : null;
    return new Policy(
        offer(root),
        task == null ? ProcessLimits.NONE : limits(task),
        task == null ? 0 : task.bytes("disk", 0),
        task == null ? 0 : task.millis("run-time", 0),
        root.value(
            "network", NetworkMode.YES, "yes, no, outgoing or shared", PolicyReader::network),
        root.list("serves", "users, user/project, or * for everybody", PolicyReader::served),
        signing(root),
        root.value("sandbox", SandboxMode.AUTO, "auto, on or off", PolicyReader::sandbox),
        root.value("user", false, "own or same", PolicyReader::sameUser),
        root.list("show", "absolute paths of folders", PolicyReader::folder),
        hours(root),
        root.has("pause")
            ? neighbour(root.map("pause", PAUSE_SETTINGS), usual)
            : Neighbour.of(usual),
        root.millis("only-short", 0),
        updates(root));
  }

  private static Offer offer(PolicyNode root) {
    return root.declared(
        "resources",
        Offer.ALL
            .withCores(root.count("cores", 0))
            .withMemory(root.bytes("memory", 0))
            .withGpus(root.count("gpus", 0, Offer.FOUND)));
  }

  private static ProcessLimits limits(PolicyNode task) {
    return new ProcessLimits(
        task.bytes("memory", 0),
        task.millis("cpu-time", 0) / 1000,
        task.count("processes", 0),
        task.count("open-files", 0),
        task.bytes("disk", 0));
  }

  private static Neighbour neighbour(PolicyNode pause, OwnerActive usual) {
    return new Neighbour(
        pause.value("owner-active", usual, "yes, no or screen", PolicyReader::ownerActive),
        pause.share("others-load", 0),
        pause.millis("idle", Neighbour.USUAL_IDLE_MILLIS),
        pause.bytes("free-memory", 0),
        pause.millis("give-back", Neighbour.USUAL_GIVE_BACK_MILLIS),
        pause.count("shrink-to", 0));
  }

  private static OwnerActive ownerActive(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true", "on" -> OwnerActive.YES;
      case "false", "off" -> OwnerActive.NO;
      default -> OwnerActive.valueOf(text.toUpperCase(Locale.ROOT));
    };
  }

  private static ActiveHours hours(PolicyNode root) {
    return new ActiveHours(
        root
            .list(
                "hours",
                "times such as 'mon-fri 18:00-08:00', 'sat' or '12:00-13:00'",
                text -> ActiveHours.parse(List.of(text)).spans())
            .stream()
            .flatMap(List::stream)
            .toList());
  }

  private static Signing signing(PolicyNode root) {
    List<PublicKey> keys =
        root.list("trust", "public keys printed by 'imker key'", PolicyReader::key);
    boolean needed = root.flag("signed", false);
    if (needed && keys.isEmpty()) {
      throw root.wrong("signed", "jobs must be signed, but 'trust' lists no key");
    }
    return new Signing(needed, keys);
  }

  /**
   * Whoever demands signatures of jobs demands them of the software too, by a key that is not the
   * server's: without one there are no updates but to a build that is named.
   */
  private static UpdateTerms updates(PolicyNode root) {
    List<PublicKey> keys =
        root.list("release-key", "a key printed by 'imker key'", PolicyReader::key);
    if (keys.size() > 1) {
      throw root.wrong("release-key", "one key is expected");
    }
    String build =
        root.value("updates", "yes", "yes, no, or the SHA-256 of a build", PolicyReader::build);
    boolean unsigned = root.flag("signed", false) && keys.isEmpty();
    return switch (build) {
      case "yes" -> new UpdateTerms(!unsigned, "", keys.stream().findFirst());
      case "no" -> new UpdateTerms(false, "", Optional.empty());
      default -> new UpdateTerms(true, build, keys.stream().findFirst());
    };
  }

  private static String build(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true", "yes", "on" -> "yes";
      case "false", "no", "off" -> "no";
      default -> new BlobId(text).sha256();
    };
  }

  private static PublicKey key(String text) {
    try {
      byte[] bytes = Base64.getDecoder().decode(text);
      return KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(bytes));
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  private static String served(String text) {
    if (!SERVED.matcher(text).matches()) {
      throw new IllegalArgumentException(text);
    }
    return text;
  }

  private static SandboxMode sandbox(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true" -> SandboxMode.ON;
      case "false" -> SandboxMode.OFF;
      default -> SandboxMode.valueOf(text.toUpperCase(Locale.ROOT));
    };
  }

  private static NetworkMode network(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true", "on" -> NetworkMode.YES;
      case "false", "off" -> NetworkMode.NO;
      default -> NetworkMode.valueOf(text.toUpperCase(Locale.ROOT));
    };
  }

  private static boolean sameUser(String text) {
    if (!text.equals("same") && !text.equals("own")) {
      throw new IllegalArgumentException(text);
    }
    return text.equals("same");
  }

  private static Path folder(String text) {
    Path folder = Path.of(text);
    if (!folder.isAbsolute()) {
      throw new IllegalArgumentException(text);
    }
    return folder.normalize();
  }
}
