package dev.imker.bench.peers;

import dev.imker.bench.java.JppfContender;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** JPPF: a driver and nodes. */
final class JppfPeer implements Peer {
  private final JppfContender jppf;

  JppfPeer() throws IOException {
    jppf = JppfContender.start(2);
  }

  @Override
  public String name() {
    return "JPPF 6.2";
  }

  @Override
  public String settings() {
    return "defaults; driver and one node with 2 threads; jobs in memory";
  }

  @Override
  public double seconds(int count) throws Exception {
    long start = System.nanoTime();
    jppf.calls(count);
    return (System.nanoTime() - start) / 1e9;
  }

  @Override
  public List<Long> processes() {
    return jppf.processes();
  }

  @Override
  public void beginEndless(Path file) throws Exception {
    jppf.beginEndless(file);
  }

  @Override
  public void addWorker() throws IOException {
    jppf.addNode();
  }

  @Override
  public void killFirstWorker() throws InterruptedException {
    jppf.killFirstNode();
  }

  @Override
  public void killAndRestartServer() throws Exception {
    jppf.restartDriver();
  }

  @Override
  public void close() throws IOException {
    jppf.close();
  }
}
