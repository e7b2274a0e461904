package dev.imker.bench.java;

import java.io.IOException;

/** Something that makes calls elsewhere. */
interface Contender extends AutoCloseable {
  /** Has so many calls made that do nothing; returns when all results are here. */
  void calls(int count) throws Exception;

  @Override
  void close() throws IOException;
}
