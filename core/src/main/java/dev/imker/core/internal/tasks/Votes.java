package dev.imker.core.internal.tasks;

import dev.imker.core.profile.NodeProfile;
import dev.imker.model.BlobId;
import dev.imker.model.ResultFile;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.CapturedOutput;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.function.ObjLongConsumer;

/** What different nodes made of a task that counts only when enough of them came to the same. */
public final class Votes {
  private record Vote(String result, NodeProfile node, long runMillis) {}

  private final List<Vote> votes = new ArrayList<>();

  public int size() {
    return votes.size();
  }

  boolean has(NodeProfile node) {
    return votes.stream().anyMatch(vote -> vote.node == node);
  }

  /** Counts a result; returns how many are equal to it. */
  public int add(AttemptReport report, NodeProfile node) {
    String result = digest(report);
    votes.add(new Vote(result, node, Math.max(0, report.runMillis())));
    return (int) votes.stream().filter(vote -> vote.result.equals(result)).count();
  }

  /** Names those that came to something else than this, and how long they took. */
  public void forEachAgainst(AttemptReport report, ObjLongConsumer<NodeProfile> outvoted) {
    String result = digest(report);
    for (Vote vote : votes) {
      if (!vote.result.equals(result)) {
        outvoted.accept(vote.node, vote.runMillis);
      }
    }
  }

  /**
   * Counts a result that was kept. Results from before the task was released, or its job begun
   * again, are kept too and do not count: nothing says which they are, but a node has one vote, and
   * a task that is not done has fewer equal ones than it needs.
   */
  public void restore(AttemptReport report, NodeProfile node, int quorum) {
    votes.removeIf(vote -> vote.node == node);
    boolean complete = add(report, node) >= quorum || votes.size() >= most(quorum);
    if (complete) {
      votes.subList(0, votes.size() - 1).clear();
    }
  }

  /** How many results there must be, at most, before a task is given up. */
  public static int most(int quorum) {
    return 2 * quorum + 1;
  }

  private static String digest(AttemptReport report) {
    StringBuilder text = new StringBuilder().append(report.exitCode());
    report.results().stream()
        .sorted(Comparator.comparing(ResultFile::path))
        .forEach(file -> text.append('\n').append(file.path()).append(' ').append(file.blob()));
    return text.append('\n').append(digest(report.stdout())).toString();
  }

  private static String digest(CapturedOutput output) {
    BlobId blob = output.blob();
    if (blob != null) {
      return blob.sha256();
    }
    try {
      byte[] bytes = output.size() == 0 ? "".getBytes(StandardCharsets.UTF_8) : output.inline();
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
