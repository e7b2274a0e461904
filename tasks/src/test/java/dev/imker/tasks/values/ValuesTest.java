package dev.imker.tasks.values;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.tasks.RemoteCallable;
import dev.imker.tasks.RemoteFunction;
import dev.imker.testbase.Generator;
import dev.imker.testbase.Trials;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ValuesTest {
  enum Colour {
    RED,
    GREEN
  }

  record Point(int x, long y, short s, byte b, char c, float f, double d, boolean t) {}

  record Nested(
      String name,
      @Nullable Point point,
      List<Long> longs,
      SortedMap<String, Colour> colours,
      Optional<Duration> pause) {}

  record Empty() {}

  record Strict(int positive) {
    Strict {
      if (positive <= 0) {
        throw new IllegalArgumentException("positive must be positive");
      }
    }
  }

  record BadlyDeclared(java.util.concurrent.CopyOnWriteArrayList<String> texts) {}

  private static @Nullable Object there_and_back(@Nullable Object value) {
    return Values.decode(
        Values.encode(value, "value"), Objects.requireNonNull(ValuesTest.class.getClassLoader()));
  }

  static Stream<Object> values() {
    Point point = new Point(-1, Long.MIN_VALUE, (short) 3, (byte) -4, 'ü', 1.5f, Math.E, true);
    return Stream.of(
        0,
        -1,
        23,
        24,
        Integer.MIN_VALUE,
        5L,
        Long.MAX_VALUE,
        (short) 7,
        (byte) -7,
        'x',
        2.5,
        Double.NaN,
        1.25f,
        true,
        "",
        "grüße 🐝",
        Colour.GREEN,
        DayOfWeek.FRIDAY,
        new Empty(),
        point,
        new Nested(
            "n",
            point,
            List.of(1L, 2L),
            new TreeMap<>(Map.of("b", Colour.RED, "a", Colour.GREEN)),
            Optional.of(Duration.ofMillis(1500))),
        new Nested("n", null, List.of(), new TreeMap<>(), Optional.empty()),
        List.of(1, "a", List.of(2.0)),
        Arrays.asList(1, null),
        Set.of(Colour.RED),
        Map.of(1L, List.of("x"), "k", new Empty()),
        new BigDecimal("1.50"),
        BigInteger.TWO.pow(100),
        Instant.EPOCH,
        UUID.randomUUID(),
        URI.create("http://example.org/x"),
        Path.of("a", "b"),
        Optional.of(3L),
        Point.class);
  }

  @ParameterizedTest
  @MethodSource("values")
  void values_arrive_as_they_left(Object value) {
    assertThat(there_and_back(value)).isEqualTo(value);
    assertThat(Objects.requireNonNull(there_and_back(value)).getClass().isRecord())
        .isEqualTo(value instanceof Record);
  }

  @Test
  void null_travels() {
    assertThat(there_and_back(null)).isNull();
  }

  @Test
  void arrays_arrive_with_their_type() {
    assertThat(there_and_back(new int[] {1, -2})).isEqualTo(new int[] {1, -2});
    assertThat(there_and_back(new long[] {1, -2})).isEqualTo(new long[] {1, -2});
    assertThat(there_and_back(new short[] {1, -2})).isEqualTo(new short[] {1, -2});
    assertThat(there_and_back(new byte[] {1, -2})).isEqualTo(new byte[] {1, -2});
    assertThat(there_and_back(new float[] {1f, -2f})).isEqualTo(new float[] {1f, -2f});
    assertThat(there_and_back(new double[] {0.1, -2})).isEqualTo(new double[] {0.1, -2});
    assertThat(there_and_back(new boolean[] {true, false})).isEqualTo(new boolean[] {true, false});
    assertThat(there_and_back(new char[] {'a'})).isEqualTo(new char[] {'a'});
    assertThat(there_and_back(new String[] {"a", null})).isEqualTo(new String[] {"a", null});
    assertThat(there_and_back(new int[][] {{1}, {2, 3}})).isEqualTo(new int[][] {{1}, {2, 3}});
  }

  @Trials(500)
  void numbers_and_texts_arrive_as_they_left(Generator random) {
    long number = random.anyLong();
    String text = random.anyText(200);
    // A lone surrogate is no text in UTF-8.
    String valid =
        new String(
            text.getBytes(java.nio.charset.StandardCharsets.UTF_8),
            java.nio.charset.StandardCharsets.UTF_8);
    assertThat(there_and_back(List.of(number, (int) number, valid)))
        .isEqualTo(List.of(number, (int) number, valid));
  }

  @Trials(2000)
  void any_bytes_are_a_value_or_refused(Generator random) {
    byte[] bytes = random.bytes(255);
    try {
      Values.decode(bytes, Objects.requireNonNull(ValuesTest.class.getClassLoader()));
    } catch (ValueException e) {
      assertThat(e).hasMessageContaining("");
    }
  }

  @Test
  void lambdas_arrive_with_what_they_captured() throws Exception {
    int factor = 3;
    List<String> texts = new ArrayList<>(List.of("a"));
    Point point = new Point(1, 2, (short) 3, (byte) 4, 'c', 1, 2, true);
    RemoteFunction<Integer, String> times =
        n -> texts + "" + n * factor + (point == null ? "" : point.y());
    RemoteCallable<String> outer = () -> times.apply(2);
    @SuppressWarnings("unchecked")
    RemoteCallable<String> arrived =
        (RemoteCallable<String>) Objects.requireNonNull(there_and_back(outer));
    assertThat(arrived.call()).isEqualTo("[a]62");
  }

  @Test
  void method_references_travel() throws Exception {
    RemoteFunction<String, Integer> parse = Integer::parseInt;
    @SuppressWarnings("unchecked")
    RemoteFunction<String, Integer> arrived =
        (RemoteFunction<String, Integer>) Objects.requireNonNull(there_and_back(parse));
    assertThat(arrived.apply("12")).isEqualTo(12);
  }

  private final int field = 5;

  @Test
  void a_lambda_that_uses_this_is_refused_with_the_cure() {
    RemoteCallable<Integer> call = () -> field + 1;
    assertThatThrownBy(() -> Values.encode(call, "The call"))
        .isInstanceOf(ValueException.class)
        .hasMessageContaining("'this'")
        .hasMessageContaining("local variables");
  }

  @Test
  void a_lambda_that_is_not_serialisable_is_refused_with_the_cure() {
    Callable<Integer> call = () -> 1;
    assertThatThrownBy(() -> Values.encode(call, "The call"))
        .isInstanceOf(ValueException.class)
        .hasMessageContaining("RemoteCallable");
  }

  @Test
  void what_cannot_travel_is_named_with_its_path() {
    record Holder(List<Object> things) {}

    Holder holder = new Holder(List.of(1, new Object()));
    RemoteCallable<Object> call = () -> holder.things().get(0);
    assertThatThrownBy(() -> Values.encode(call, "The call"))
        .isInstanceOf(ValueException.class)
        .hasMessageContaining("The call.captured[0].things[1]")
        .hasMessageContaining("java.lang.Object");
  }

  @Test
  void inner_classes_are_refused() {
    Object inner =
        new Object() {
          @Override
          public String toString() {
            return "inner";
          }
        };
    assertThatThrownBy(() -> Values.encode(inner, "It"))
        .isInstanceOf(ValueException.class)
        .hasMessageContaining("outer object");
  }

  @Test
  void a_component_that_could_not_be_filled_is_refused() {
    assertThatThrownBy(
            () ->
                Values.encode(
                    new BadlyDeclared(
                        new java.util.concurrent.CopyOnWriteArrayList<>(List.of("a"))),
                    "value"))
        .isInstanceOf(ValueException.class)
        .hasMessageContaining("value.texts")
        .hasMessageContaining("List");
  }

  @Test
  void circles_are_refused() {
    List<Object> circle = new ArrayList<>();
    circle.add(circle);
    assertThatThrownBy(() -> Values.encode(circle, "circle"))
        .isInstanceOf(ValueException.class)
        .hasMessageContaining("circle");
  }

  @Test
  void no_class_but_records_and_enums_is_made_from_bytes() {
    CborOut out = new CborOut();
    out.head(CborOut.TAG, ValueWriter.OBJECT_TAG);
    out.head(CborOut.ARRAY, 3);
    out.text("java.lang.ProcessBuilder");
    out.text("rm");
    out.text("x");
    assertThatThrownBy(
            () ->
                Values.decode(
                    out.toByteArray(), Objects.requireNonNull(getClass().getClassLoader())))
        .isInstanceOf(ValueException.class)
        .hasMessageContaining("not a record");
  }

  @Test
  void a_record_keeps_its_own_rules() {
    byte[] bytes = Values.encode(new Strict(1), "value");
    bytes[bytes.length - 1] = 0;
    assertThatThrownBy(
            () -> Values.decode(bytes, Objects.requireNonNull(getClass().getClassLoader())))
        .isInstanceOf(ValueException.class)
        .hasMessageContaining("positive must be positive");
  }

  @Test
  void a_table_gives_its_entries() {
    byte[] table = ByteTable.of(List.of(new byte[] {1}, new byte[0], new byte[] {2, 3}));
    ByteTable read = ByteTable.read(table);
    assertThat(read.size()).isEqualTo(3);
    assertThat(read.get(0)).containsExactly(1);
    assertThat(read.get(1)).isEmpty();
    assertThat(read.get(2)).containsExactly(2, 3);
    assertThatThrownBy(() -> ByteTable.read(new byte[] {0, 0, 0, 9}))
        .isInstanceOf(ValueException.class);
  }
}
