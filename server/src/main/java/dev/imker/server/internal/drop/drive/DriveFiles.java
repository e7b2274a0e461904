package dev.imker.server.internal.drop.drive;

import com.google.api.client.googleapis.json.GoogleJsonResponseException;
import com.google.api.client.http.AbstractInputStreamContent;
import com.google.api.services.docs.v1.model.Document;
import com.google.api.services.docs.v1.model.ParagraphElement;
import com.google.api.services.docs.v1.model.StructuralElement;
import com.google.api.services.drive.Drive;
import com.google.api.services.drive.model.File;
import com.google.api.services.drive.model.FileList;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is done with files on Drive. Works in shared drives too. */
final class DriveFiles {
  static final String FOLDER = "application/vnd.google-apps.folder";
  static final String DOCUMENT = "application/vnd.google-apps.document";
  static final String SHEET = "application/vnd.google-apps.spreadsheet";
  static final String YES = "yes";

  /** Marks what Imker wrote itself. */
  static final String WROTE = "imkerWrote";

  private static final String SAYS = "Imker: ";
  private static final String FIELDS =
      "id,name,mimeType,size,createdTime,modifiedTime,md5Checksum,parents,appProperties,trashed,"
          + "description,lastModifyingUser(me)";
  private static final int PAGE = 1000;
  private static final int NOT_FOUND = 404;
  private static final long SMALL_BYTES = 5 << 20;

  private final Drive drive;
  private final GoogleServices services;

  DriveFiles(GoogleServices services) {
    this.services = services;
    this.drive = services.drive();
  }

  // ---------------------------------------------------------------- looking

  List<File> query(String condition) throws IOException {
    List<File> all = new ArrayList<>();
    String page = null;
    do {
      FileList list =
          drive
              .files()
              .list()
              .setQ(condition + " and trashed = false")
              .setFields("nextPageToken,files(" + FIELDS + ")")
              .setPageSize(PAGE)
              .setPageToken(page)
              .setSupportsAllDrives(true)
              .setIncludeItemsFromAllDrives(true)
              .execute();
      all.addAll(list.getFiles());
      page = list.getNextPageToken();
    } while (page != null);
    return all;
  }

