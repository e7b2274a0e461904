package dev.imker.agent.internal.system;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Strings as C wants them, laid out in as few allocations as possible. */
public final class CStrings {
  private CStrings() {}

  /** A null-terminated array of pointers to strings, as argv and envp are. */
  public static MemorySegment array(Arena arena, List<String> strings) {
    byte[][] encoded = new byte[strings.size()][];
    long size = 0;
    for (int i = 0; i < encoded.length; i++) {
      encoded[i] = encode(strings.get(i));
      size += encoded[i].length + 1L;
    }
    long pointers = (encoded.length + 1L) * ValueLayout.ADDRESS.byteSize();
    MemorySegment block = arena.allocate(pointers + size, ValueLayout.ADDRESS.byteAlignment());
    long at = pointers;
    for (int i = 0; i < encoded.length; i++) {
      block.setAtIndex(ValueLayout.ADDRESS, i, block.asSlice(at));
      MemorySegment.copy(encoded[i], 0, block, ValueLayout.JAVA_BYTE, at, encoded[i].length);
      at += encoded[i].length + 1L;
    }
    return block;
  }

  public static MemorySegment string(Arena arena, String text) {
    byte[] bytes = encode(text);
    MemorySegment block = arena.allocate(bytes.length + 1L);
    MemorySegment.copy(bytes, 0, block, ValueLayout.JAVA_BYTE, 0, bytes.length);
    return block;
  }

  private static byte[] encode(String text) {
    if (text.indexOf('\0') >= 0) {
      throw new StartFailedException(
          "The command or its environment contains a NUL character, which no program can take.");
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
