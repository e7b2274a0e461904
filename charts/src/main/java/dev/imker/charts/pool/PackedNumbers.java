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

/** Arrays of numbers as strings of bytes, eight for each, the highest first. */
final class PackedNumbers {
  private PackedNumbers() {}

  static SimpleModule module() {
    return new SimpleModule("packed-numbers")
        .addSerializer(double[].class, new WriteDoubles())
        .addDeserializer(double[].class, new ReadDoubles())
        .addSerializer(long[].class, new WriteLongs())
        .addDeserializer(long[].class, new ReadLongs());
  }

  /** Refuses what cannot be an array of numbers. */
  private static ByteBuffer whole(JsonParser in, DeserializationContext context)
      throws IOException {
    byte[] bytes = in.getBinaryValue();
    if (bytes.length % Long.BYTES != 0) {
      context.reportInputMismatch(
          byte[].class, "%d bytes are no whole number of numbers", bytes.length);
    }
    return ByteBuffer.wrap(bytes);
  }

  private static final class WriteDoubles extends JsonSerializer<double[]> {
    @Override
    public void serialize(double[] numbers, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      ByteBuffer bytes = ByteBuffer.allocate(numbers.length * Double.BYTES);
      bytes.asDoubleBuffer().put(numbers);
      out.writeBinary(bytes.array());
    }
  }

  private static final class ReadDoubles extends JsonDeserializer<double[]> {
    @Override
    public double[] deserialize(JsonParser in, DeserializationContext context) throws IOException {
      ByteBuffer bytes = whole(in, context);
      double[] numbers = new double[bytes.remaining() / Double.BYTES];
      bytes.asDoubleBuffer().get(numbers);
      return numbers;
    }
  }

  private static final class WriteLongs extends JsonSerializer<long[]> {
    @Override
    public void serialize(long[] numbers, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      ByteBuffer bytes = ByteBuffer.allocate(numbers.length * Long.BYTES);
      bytes.asLongBuffer().put(numbers);
      out.writeBinary(bytes.array());
    }
  }

  private static final class ReadLongs extends JsonDeserializer<long[]> {
    @Override
    public long[] deserialize(JsonParser in, DeserializationContext context) throws IOException {
      ByteBuffer bytes = whole(in, context);
      long[] numbers = new long[bytes.remaining() / Long.BYTES];
      bytes.asLongBuffer().get(numbers);
      return numbers;
    }
  }
}
