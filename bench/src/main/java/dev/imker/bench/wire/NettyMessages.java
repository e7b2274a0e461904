package dev.imker.bench.wire;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;

/** The framing of our messages on Netty's buffers: varint length, type, subtype, correlation. */
final class NettyMessages {
  static final byte ONE_WAY = 0;
  static final byte REQUEST = 2;
  static final byte RESPONSE = 3;

  private static final int BATCH_BYTES = 64 << 10;

  private NettyMessages() {}

  record Message(byte correlation, byte[] payload) {}

  /** Listens on a port of its own, which it returns. */
  static int serve(EventLoopGroup group, ChannelInitializer<Channel> pipeline)
      throws InterruptedException {
    Channel server =
        new ServerBootstrap()
            .group(group)
            .channel(NioServerSocketChannel.class)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(pipeline)
            .bind("127.0.0.1", 0)
            .sync()
            .channel();
    return ((InetSocketAddress) server.localAddress()).getPort();
  }

  static Channel connect(EventLoopGroup group, int port, ChannelInitializer<Channel> pipeline)
      throws InterruptedException {
    return new Bootstrap()
        .group(group)
        .channel(NioSocketChannel.class)
        .option(ChannelOption.TCP_NODELAY, true)
        .handler(pipeline)
        .connect("127.0.0.1", port)
        .sync()
        .channel();
  }

  /** Answers a request with its own payload. */
  static void echo(
      ChannelHandlerContext context, Message message, Function<ByteBuf, Object> envelope) {
    if (message.correlation() == REQUEST) {
      ByteBuf answer = context.alloc().buffer(message.payload().length + 16);
      write(answer, RESPONSE, message.payload());
      var _ = context.writeAndFlush(envelope.apply(answer));
    }
  }

  static void write(ByteBuf into, byte correlation, byte[] payload) {
    int rest = payload.length + 3;
    while ((rest & ~0x7F) != 0) {
      into.writeByte(rest | 0x80);
      rest >>>= 7;
    }
    into.writeByte(rest);
    into.writeByte(200).writeByte(1).writeByte(correlation).writeBytes(payload);
  }

  /** Reads all whole messages; the rest is left in the buffer. */
  static void readAll(ByteBuf in, Consumer<Message> consumer) {
    while (true) {
      int start = in.readerIndex();
      int length = readVarint(in);
      if (length < 0 || in.readableBytes() < length) {
        in.readerIndex(start);
        return;
      }
      in.skipBytes(2);
      byte correlation = in.readByte();
      byte[] payload = new byte[length - 3];
      in.readBytes(payload);
      consumer.accept(new Message(correlation, payload));
    }
  }

  private static int readVarint(ByteBuf in) {
    int value = 0;
    for (int shift = 0; in.isReadable(); shift += 7) {
      byte b = in.readByte();
      value |= (b & 0x7F) << shift;
      if (b >= 0) {
        return value;
      }
    }
    return -1;
  }

  /** A client that gathers messages into buffers by hand. */
  static final class Batching implements Contender.Client {
    private final Channel channel;
    private final Awaited awaited;
    private final Function<ByteBuf, Object> envelope;
    private ByteBuf batch = newBatch();

    Batching(Channel channel, Awaited awaited, Function<ByteBuf, Object> envelope) {
      this.channel = channel;
      this.awaited = awaited;
      this.envelope = envelope;
    }

    private static ByteBuf newBatch() {
      return PooledByteBufAllocator.DEFAULT.directBuffer(BATCH_BYTES);
    }

    @Override
    public void send(byte[] payload) {
      if (batch.writableBytes() < payload.length + 16) {
        flush();
      }
      write(batch, ONE_WAY, payload);
    }

    @Override
    public void flush() {
      while (!channel.isWritable()) {
        LockSupport.parkNanos(10_000);
      }
      var _ = channel.writeAndFlush(envelope.apply(batch));
      batch = newBatch();
    }

    @Override
    public byte[] request(byte[] payload) {
      CompletableFuture<byte[]> response = awaited.begin();
      ByteBuf request = channel.alloc().buffer(payload.length + 16);
      write(request, REQUEST, payload);
      var _ = channel.writeAndFlush(envelope.apply(request));
      return response.join();
    }

    @Override
    public void close() {
      var _ = channel.close();
    }
  }
}
