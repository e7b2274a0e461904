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
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;

/**
 * A bare Netty pipe over TCP with the framing of our messages: varint length, type, subtype,
 * correlation, payload. Nothing but what the socket needs: no credits, no resume, no WebSocket, no
 * hand-over to an application; messages are gathered into buffers of 64 KiB by hand.
 */
public final class NettyContender implements Contender {

  private static final int BATCH_BYTES = 64 << 10;
  private static final byte ONE_WAY = 0;
  private static final byte REQUEST = 2;
  private static final byte RESPONSE = 3;

  private final EventLoopGroup group =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

  @Override
  public String name() {
    return "raw Netty";
  }

  @Override
  public int serve() throws InterruptedException {
    Channel server =
        new ServerBootstrap()
            .group(group)
            .channel(NioServerSocketChannel.class)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(pipeline(NettyContender::echo))
            .bind("127.0.0.1", 0)
            .sync()
            .channel();
    return ((InetSocketAddress) server.localAddress()).getPort();
  }

  private static void echo(ChannelHandlerContext context, Message message) {
    if (message.correlation == REQUEST) {
      ByteBuf answer = context.alloc().buffer(message.payload.length + 16);
      write(answer, RESPONSE, message.payload);
      var _ = context.writeAndFlush(answer);
    }
  }

  @Override
  public Client connect(int port) throws InterruptedException {
    Awaited awaited = new Awaited();
    Channel channel =
        new Bootstrap()
            .group(group)
            .channel(NioSocketChannel.class)
            .option(ChannelOption.TCP_NODELAY, true)
            .handler(pipeline((_, message) -> awaited.complete(message.payload)))
            .connect("127.0.0.1", port)
            .sync()
            .channel();
    return new NettyClient(channel, awaited);
  }

  private static ChannelInitializer<Channel> pipeline(
      BiConsumer<ChannelHandlerContext, Message> consumer) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        channel.pipeline().addLast(new Decoder(consumer));
      }
    };
  }

  private static void write(ByteBuf into, byte correlation, byte[] payload) {
    writeVarint(into, payload.length + 3);
    into.writeByte(200).writeByte(1).writeByte(correlation).writeBytes(payload);
  }

  private static void writeVarint(ByteBuf into, int value) {
    int rest = value;
    while ((rest & ~0x7F) != 0) {
      into.writeByte(rest | 0x80);
      rest >>>= 7;
    }
    into.writeByte(rest);
  }

  private static final class Message {

    private final byte correlation;
    private final byte[] payload;

    Message(byte correlation, byte[] payload) {
      this.correlation = correlation;
      this.payload = payload;
    }
  }

  private static final class Decoder extends ByteToMessageDecoder {

    private final BiConsumer<ChannelHandlerContext, Message> consumer;

    Decoder(BiConsumer<ChannelHandlerContext, Message> consumer) {
      this.consumer = consumer;
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
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
        consumer.accept(context, new Message(correlation, payload));
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
  }

  private static final class NettyClient implements Client {

    private final Channel channel;
    private final Awaited awaited;
    private ByteBuf batch = newBatch();

    NettyClient(Channel channel, Awaited awaited) {
      this.channel = channel;
      this.awaited = awaited;
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
      var _ = channel.writeAndFlush(batch);
      batch = newBatch();
    }

    @Override
    public byte[] request(byte[] payload) {
      CompletableFuture<byte[]> response = awaited.begin();
      ByteBuf request = channel.alloc().buffer(payload.length + 16);
      write(request, REQUEST, payload);
      var _ = channel.writeAndFlush(request);
      return response.join();
    }

    @Override
    public void close() {
      var _ = channel.close();
    }
  }
}
