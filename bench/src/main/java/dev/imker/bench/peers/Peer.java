package dev.imker.bench.peers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A system that runs tasks elsewhere: started on construction, with one worker. */
public interface Peer extends AutoCloseable {
  String name();

  /** How it is configured. */
  String settings();

  /** Has so many tasks run that do nothing; seconds until it is known that all are done. */
  double seconds(int count) throws Exception;

  List<Long> processes();

  /** Begins a task that leaves a line in a file whenever it is begun, and never ends. */
  void beginEndless(Path file) throws Exception;

  /** On return it would take work. */
  void addWorker() throws Exception;

  /** With SIGKILL. */
  void killFirstWorker() throws Exception;

  /** With SIGKILL; on return the process is there again, not necessarily its service. */
  void killAndRestartServer() throws Exception;

  @Override
  void close() throws IOException;
}
