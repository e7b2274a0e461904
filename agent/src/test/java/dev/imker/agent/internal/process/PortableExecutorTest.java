package dev.imker.agent.internal.process;

import dev.imker.agent.internal.system.ProcessExecutorContract;

final class PortableExecutorTest extends ProcessExecutorContract {
  @Override
  public ProcessExecutor executor() {
    return new PortableExecutor();
  }
}
