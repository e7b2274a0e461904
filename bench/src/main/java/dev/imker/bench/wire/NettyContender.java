package dev.imker.bench.wire;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * A bare Netty pipe over TCP with the framing of our messages: varint length, type, subtype,
 * correlation, payload. Nothing but what the socket needs: no credits, no resume, no WebSocket, no
 * hand-over to an application; messages are gathered into buffers of 64 KiB by hand.
 */
final class NettyContender implements Contender {

  private final EventLoopGroup group =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

  @Override
  public String name() {
    return "raw Netty";
  }

  @Override
  public int serve() throws InterruptedException {
    return NettyMessages.serve(
        group,
        pipeline((context, message) -> NettyMessages.echo(context, message, answer -> answer)));
  }

  @Override
  public Client connect(int port) throws InterruptedException {
    Awaited awaited = new Awaited();
    Channel channel =
        NettyMessages.connect(
            group, port, pipeline((_, message) -> awaited.complete(message.payload())));
    return new NettyMessages.Batching(channel, awaited, batch -> batch);
  }

  private static ChannelInitializer<Channel> pipeline(
      BiConsumer<ChannelHandlerContext, NettyMessages.Message> consumer) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        channel.pipeline().addLast(new Decoder(consumer));
      }
    };
  }

  private static final class Decoder extends ByteToMessageDecoder {
    private final BiConsumer<ChannelHandlerContext, NettyMessages.Message> consumer;

    Decoder(BiConsumer<ChannelHandlerContext, NettyMessages.Message> consumer) {
      this.consumer = consumer;
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
      NettyMessages.readAll(in, message -> consumer.accept(context, message));
    }
  }
}
