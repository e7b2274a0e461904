package dev.imker.wire.frame;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;

/** The codecs that come with the module. */
public final class Codecs {

  private static final Codec<byte[]> BYTES = new BytesCodec();

  private Codecs() {}

  /** Codec of a generated protobuf class. */
  public static <T extends MessageLite> Codec<T> protobuf(Parser<T> parser) {
    return new ProtobufCodec<>(parser);
  }

  /** Codec of a payload of raw bytes. */
  public static Codec<byte[]> bytes() {
    return BYTES;
  }

  private record ProtobufCodec<T extends MessageLite>(Parser<T> parser) implements Codec<T> {

    @Override
    public int sizeBytes(T message) {
      return message.getSerializedSize();
    }

    @Override
    public void write(T message, byte[] into, int offset, int length) {
      try {
        CodedOutputStream output = CodedOutputStream.newInstance(into, offset, length);
        message.writeTo(output);
        output.checkNoSpaceLeft();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public T read(byte[] from, int offset, int length) throws MalformedFrameException {
      try {
        return parser.parseFrom(from, offset, length);
      } catch (InvalidProtocolBufferException e) {
        throw new MalformedFrameException("payload is not valid protobuf: " + e.getMessage());
      }
    }
  }

  private static final class BytesCodec implements Codec<byte[]> {

    @Override
    public int sizeBytes(byte[] message) {
      return message.length;
    }

    @Override
    public void write(byte[] message, byte[] into, int offset, int length) {
      System.arraycopy(message, 0, into, offset, length);
    }

    @Override
    public byte[] read(byte[] from, int offset, int length) {
      return Arrays.copyOfRange(from, offset, offset + length);
    }
  }
}
