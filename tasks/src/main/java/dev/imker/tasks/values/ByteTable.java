package dev.imker.tasks.values;

import java.nio.ByteBuffer;
import java.util.List;

/** A list of byte strings in one array, with random access. */
public final class ByteTable {
  private final ByteBuffer bytes;
  private final int size;

  private ByteTable(byte[] table) {
    this.bytes = ByteBuffer.wrap(table);
    if (table.length < 4) {
      throw new ValueException("not a table: cut off");
    }
    this.size = bytes.getInt(0);
    if (size < 0 || 4L + 4L * size > table.length || end(size - 1) != table.length) {
      throw new ValueException("not a table: its lengths do not fit");
    }
  }

  /** As written by {@link #of}. */
  public static ByteTable read(byte[] table) {
    return new ByteTable(table);
  }

  public static byte[] of(List<byte[]> entries) {
    int head = 4 + 4 * entries.size();
    int total = head;
    for (byte[] entry : entries) {
      total = Math.addExact(total, entry.length);
    }
    ByteBuffer table = ByteBuffer.allocate(total).putInt(entries.size());
    int end = head;
    for (byte[] entry : entries) {
      end += entry.length;
      table.putInt(end);
    }
    entries.forEach(table::put);
    return table.array();
  }

  public int size() {
    return size;
  }

  private int end(int i) {
    return i < 0 ? 4 + 4 * size : bytes.getInt(4 + 4 * i);
  }

  public byte[] get(int i) {
    if (i < 0 || i >= size) {
      throw new ValueException("not a table: no entry " + i);
    }
    int from = end(i - 1);
    int length = end(i) - from;
    if (length < 0 || from < 0 || from > bytes.limit() - length) {
      throw new ValueException("not a table: the lengths of entry " + i + " do not fit");
    }
    byte[] entry = new byte[length];
    bytes.get(from, entry);
    return entry;
  }
}
