package dev.imker.agent.internal.process;

import dev.imker.agent.internal.system.StartFailedException;
import java.util.BitSet;
import java.util.function.Consumer;

/** Starts processes of tasks. Thread-safe. */
public interface ProcessExecutor {
  /**
   * Starts a process in its own process tree, with nothing to read and its output going to files.
   * {@code onExit} is called once, after the process and all it left behind are gone, on a thread
   * of the executor that must not be blocked.
   *
   * @throws StartFailedException when there is nothing to run; {@code onExit} is then never called
   */
  TaskProcess start(ProcessSpec spec, Consumer<ProcessExit> onExit);

  /** How the processes of a task are held together, in words. */
  String groupsInWords();

  /**
   * The cores of the machine that tasks can be kept to; none where the system has no such thing.
   */
  default BitSet cores() {
    return new BitSet();
  }

  /** The core that the calling thread runs on: to start something there takes the least; or -1. */
  default int currentCore() {
    return -1;
  }

  /** The quickest executor that this system supports. */
  static ProcessExecutor best() {
    return PosixSpawnExecutor.isSupported() ? PosixSpawnExecutor.shared() : new PortableExecutor();
  }
}
