package dev.imker.server.drop;

import dev.imker.jobfile.files.JobFiles;
import dev.imker.server.internal.drop.place.DropPlace;
import dev.imker.server.internal.drop.place.ResultTarget;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;

/**
 * A place in which a server that no longer leads cannot move or write anything: a server that hung
 * may wake up in the middle of its work while its successor continues with the same files. The
 * fence is asked right before every change, since a file system has no epochs of its own.
 *
 * @param fence throws if another server leads
 */
record FencedPlace(DropPlace place, Runnable fence) implements DropPlace {
  private DropPlace fenced() {
    fence.run();
    return place;
  }

  @Override
  public String name() {
    return place.name();
  }

  @Override
  public Inbox inbox() throws IOException {
    return place.inbox();
  }

  @Override
  public void showTrouble(String path, String words) throws IOException {
    fenced().showTrouble(path, words);
  }

  @Override
  public boolean claim(String id, Waiting file) throws IOException {
    return fenced().claim(id, file);
  }

  @Override
  public List<Claim> claims() throws IOException {
    return place.claims();
  }

  @Override
  public Optional<byte[]> read(Claim claim) throws IOException {
    return place.read(claim);
  }

  @Override
  public void giveBack(Claim claim) throws IOException {
    fenced().giveBack(claim);
  }

  @Override
  public JobFiles files(String path) {
    return place.files(path);
  }

  @Override
  public Showing showRunning(Claim claim) throws IOException {
    return fenced().showRunning(claim);
  }

  @Override
  public void release(Claim claim) throws IOException {
    fenced().release(claim);
  }

  @Override
  public boolean isRunning(String path) throws IOException {
    return place.isRunning(path);
  }

  @Override
  public boolean isStillRunning(Claim claim) throws IOException {
    return place.isStillRunning(claim);
  }

  @Override
  public boolean has(Claim claim) throws IOException {
    return place.has(claim);
  }

  @Override
  public void signOfLife(List<Claim> shown) throws IOException {
    fenced().signOfLife(shown);
  }

  @Override
  public void giveSign() throws IOException {
    fenced().giveSign();
  }

  @Override
  public long signMillis() {
    return place.signMillis();
  }

  @Override
  public void showProgress(String path, String words) throws IOException {
    fenced().showProgress(path, words);
  }

  @Override
  public ResultTarget results(Claim claim) throws IOException {
    ResultTarget target = fenced().results(claim);
    return new ResultTarget() {
      @Override
      public void put(String path, InputStream content, boolean executable) throws IOException {
        fence.run();
        target.put(path, content, executable);
      }

      @Override
      public void finish() throws IOException {
        fence.run();
        target.finish();
      }

      @Override
      public void close() throws IOException {
        target.close();
      }
    };
  }

  @Override
  public void showEnd(Claim claim, byte[] content, String cause) throws IOException {
    fenced().showEnd(claim, content, cause);
  }

  @Override
  public void forget(Claim claim) throws IOException {
    fenced().forget(claim);
  }

  @Override
  public void awaitChange(long millis) throws InterruptedException {
    place.awaitChange(millis);
  }

  @Override
  public long soonMillis() {
    return place.soonMillis();
  }

  @Override
  public long scanMillis() {
    return place.scanMillis();
  }

  @Override
  public void close() {
    place.close();
  }
}
