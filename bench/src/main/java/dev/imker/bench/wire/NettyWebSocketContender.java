package dev.imker.bench.wire;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolConfig;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler.ClientHandshakeStateEvent;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/**
 * A bare Netty pipe with all of our framing: batches of messages in binary frames of a WebSocket,
 * masked towards the server as the standard demands. No credits, no resume, no hand-over to an
 * application.
 */
final class NettyWebSocketContender implements Contender {
  private static final int MAX_FRAME_BYTES = 1 << 20;

  private final EventLoopGroup group =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

  @Override
  public String name() {
    return "Netty WebSocket";
  }

  @Override
  public int serve() throws InterruptedException {
    return NettyMessages.serve(
        group,
        new ChannelInitializer<>() {
          @Override
          protected void initChannel(Channel channel) {
            ChannelPipeline pipeline = channel.pipeline();
            pipeline.addLast(new HttpServerCodec(), new HttpObjectAggregator(8192));
            pipeline.addLast(new WebSocketServerProtocolHandler("/", null, false, MAX_FRAME_BYTES));
            pipeline.addLast(
                new Frames(
                    (context, message) ->
                        NettyMessages.echo(context, message, BinaryWebSocketFrame::new)));
          }
        });
  }

  @Override
  public Client connect(int port) throws Exception {
    Awaited awaited = new Awaited();
    CompletableFuture<Void> opened = new CompletableFuture<>();
    WebSocketClientProtocolConfig config =
        WebSocketClientProtocolConfig.newBuilder()
            .webSocketUri("ws://127.0.0.1:" + port + "/")
            .maxFramePayloadLength(MAX_FRAME_BYTES)
            .build();
    Channel channel =
        NettyMessages.connect(
            group,
            port,
            new ChannelInitializer<>() {
              @Override
              protected void initChannel(Channel channel) {
                ChannelPipeline pipeline = channel.pipeline();
                pipeline.addLast(new HttpClientCodec(), new HttpObjectAggregator(8192));
                pipeline.addLast(new WebSocketClientProtocolHandler(config));
                pipeline.addLast(new Opening(opened));
                pipeline.addLast(new Frames((_, message) -> awaited.complete(message.payload())));
              }
            });
    opened.get();
    return new NettyMessages.Batching(channel, awaited, BinaryWebSocketFrame::new);
  }

  /** Takes messages out of frames, which hold whole ones. */
  private static final class Frames extends SimpleChannelInboundHandler<BinaryWebSocketFrame> {
    private final BiConsumer<ChannelHandlerContext, NettyMessages.Message> consumer;

    Frames(BiConsumer<ChannelHandlerContext, NettyMessages.Message> consumer) {
      this.consumer = consumer;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, BinaryWebSocketFrame frame) {
      NettyMessages.readAll(frame.content(), message -> consumer.accept(context, message));
    }
  }

  private static final class Opening extends SimpleChannelInboundHandler<Void> {
    private final CompletableFuture<Void> opened;

    Opening(CompletableFuture<Void> opened) {
      this.opened = opened;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, Void nothing) {
      throw new IllegalStateException("there is no such message");
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
      if (event == ClientHandshakeStateEvent.HANDSHAKE_COMPLETE) {
        opened.complete(null);
      }
      context.fireUserEventTriggered(event);
    }
  }
}
