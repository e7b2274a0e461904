package dev.imker.agent.internal.run;

import dev.imker.wire.proto.Finished;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports on disk that the server has not confirmed, one file each, so that work which is done need
 * not be done again when the agent ends before the server is back. Most reports are confirmed
 * within milliseconds and never get here.
 *
 * <p>Safe for use by several threads: a report is kept by the runner and, when the connection is
 * lost, by whoever notices that.
 */
final class UnconfirmedReports {
  private static final Logger LOG = LoggerFactory.getLogger(UnconfirmedReports.class);
  private static final String DRAFT = ".new";

  private final Path folder;

  UnconfirmedReports(Path folder) throws IOException {
    this.folder = Files.createDirectories(folder);
  }

  synchronized void keep(HeldLease held) {
    Finished report = held.report();
    if (report == null || held.isJournaled() || held.isConfirmed()) {
      return;
    }
    Path file = place(held.token());
    Path draft = file.resolveSibling(file.getFileName() + DRAFT);
    try {
      Files.write(draft, report.toByteArray());
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
      held.markJournaled();
    } catch (IOException e) {
      LOG.warn("The report of task {} could not be kept on disk", held.lease().task(), e);
    }
  }

  synchronized void forget(HeldLease held) {
    held.markConfirmed();
    if (held.isJournaled()) {
      try {
        Files.deleteIfExists(place(held.token()));
      } catch (IOException e) {
        LOG.warn("The report of task {} stays on disk", held.lease().task(), e);
      }
    }
  }

  /** What an earlier life left behind; files that cannot be read are dropped. */
  List<HeldLease> load() throws IOException {
    List<HeldLease> reports = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        try {
          reports.add(HeldLease.finishedBefore(Finished.parseFrom(Files.readAllBytes(file))));
        } catch (IOException e) {
          Files.delete(file);
        }
      }
    }
    return reports;
  }

  private Path place(long token) {
    return folder.resolve(Long.toHexString(token));
  }
}
