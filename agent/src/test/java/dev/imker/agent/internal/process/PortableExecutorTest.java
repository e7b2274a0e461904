package dev.imker.agent.internal.process;

final class PortableExecutorTest extends ProcessExecutorContract {
  @Override
  ProcessExecutor executor() {
    return new PortableExecutor();
  }
}