  static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }

  List<File> in(String folder) throws IOException {
    return query(quoted(folder) + " in parents");
  }

  List<File> named(String folder, String name) throws IOException {
    return query(quoted(folder) + " in parents and name = " + quoted(name));
  }

  Optional<File> get(String id) throws IOException {
    try {
      File file = drive.files().get(id).setFields(FIELDS).setSupportsAllDrives(true).execute();
      return Boolean.TRUE.equals(file.getTrashed()) ? Optional.empty() : Optional.of(file);
    } catch (GoogleJsonResponseException e) {
      if (e.getStatusCode() == NOT_FOUND) {
        return Optional.empty();
      }
      throw e;
    }
  }

  static String property(File file, String key) {
    Map<String, String> properties = file.getAppProperties();
    return properties == null ? "" : properties.getOrDefault(key, "");
  }

  /** Whether Imker wrote it, and nobody else changed it since. */
  static boolean isOurs(File file) {
    return property(file, WROTE).equals(YES)
        && file.getLastModifyingUser() != null
        && Boolean.TRUE.equals(file.getLastModifyingUser().getMe());
  }

  /** Whether that is true of everything in a folder, and in the folders in it. */
  boolean holdsOnlyOurs(String folder) throws IOException {
    for (File inside : in(folder)) {
      boolean inner = inside.getMimeType().equals(FOLDER);
      if (!isOurs(inside) || (inner && !holdsOnlyOurs(inside.getId()))) {
        return false;
      }
    }
    return true;
  }

  static boolean isIn(File file, String folder) {
    return file.getParents() != null && file.getParents().contains(folder);
  }

  /** The content; of a document, its text as somebody typed it. */
  byte[] content(File file) throws IOException {
    if (file.getMimeType().equals(DOCUMENT)) {
      return text(services.docs().documents().get(file.getId()).execute())
          .getBytes(StandardCharsets.UTF_8);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    drive.files().get(file.getId()).setSupportsAllDrives(true).executeMediaAndDownloadTo(bytes);
    return bytes.toByteArray();
  }

  private static String text(Document document) {
    StringBuilder text = new StringBuilder();
    for (StructuralElement element : document.getBody().getContent()) {
      if (element.getParagraph() != null) {
        for (ParagraphElement part : element.getParagraph().getElements()) {
          text.append(part.getTextRun() == null ? "" : part.getTextRun().getContent());
        }
      }
    }
    return plain(text.toString());
  }

  /** Documents turn quotes and blanks into nicer ones, which YAML does not know. */
  private static String plain(String text) {
    return text.replaceAll("[\u201c\u201d\u201e]", "\"")
        .replaceAll("[\u2018\u2019\u201a]", "'")
        .replace('\u00a0', ' ')
        .replace('\u000b', '\n');
  }

  // ---------------------------------------------------------------- changing

  File create(String parent, String name, String type, @Nullable AbstractInputStreamContent content)
      throws IOException {
    return create(parent, name, type, content, Map.of());
  }

  /**
   * Makes a file; each one bears the mark {@link #WROTE}.
   *
   * @param properties further marks
   */
  File create(
      String parent,
      String name,
      String type,
      @Nullable AbstractInputStreamContent content,
      Map<String, String> properties)
      throws IOException {
    Map<String, String> marks = new HashMap<>(properties);
    marks.put(WROTE, YES);
    File meta =
        new File()
            .setName(name)
            .setMimeType(type)
            .setParents(List.of(parent))
            .setAppProperties(marks);
    Drive.Files.Create create =
        content == null ? drive.files().create(meta) : drive.files().create(meta, content);
    if (content != null) {
      create.getMediaHttpUploader().setDirectUploadEnabled(isSmall(content));
    }
    return create.setFields(FIELDS).setSupportsAllDrives(true).execute();
  }

  /** What is small goes in one request together with its name. */
  private static boolean isSmall(AbstractInputStreamContent content) throws IOException {
    return content.getLength() >= 0 && content.getLength() <= SMALL_BYTES;
  }

  /** A folder in another one; made if it is not there. */
  String folder(String parent, String name) throws IOException {
    for (File found : named(parent, name)) {
      if (found.getMimeType().equals(FOLDER)) {
        return found.getId();
      }
    }
    return create(parent, name, FOLDER, null).getId();
  }

  void mark(String id, Map<String, String> properties) throws IOException {
    update(id, new File().setAppProperties(properties));
  }

  void update(String id, File change) throws IOException {
    drive.files().update(id, change).setFields("id").setSupportsAllDrives(true).execute();
  }

  void write(String id, AbstractInputStreamContent content) throws IOException {
    Drive.Files.Update update = drive.files().update(id, new File(), content);
    update.getMediaHttpUploader().setDirectUploadEnabled(isSmall(content));
    update.setFields("id").setSupportsAllDrives(true).execute();
  }

  /** Moves a file and changes what is said of it, in one step. */
  void move(File file, String target, File change) throws IOException {
    if (isIn(file, target)) {
      update(file.getId(), change);
      return;
    }
    drive
        .files()
        .update(file.getId(), change)
        .setAddParents(target)
        .setRemoveParents(String.join(",", file.getParents()))
        .setFields("id")
        .setSupportsAllDrives(true)
        .execute();
  }

  /** Says something in the description of a file, unless a person wrote one. */
  void say(File file, String words) throws IOException {
    String present = file.getDescription() == null ? "" : file.getDescription();
    String wanted = words.isEmpty() ? "" : SAYS + words;
    if (!present.equals(wanted) && (present.isEmpty() || present.startsWith(SAYS))) {
      update(file.getId(), new File().setDescription(wanted));
    }
  }

  void trash(File file) throws IOException {
    update(file.getId(), new File().setTrashed(true));
  }
}
