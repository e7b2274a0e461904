package dev.imker.bench.wire;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/**
 * A bidirectional stream of gRPC-Java with plain bytes as messages; the first byte asks for an
 * echo.
 */
final class GrpcContender implements Contender {

  private static final MethodDescriptor<byte[], byte[]> METHOD =
      MethodDescriptor.<byte[], byte[]>newBuilder()
          .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
          .setFullMethodName("bench.Wire/Stream")
          .setRequestMarshaller(new Bytes())
          .setResponseMarshaller(new Bytes())
          .build();

  @Override
  public String name() {
    return "gRPC stream";
  }

  @Override
  public int serve() throws IOException {
    Server server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .directExecutor()
            .addService(
                ServerServiceDefinition.builder("bench.Wire")
                    .addMethod(METHOD, ServerCalls.asyncBidiStreamingCall(GrpcContender::echo))
                    .build())
            .build()
            .start();
    return server.getPort();
  }

  private static StreamObserver<byte[]> echo(StreamObserver<byte[]> responses) {
    return new StreamObserver<>() {
      @Override
      public void onNext(byte[] message) {
        if (message[0] != 0) {
          responses.onNext(message);
        }
      }

      @Override
      public void onError(Throwable failure) {}

      @Override
      public void onCompleted() {
        responses.onCompleted();
      }
    };
  }

  @Override
  public Client connect(int port) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().directExecutor().build();
    Awaited awaited = new Awaited();
    Receiver receiver = new Receiver(awaited);
    ClientCalls.asyncBidiStreamingCall(channel.newCall(METHOD, CallOptions.DEFAULT), receiver);
    return new GrpcClient(channel, receiver.stream.join(), awaited);
  }

  private static final class Receiver implements ClientResponseObserver<byte[], byte[]> {

    private final CompletableFuture<ClientCallStreamObserver<byte[]>> stream =
        new CompletableFuture<>();
    private final Awaited awaited;

    Receiver(Awaited awaited) {
      this.awaited = awaited;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<byte[]> requestStream) {
      stream.complete(requestStream);
    }

    @Override
    public void onNext(byte[] message) {
      awaited.complete(message);
    }

    @Override
    public void onError(Throwable failure) {
      awaited.fail(failure);
    }

    @Override
    public void onCompleted() {}
  }

  private static final class GrpcClient implements Client {

    private final ManagedChannel channel;
    private final ClientCallStreamObserver<byte[]> stream;
    private final Awaited awaited;

    GrpcClient(ManagedChannel channel, ClientCallStreamObserver<byte[]> stream, Awaited awaited) {
      this.channel = channel;
      this.stream = stream;
      this.awaited = awaited;
    }

    @Override
    public void send(byte[] payload) {
      while (!stream.isReady()) {
        LockSupport.parkNanos(10_000);
      }
      synchronized (stream) {
        stream.onNext(payload);
      }
    }

    @Override
    public byte[] request(byte[] payload) {
      CompletableFuture<byte[]> response = awaited.begin();
      byte[] asking = payload.clone();
      asking[0] = 1;
      synchronized (stream) {
        stream.onNext(asking);
      }
      return response.join();
    }

    @Override
    public void close() {
      channel.shutdownNow();
    }
  }

  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {

    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
