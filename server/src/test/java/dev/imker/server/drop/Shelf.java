package dev.imker.server.drop;

import dev.imker.server.internal.drop.place.DropPlace;
import java.util.Map;

/** A drop folder as people see it, whatever it lies on. */
interface Shelf extends AutoCloseable {
  /** The folder in the hands of a server. */
  DropPlace open(String server, long lostMillis) throws Exception;

  /** Puts a file somewhere, or other content into it. */
  void write(String path, String text) throws Exception;

  void move(String path, String target) throws Exception;

  void remove(String path) throws Exception;

  /** All files that people see, with their content. */
  Map<String, String> files() throws Exception;

  /** What is told of the trouble with a file. */
  String trouble(String path) throws Exception;

  @Override
  void close();
}
