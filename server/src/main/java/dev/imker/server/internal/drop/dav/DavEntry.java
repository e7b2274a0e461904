package dev.imker.server.internal.drop.dav;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * A file or folder on a WebDAV server.
 *
 * @param path relative to the drop folder, without slashes at its ends
 * @param size in bytes; 0 of folders
 * @param tag another one whenever the content is another one
 */
record DavEntry(String path, boolean folder, long size, String tag) {
  private static final String DAV = "DAV:";

  String name() {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** Reads a multistatus answer; what lies outside of the root is left out. */
  static List<DavEntry> read(byte[] xml, String root) throws IOException {
    List<DavEntry> all = new ArrayList<>();
    NodeList responses = parse(xml).getElementsByTagNameNS(DAV, "response");
    for (int i = 0; i < responses.getLength(); i++) {
      Element response = (Element) responses.item(i);
      String path = path(text(response, "href"));
      String base = root.endsWith("/") ? root : root + "/";
      if ((path + "/").equals(base) || path.startsWith(base)) {
        String inside = path.length() < base.length() ? "" : path.substring(base.length());
        all.add(entry(trimmed(inside), response));
      }
    }
    return all;
  }

  private static DavEntry entry(String path, Element response) {
    boolean folder = response.getElementsByTagNameNS(DAV, "collection").getLength() > 0;
    String length = text(response, "getcontentlength");
    String tag =
        text(response, "getetag").replaceFirst("^W/", "")
            + " "
            + length
            + " "
            + text(response, "getlastmodified");
    long size = length.matches("[0-9]{1,18}") ? Long.parseLong(length) : 0;
    return new DavEntry(path, folder, folder ? 0 : size, folder ? "folder" : tag);
  }

  private static String path(String href) {
    String raw = href.startsWith("/") ? href : URI.create(href).getRawPath();
    return URLDecoder.decode(raw.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  private static String trimmed(String path) {
    return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }

  /** As it is written in addresses. */
  static String encoded(String path) {
    return Arrays.stream(path.split("/", -1))
        .map(name -> URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20"))
        .collect(Collectors.joining("/"));
  }

  private static String text(Element response, String name) {
    NodeList found = response.getElementsByTagNameNS(DAV, name);
    return found.getLength() == 0 ? "" : found.item(0).getTextContent().strip();
  }

  private static Document parse(byte[] xml) throws IOException {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newNSInstance();
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      return factory.newDocumentBuilder().parse(new ByteArrayInputStream(xml));
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException("the answer is not from a WebDAV server: " + e.getMessage(), e);
    }
  }
}
