package dev.imker.agent.internal.report;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.imker.agent.internal.lease.HeldLease;
import dev.imker.model.LeaseToken;
import dev.imker.wire.proto.Finished;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
public final class UnconfirmedReports implements ReportJournal {
  private static final Logger LOG = LoggerFactory.getLogger(UnconfirmedReports.class);
  private static final String DRAFT = ".new";

  private final Path folder;

  public UnconfirmedReports(Path folder) throws IOException {
    this.folder = Files.createDirectories(folder);
  }

  @Override
  public synchronized void keep(HeldLease held) {
    Finished report = held.report();
    if (report == null || held.isJournaled() || held.isConfirmed()) {
      return;
    }
    Path file = place(held);
    Path draft = file.resolveSibling(file.getFileName() + DRAFT);
    try {
      try (FileChannel out = FileChannel.open(draft, CREATE, WRITE, TRUNCATE_EXISTING)) {
        ByteBuffer bytes = report.toByteString().asReadOnlyByteBuffer();
        while (bytes.hasRemaining()) {
          out.write(bytes);
        }
        out.force(true); // the name must not outlive a loss of power without the content
      }
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
      held.markJournaled();
    } catch (IOException e) {
      LOG.warn("The report of task {} could not be saved to disk", held.lease().task(), e);
    }
  }

  @Override
  public synchronized void forget(HeldLease held) {
    held.markConfirmed();
    if (held.isJournaled()) {
      try {
        Files.deleteIfExists(place(held));
      } catch (IOException e) {
        LOG.warn("The report of task {} could not be deleted from disk", held.lease().task(), e);
      }
    }
  }

  /** What an earlier life left behind; files that were not written to their end are dropped. */
  public List<HeldLease> load() throws IOException {
    List<HeldLease> reports = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        Optional<HeldLease> report = read(file);
        if (report.isPresent()) {
          reports.add(report.get());
        } else {
          Files.delete(file);
        }
      }
    }
    return reports;
  }

  private static Optional<HeldLease> read(Path file) throws IOException {
    if (file.getFileName().toString().endsWith(DRAFT)) {
      return Optional.empty();
    }
    try {
      Finished report = Finished.parseFrom(Files.readAllBytes(file));
      return report.hasLease() ? Optional.of(HeldLease.finishedBefore(report)) : Optional.empty();
    } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
      LOG.warn("A report on disk cannot be read and is dropped: {}", file, e);
      return Optional.empty();
    }
  }

  private Path place(HeldLease held) {
    LeaseToken token = held.lease().token();
    return folder.resolve(
        Long.toHexString(token.value()) + "-" + Long.toHexString(token.incarnation()));
  }
}
