package dev.imker.server.internal.drop.dav;

import dev.imker.model.ImkerException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;

/** The address and credentials of a WebDAV folder. */
final class DavLogin {
  private DavLogin() {}

  /** The address as people write it, with blanks or other letters in it. */
  static URI address(String written) {
    URI address;
    try {
      address = URI.create((written.endsWith("/") ? written : written + "/").replace(" ", "%20"));
    } catch (IllegalArgumentException e) {
      throw new ImkerException("Not an address of a folder: " + written, e);
    }
    if (address.getHost() == null || address.getUserInfo() != null) {
      throw new ImkerException(
          "Write the folder as dav:https://HOST/PATH, with name and password in the key file: "
              + written);
    }
    boolean safe = "https".equals(address.getScheme());
    if (!safe && !("http".equals(address.getScheme()) && isHere(address.getHost()))) {
      throw new ImkerException(
          "The password would cross the network in the clear. Write https: " + written);
    }
    return address;
  }

  private static boolean isHere(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /** The header that tells who is asking. */
  static String header(Path key) {
    String login;
    try {
      login = Files.readString(key).strip();
    } catch (IOException e) {
      throw new ImkerException("The key file %s cannot be read: %s".formatted(key, e), e);
    }
    if (!login.contains(":") || login.lines().count() != 1) {
      throw new ImkerException("The key file %s must hold one line: NAME:PASSWORD.".formatted(key));
    }
    return "Basic " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8));
  }
}
