package dev.imker.server.internal.drop.drive;

/**
 * Where Google's services are.
 *
 * @param drive the root of Drive; the others likewise
 */
public record GoogleRoots(String drive, String docs, String sheets) {
  public static final GoogleRoots GOOGLE =
      new GoogleRoots(
          "https://www.googleapis.com/",
          "https://docs.googleapis.com/",
          "https://sheets.googleapis.com/");
}
