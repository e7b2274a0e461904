package dev.imker.server.internal.drop.mail;

import jakarta.mail.FetchProfile;
import jakarta.mail.Flags;
import jakarta.mail.Folder;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.Store;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.angus.mail.imap.IMAPFolder;
import org.eclipse.angus.mail.imap.IMAPStore;
import org.jspecify.annotations.Nullable;

/** A mailbox on an IMAP server, connected when it is needed. */
final class Mailbox implements AutoCloseable {
  private static final String OWN = "Imker";

  private final URI server;
  private final MailKey key;
  private final Session session;
  private @Nullable Store store;

  Mailbox(URI server, MailKey key) {
    this.server = server;
    this.key = key;
    this.session = Session.getInstance(MailKey.connection(server));
  }

  Session session() {
    return session;
  }

  /** What is done with the mails of a folder. */
  @FunctionalInterface
  interface Work<T> {
    T with(Folder folder) throws MessagingException, IOException;
  }

  /** Does something in the folder where mails come in. */
  <T> T inInbox(Work<T> work) throws IOException {
    String path = server.getPath() == null ? "" : server.getPath();
    String name = path.length() > 1 ? path.substring(1) : "INBOX";
    return in(connected -> connected.getFolder(name), work);
  }

  /** Does something in a folder of Imker's, made if it is not there. */
  <T> T in(String name, Work<T> work) throws IOException {
    return in(connected -> made(own(connected, name)), work);
  }

  /** Finds a folder. */
  @FunctionalInterface
  private interface Choice {
    Folder of(Store connected) throws MessagingException;
  }

  private <T> T in(Choice choice, Work<T> work) throws IOException {
    try {
      Folder folder = choice.of(connected());
      folder.open(Folder.READ_WRITE);
      try {
        return work.with(folder);
      } finally {
        if (folder.isOpen()) {
          folder.close(false);
        }
      }
    } catch (MessagingException e) {
      close();
      throw new IOException(server.getHost() + ": " + e.getMessage(), e);
    }
  }

  private static Folder own(Store connected, String name) throws MessagingException {
    Folder[] personal = ((IMAPStore) connected).getPersonalNamespaces();
    Folder top = personal.length > 0 ? personal[0] : connected.getDefaultFolder();
    return made(top.getFolder(OWN)).getFolder(name);
  }

  private static Folder made(Folder folder) throws MessagingException {
    if (!folder.exists() && !folder.create(Folder.HOLDS_MESSAGES | Folder.HOLDS_FOLDERS)) {
      throw new MessagingException("the folder " + folder.getFullName() + " cannot be made");
    }
    return folder;
  }

  private Store connected() throws MessagingException {
    Store present = store;
    if (present == null || !present.isConnected()) {
      present = session.getStore(server.getScheme());
      present.connect(server.getHost(), server.getPort(), key.user(), key.password());
      store = present;
    }
    return present;
  }

  /** Moves a mail into a folder of Imker's. */
  void move(Folder from, Message message, String target) throws MessagingException {
    Folder to = made(own(connected(), target));
    Message[] one = {message};
    IMAPStore imap = (IMAPStore) connected();
    if (imap.hasCapability("MOVE")) {
      ((IMAPFolder) from).moveMessages(one, to);
    } else {
      from.copyMessages(one, to);
      from.setFlags(one, new Flags(Flags.Flag.DELETED), true);
      ((IMAPFolder) from).expunge(one); // and no others that somebody has marked
    }
  }

  /** The mails in a folder that are from allowed senders. */
  List<Letter> letters(Folder folder) throws MessagingException {
    Message[] all = folder.getMessages();
    FetchProfile needed = new FetchProfile();
    needed.add(FetchProfile.Item.ENVELOPE);
    needed.add(FetchProfile.Item.FLAGS);
    for (String header : Letter.HEADERS) {
      needed.add(header);
    }
    folder.fetch(all, needed);
    List<Letter> letters = new ArrayList<>();
    for (Message message : all) {
      Letter letter = new Letter(message);
      if (!message.isSet(Flags.Flag.DELETED) && key.allows(letter.sender())) {
        letters.add(letter);
      }
    }
    return letters;
  }

  /** The mail with the file of this path. */
  Optional<Letter> find(Folder folder, String path) throws MessagingException {
    for (Letter letter : letters(folder)) {
      if (letter.has(path)) {
        return Optional.of(letter);
      }
    }
    return Optional.empty();
  }

  @Override
  public void close() {
    Store present = store;
    store = null;
    if (present != null) {
      try {
        present.close();
      } catch (MessagingException e) {
        org.slf4j.LoggerFactory.getLogger(Mailbox.class)
            .debug("{} did not part well: {}", server.getHost(), e.getMessage());
      }
    }
  }
}
