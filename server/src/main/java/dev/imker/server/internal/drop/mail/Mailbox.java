package dev.imker.server.internal.drop.mail;

import jakarta.mail.FetchProfile;
import jakarta.mail.Flags;
import jakarta.mail.Folder;
import jakarta.mail.FolderClosedException;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.Store;
import jakarta.mail.StoreClosedException;
import jakarta.mail.UIDFolder;
import jakarta.mail.search.MessageIDTerm;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.angus.mail.imap.IMAPFolder;
import org.eclipse.angus.mail.imap.IMAPStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A mailbox on an IMAP server, connected when it is needed. What lies in a folder is asked once a
 * turn, and headers of each mail once; from then on mails are found by their numbers.
 */
final class Mailbox implements AutoCloseable {
  /** The folder where mails come in; all others are Imker's own. */
  static final String INBOX = "";

  private static final Logger LOG = LoggerFactory.getLogger(Mailbox.class);
  private static final String OWN = "Imker";

  /**
   * Headers of mails by their numbers; none of mails of strangers.
   *
   * @param validity numbers of another one are of other mails
   */
  private record Known(long validity, Map<Long, Optional<LetterHead>> heads) {}

  private final URI server;
  private final MailKey key;
  private final Session session;
  private final Map<String, Folder> folders = new HashMap<>();
  private final Map<String, Known> known = new HashMap<>();
  private final Map<String, Map<String, List<Long>>> listed = new HashMap<>();
  private @Nullable Store store;

  Mailbox(URI server, MailKey key) {
    this.server = server;
    this.key = key;
    this.session = Session.getInstance(MailKey.connection(server));
  }

  /** What is done with the mails of a folder. */
  @FunctionalInterface
  interface Work<T> {
    T with(Folder folder) throws MessagingException, IOException;
  }

