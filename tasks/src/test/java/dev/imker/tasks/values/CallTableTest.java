package dev.imker.tasks.values;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.tasks.RemoteCallable;
import dev.imker.tasks.RemoteFunction;
import java.util.List;
import org.junit.jupiter.api.Test;

class CallTableTest {
  private static final int LARGE = 1 << 20;
  private static final ClassLoader CLASSES = CallTableTest.class.getClassLoader();

  private static RemoteCallable<Integer> lengthAnd(byte[] large, int more) {
    return () -> large.length + more + large[0]++;
  }

  @Test
  void a_large_value_that_many_calls_have_captured_is_there_twice_at_most() throws Exception {
    CallTable.Templates templates = new CallTable.Templates();
    byte[] large = new byte[LARGE];
    List<byte[]> entries =
        List.of(
            templates.encode(lengthAnd(large, 0)),
            templates.encode(lengthAnd(large.clone(), 1)),
            templates.encode(lengthAnd(large, 2)));
    assertThat(entries.getFirst()).hasSizeGreaterThan(LARGE);
    assertThat(entries.get(1)).hasSizeLessThan(1_000);
    assertThat(entries.get(2)).hasSizeLessThan(1_000);
    assertThat(templates.bytes()).isBetween((long) LARGE, LARGE + 10_000L);
    CallTable.Reader reader = new CallTable.Reader(templates.table(), CLASSES);
    for (int i = 0; i < entries.size(); i++) { // none sees what another has changed in it
      assertThat(reader.read(entries.get(i)).call()).isEqualTo(LARGE + i);
    }
  }

  @Test
  void a_large_argument_is_found_again_too() throws Exception {
    CallTable.Templates templates = new CallTable.Templates();
    RemoteFunction<int[], Integer> length = numbers -> numbers.length;
    int[] large = new int[LARGE];
    assertThat(templates.encode(length, large)).hasSizeGreaterThan(LARGE);
    byte[] again = templates.encode(length, large);
    assertThat(again).hasSizeLessThan(1_000);
    CallTable.Reader reader = new CallTable.Reader(templates.table(), CLASSES);
    assertThat(reader.read(again).call()).isEqualTo(LARGE);
  }
}
