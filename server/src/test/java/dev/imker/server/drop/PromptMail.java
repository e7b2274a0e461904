package dev.imker.server.drop;

import com.icegreen.greenmail.Managers;
import com.icegreen.greenmail.imap.ImapHandler;
import com.icegreen.greenmail.server.AbstractServer;
import com.icegreen.greenmail.server.ProtocolHandler;
import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.util.Map;
import java.util.Objects;

/**
 * A mail server that sends every line of an answer at once. GreenMail's own waits with the second
 * one until the first has been confirmed, which the other side's system does after 40 ms.
 */
final class PromptMail extends GreenMail {
  PromptMail() {
    super(
        new ServerSetup[] {
          new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP),
          new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_IMAP)
        });
  }

  @Override
  protected Map<String, AbstractServer> createServices(ServerSetup[] config, Managers managers) {
    Map<String, AbstractServer> services = super.createServices(config, managers);
    services.computeIfPresent(
        ServerSetup.PROTOCOL_IMAP, (_, imap) -> new PromptImap(imap.getServerSetup(), managers));
    return services;
  }

  int imapPort() {
    return Objects.requireNonNull(services.get(ServerSetup.PROTOCOL_IMAP)).getPort();
  }

  private static final class PromptImap extends AbstractServer {
    PromptImap(ServerSetup setup, Managers managers) {
      super(setup, managers);
    }

    @Override
    protected ProtocolHandler createProtocolHandler(Socket caller) {
      try {
        caller.setTcpNoDelay(true);
      } catch (SocketException e) {
        throw new UncheckedIOException(e);
      }
      return new ImapHandler(managers.getUserManager(), managers.getImapHostManager(), caller);
    }
  }
}