  /** Does something in a folder, which is made if it is not there. */
  <T> T in(String name, Work<T> work) throws IOException {
    try {
      Folder folder = folder(name);
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

  private Folder folder(String name) throws MessagingException {
    Store connected = connected();
    Folder folder = folders.get(name);
    if (folder == null) {
      folder = name.equals(INBOX) ? connected.getFolder(inbox()) : own(connected, name);
      folders.put(name, folder);
    }
    return folder;
  }

  private String inbox() {
    String path = server.getPath() == null ? "" : server.getPath();
    return path.length() > 1 ? path.substring(1) : "INBOX";
  }

  private static Folder own(Store connected, String name) throws MessagingException {
    Folder[] personal = ((IMAPStore) connected).getPersonalNamespaces();
    Folder top = personal.length > 0 ? personal[0] : connected.getDefaultFolder();
    return made(made(top.getFolder(OWN)).getFolder(name));
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
      close();
      present = session.getStore(server.getScheme());
      store = present;
      present.connect(server.getHost(), server.getPort(), key.user(), key.password());
    }
    return present;
  }

  // ---------------------------------------------------------------- looking

  /** From now on folders are looked at anew. */
  void beginTurn() {
    listed.clear();
  }

  /** The mails in an open folder that are from allowed senders, as it is now. */
  List<Letter> letters(String name, Folder folder) throws MessagingException {
    Message[] all = folder.getMessages();
    FetchProfile numbers = new FetchProfile();
    numbers.add(UIDFolder.FetchProfileItem.UID);
    numbers.add(FetchProfile.Item.FLAGS);
    folder.fetch(all, numbers);
    Map<Long, Optional<LetterHead>> heads = heads(name, folder, all);
    Map<String, List<Long>> listing = new HashMap<>();
    List<Letter> letters = new ArrayList<>();
    for (Message message : all) {
      if (!message.isExpunged() && !message.isSet(Flags.Flag.DELETED)) {
        long number = ((UIDFolder) folder).getUID(message);
        heads
            .getOrDefault(number, Optional.empty())
            .ifPresent(
                head -> {
                  letters.add(new Letter(message, head));
                  listing.computeIfAbsent(head.hash(), _ -> new ArrayList<>()).add(number);
                });
      }
    }
    listed.put(name, listing);
    return letters;
  }

  private Map<Long, Optional<LetterHead>> heads(String name, Folder folder, Message[] all)
      throws MessagingException {
    UIDFolder numbered = (UIDFolder) folder;
    Map<Long, Optional<LetterHead>> before = knownHeads(name, numbered.getUIDValidity());
    Map<Long, Optional<LetterHead>> heads = new HashMap<>();
    List<Message> fresh = new ArrayList<>();
    for (Message message : all) {
      if (!message.isExpunged()) {
        long number = numbered.getUID(message);
        Optional<LetterHead> head = before.get(number);
        if (head == null) {
          fresh.add(message);
        } else {
          heads.put(number, head);
        }
      }
    }
    FetchProfile headers = new FetchProfile();
    LetterHead.HEADERS.forEach(headers::add);
    folder.fetch(fresh.toArray(Message[]::new), headers);
    for (Message message : fresh) {
      try {
        LetterHead head = LetterHead.of(message);
        heads.put(
            numbered.getUID(message),
            key.allows(head.sender()) ? Optional.of(head) : Optional.empty());
      } catch (MessagingException e) {
        requireConnection(e);
        LOG.debug("The headers of a mail cannot be read: {}", e.getMessage());
      }
    }
    known.put(name, new Known(numbered.getUIDValidity(), heads));
    return heads;
  }

  private Map<Long, Optional<LetterHead>> knownHeads(String name, long validity) {
    Known before = known.get(name);
    return before == null || before.validity != validity ? Map.of() : before.heads;
  }

  /** Throws what is not the fault of a single mail. */
  static void requireConnection(MessagingException e) throws MessagingException {
    if (e instanceof FolderClosedException || e instanceof StoreClosedException) {
      throw e;
    }
  }

  /** Whether a folder has a mail of this hash. */
  boolean has(String name, String hash) throws IOException {
    Map<String, List<Long>> listing = listed.get(name);
    if (listing != null) {
      return listing.containsKey(hash);
    }
    return in(name, folder -> letters(name, folder)).stream()
        .anyMatch(letter -> letter.head().hash().equals(hash));
  }

  /** All mails of this hash in an open folder: the same one may have come twice. */
  List<Letter> find(String name, Folder folder, String hash) throws MessagingException {
    List<Long> numbers = listed.getOrDefault(name, Map.of()).get(hash);
    if (numbers == null || numbers.isEmpty()) {
      return letters(name, folder).stream()
          .filter(letter -> letter.head().hash().equals(hash))
          .toList();
    }
    Map<Long, Optional<LetterHead>> heads = knownHeads(name, ((UIDFolder) folder).getUIDValidity());
    List<Letter> found = new ArrayList<>();
    for (long number : numbers) {
      Message message = ((UIDFolder) folder).getMessageByUID(number);
      Optional<LetterHead> head = heads.getOrDefault(number, Optional.empty());
      if (message != null && !message.isExpunged() && head.isPresent()) {
        found.add(new Letter(message, head.get()));
      }
    }
    return found;
  }

  /** Whether the same mail lies in a folder that may be large. */
  boolean hasAmongMany(String name, LetterHead head) throws IOException {
    if (head.messageId().isEmpty()) {
      return false;
    }
    return in(
        name,
        folder -> {
          for (Message message : folder.search(new MessageIDTerm(head.messageId()))) {
            if (LetterHead.of(message).hash().equals(head.hash())) {
              return true;
            }
          }
          return false;
        });
  }

  // ---------------------------------------------------------------- moving

  /** Moves mails from an open folder into another one. */
  void move(String from, Folder folder, List<Letter> letters, String target)
      throws MessagingException {
    if (letters.isEmpty()) {
      return;
    }
    Folder to = folder(target);
    Message[] all = letters.stream().map(Letter::message).toArray(Message[]::new);
    if (((IMAPStore) connected()).hasCapability("MOVE")) {
      ((IMAPFolder) folder).moveMessages(all, to);
    } else {
      folder.copyMessages(all, to);
      folder.setFlags(all, new Flags(Flags.Flag.DELETED), true);
      ((IMAPFolder) folder).expunge(all); // and no others that somebody has marked
    }
    for (Letter letter : letters) {
      listed.getOrDefault(from, new HashMap<>()).remove(letter.head().hash());
      listed.computeIfPresent(target, (_, there) -> with(there, letter.head().hash()));
    }
  }

  /** Its number there is not known. */
  private static Map<String, List<Long>> with(Map<String, List<Long>> listing, String hash) {
    listing.put(hash, List.of());
    return listing;
  }

  @Override
  public void close() {
    Store present = store;
    store = null;
    folders.clear();
    listed.clear();
    if (present != null) {
      try {
        present.close();
      } catch (MessagingException e) {
        LOG.debug("Closing {} failed: {}", server.getHost(), e.getMessage());
      }
    }
  }
}
