package dev.imker.testbase;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;

/**
 * A well-behaved provider of OpenID Connect for one person, ulla of the group staff. What
 * ill-behaved ones do is for {@code OidcTest}.
 */
public final class LoginProvider implements AutoCloseable {
  public static final String CLIENT = "imker-pool";
  public static final String SECRET = "secret-of-the-client";

  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

  private final HttpServer http;
  private final KeyPair key;
  private volatile String nonce = "";
  private volatile boolean confirmed;

  public LoginProvider() throws IOException, GeneralSecurityException {
    KeyPairGenerator keys = KeyPairGenerator.getInstance("RSA");
    keys.initialize(2048);
    key = keys.generateKeyPair();
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    http.createContext("/", this::answer);
    http.start();
  }

  public String issuer() {
    return "http://127.0.0.1:" + http.getAddress().getPort();
  }

  /** The person has entered the code of a device. */
  public void confirm() {
    confirmed = true;
  }

  private void answer(HttpExchange exchange) throws IOException {
    switch (exchange.getRequestURI().getPath()) {
      case "/.well-known/openid-configuration" ->
          json(
              exchange,
              200,
              """
              {"issuer":"%1$s","authorization_endpoint":"%1$s/authorize","token_endpoint":"%1$s/token",
               "jwks_uri":"%1$s/jwks","device_authorization_endpoint":"%1$s/device"}
              """
                  .formatted(issuer()));
      case "/jwks" -> json(exchange, 200, publicKey());
      case "/authorize" -> {
        Map<String, String> asked = fields(exchange.getRequestURI().getRawQuery());
        nonce = asked.getOrDefault("nonce", "");
        String back = asked.get("redirect_uri") + "?code=one&state=" + asked.get("state");
        exchange.getResponseHeaders().set("Location", back);
        exchange.sendResponseHeaders(302, -1);
        exchange.close();
      }
      case "/device" ->
          json(
              exchange,
              200,
              """
              {"device_code":"device","user_code":"ABCD-EFGH","verification_uri":"%s/activate",
               "expires_in":600,"interval":1}
              """
                  .formatted(issuer()));
      case "/token" -> {
        String form = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        if (form.contains("device_code") && !confirmed) {
          json(exchange, 400, "{\"error\":\"authorization_pending\"}");
        } else {
          json(exchange, 200, "{\"token_type\":\"Bearer\",\"id_token\":\"" + idToken() + "\"}");
        }
      }
      default -> json(exchange, 404, "{}");
    }
  }

  private String publicKey() {
    RSAPublicKey shown = (RSAPublicKey) key.getPublic();
    return "{\"keys\":[{\"kty\":\"RSA\",\"kid\":\"1\",\"n\":\"%s\",\"e\":\"%s\"}]}"
        .formatted(
            BASE64.encodeToString(shown.getModulus().toByteArray()),
            BASE64.encodeToString(shown.getPublicExponent().toByteArray()));
  }

  private String idToken() {
    long now = System.currentTimeMillis() / 1000;
    String claims =
        """
        {"iss":"%s","sub":"1234","aud":"%s","iat":%d,"exp":%d,"nonce":"%s",
         "preferred_username":"ulla","groups":["staff"]}
        """
            .formatted(issuer(), CLIENT, now, now + 300, nonce);
    String text = encoded("{\"alg\":\"RS256\",\"kid\":\"1\"}") + "." + encoded(claims);
    try {
      Signature signature = Signature.getInstance("SHA256withRSA");
      signature.initSign(key.getPrivate());
      signature.update(text.getBytes(StandardCharsets.US_ASCII));
      return text + "." + BASE64.encodeToString(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String encoded(String text) {
    return BASE64.encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static Map<String, String> fields(String query) {
    Map<String, String> fields = new TreeMap<>();
    for (String field : query.split("&", -1)) {
      String[] parts = field.split("=", 2);
      fields.put(parts[0], URLDecoder.decode(parts[parts.length - 1], StandardCharsets.UTF_8));
    }
    return fields;
  }

  private static void json(HttpExchange exchange, int status, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Override
  public void close() {
    http.stop(0);
  }
}
