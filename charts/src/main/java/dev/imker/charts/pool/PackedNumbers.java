package dev.imker.charts.pool;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Arrays of numbers as strings of bytes that compress well: the first bytes of all numbers, then
 * the second ones, and so on, as the first ones are much alike. Of whole numbers, each is told by
 * its difference from the one before; of tables, each column is one array.
 */
final class PackedNumbers {
  private PackedNumbers() {}

  static SimpleModule module() {
    return new SimpleModule("packed-numbers")
        .addSerializer(double[].class, new WriteDoubles())
        .addDeserializer(double[].class, new ReadDoubles())
        .addSerializer(double[][].class, new WriteTable())
        .addDeserializer(double[][].class, new ReadTable())
        .addSerializer(long[].class, new WriteLongs())
        .addDeserializer(long[].class, new ReadLongs());
  }

  // ---------------------------------------------------------------- planes of bytes

  /** Writes the number at a place of an array of {@code count}, which begins at {@code from}. */
  private static void put(byte[] bytes, int from, int count, int place, long number) {
    for (int plane = 0; plane < Long.BYTES; plane++) {
      bytes[from + plane * count + place] =
          (byte) (number >>> ((Long.BYTES - 1 - plane) * Byte.SIZE));
    }
  }

  private static long get(byte[] bytes, int from, int count, int place) {
    long number = 0;
    for (int plane = 0; plane < Long.BYTES; plane++) {
      number = (number << Byte.SIZE) | (bytes[from + plane * count + place] & 0xFF);
    }
    return number;
  }

  /** Refuses what cannot be an array of numbers. */
  private static byte[] whole(JsonParser in, DeserializationContext context) throws IOException {
    byte[] bytes = in.getBinaryValue();
    if (bytes.length % Long.BYTES != 0) {
      context.reportInputMismatch(
          byte[].class, "%d bytes are no whole number of numbers", bytes.length);
    }
    return bytes;
  }

  private static final class WriteDoubles extends JsonSerializer<double[]> {
    @Override
    public void serialize(double[] numbers, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      byte[] bytes = new byte[numbers.length * Double.BYTES];
      for (int i = 0; i < numbers.length; i++) {
        put(bytes, 0, numbers.length, i, Double.doubleToRawLongBits(numbers[i]));
      }
      out.writeBinary(bytes);
    }
  }

  private static final class ReadDoubles extends JsonDeserializer<double[]> {
    @Override
    public double[] deserialize(JsonParser in, DeserializationContext context) throws IOException {
      byte[] bytes = whole(in, context);
      double[] numbers = new double[bytes.length / Double.BYTES];
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = Double.longBitsToDouble(get(bytes, 0, numbers.length, i));
      }
      return numbers;
    }
  }

  private static final class WriteLongs extends JsonSerializer<long[]> {
    @Override
    public void serialize(long[] numbers, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      byte[] bytes = new byte[numbers.length * Long.BYTES];
      for (int i = 0; i < numbers.length; i++) {
        put(bytes, 0, numbers.length, i, numbers[i] - (i == 0 ? 0 : numbers[i - 1]));
      }
      out.writeBinary(bytes);
    }
  }

  private static final class ReadLongs extends JsonDeserializer<long[]> {
    @Override
    public long[] deserialize(JsonParser in, DeserializationContext context) throws IOException {
      byte[] bytes = whole(in, context);
      long[] numbers = new long[bytes.length / Long.BYTES];
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = get(bytes, 0, numbers.length, i) + (i == 0 ? 0 : numbers[i - 1]);
      }
      return numbers;
    }
  }

  // ---------------------------------------------------------------- tables

  /** How many rows a table has, before its columns. */
  private static final int HEAD = Long.BYTES;

  private static final class WriteTable extends JsonSerializer<double[][]> {
    @Override
    public void serialize(double[][] rows, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      int columns = rows.length == 0 ? 0 : rows[0].length;
      byte[] bytes = new byte[HEAD + rows.length * columns * Double.BYTES];
      ByteBuffer.wrap(bytes).putLong(rows.length);
      for (int row = 0; row < rows.length; row++) {
        if (rows[row].length != columns) {
          throw new IllegalArgumentException("rows of different lengths");
        }
        for (int column = 0; column < columns; column++) {
          long bits = Double.doubleToRawLongBits(rows[row][column]);
          put(bytes, at(column, rows.length), rows.length, row, bits);
        }
      }
      out.writeBinary(bytes);
    }
  }

  private static int at(int column, int rows) {
    return HEAD + column * rows * Double.BYTES;
  }

  private static final class ReadTable extends JsonDeserializer<double[][]> {
    @Override
    public double[][] deserialize(JsonParser in, DeserializationContext context)
        throws IOException {
      byte[] bytes = whole(in, context);
      long said = bytes.length < HEAD ? -1 : ByteBuffer.wrap(bytes).getLong();
      int numbers = bytes.length / Double.BYTES - 1;
      if (said < 0 || said > Math.max(numbers, 0) || (said > 0 && numbers % said != 0)) {
        context.reportInputMismatch(
            double[][].class, "%d bytes are no table of %d rows", bytes.length, said);
      }
      int rows = (int) said;
      double[][] table = new double[rows][rows == 0 ? 0 : numbers / rows];
      for (int row = 0; row < rows; row++) {
        for (int column = 0; column < table[row].length; column++) {
          table[row][column] = Double.longBitsToDouble(get(bytes, at(column, rows), rows, row));
        }
      }
      return table;
    }
  }
}
