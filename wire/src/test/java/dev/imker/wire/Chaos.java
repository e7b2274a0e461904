package dev.imker.wire;

import io.vertx.core.Vertx;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Stands between two sides and cuts their connections without a word. */
final class Chaos {

  private final Set<NetSocket> sockets = ConcurrentHashMap.newKeySet();
  private final NetServer server;
  private volatile boolean refusing;

  Chaos(Vertx vertx, int targetPort) {
    server =
        vertx
            .createNetServer()
            .connectHandler(
                inbound -> {
                  if (refusing) {
                    inbound.close();
                    return;
                  }
                  inbound.pause();
                  sockets.add(inbound);
                  vertx
                      .createNetClient()
                      .connect(targetPort, "127.0.0.1")
                      .onSuccess(outbound -> join(inbound, outbound))
                      .onFailure(_ -> inbound.close());
                });
    server.listen(0, "127.0.0.1").toCompletionStage().toCompletableFuture().join();
  }

  private void join(NetSocket inbound, NetSocket outbound) {
    sockets.add(outbound);
    inbound.pipeTo(outbound).onComplete(_ -> outbound.close());
    outbound.pipeTo(inbound).onComplete(_ -> inbound.close());
  }

  URI address() {
    return URI.create("ws://127.0.0.1:" + server.actualPort() + "/agents");
  }

  void cutAll() {
    sockets.forEach(
        socket -> {
          sockets.remove(socket);
          socket.close();
        });
  }

  void refuse(boolean on) {
    refusing = on;
  }
}
