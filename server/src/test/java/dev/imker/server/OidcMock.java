package dev.imker.server;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * A provider of OpenID Connect on a socket: whoever comes is logged in as the person that the test
 * says. It keeps to the rules (one use of a code, PKCE, client, redirect) unless told otherwise.
 */
final class OidcMock implements AutoCloseable {
  static final String CLIENT = "imker-pool";
  static final String SECRET = "s3cret of the client";

  private record Code(String client, String redirect, String challenge, String nonce) {}

  private final HttpServer http;
  private final Map<String, Code> codes = new ConcurrentHashMap<>();
  private final AtomicInteger numbers = new AtomicInteger();
  volatile RSAKey key = newKey("first");
  volatile List<RSAKey> published = List.of(key);
  volatile String subject = "1234";
  volatile String user = "ulla";
  volatile List<String> groups = List.of("staff");
  volatile boolean confirmed;
  volatile UnaryOperator<JWTClaimsSet.Builder> claims = all -> all;
  volatile Function<JWTClaimsSet, String> signing = this::signed;

  OidcMock() {
    try {
      http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    http.createContext("/.well-known/openid-configuration", this::discovery);
    http.createContext(
        "/jwks", exchange -> json(exchange, 200, new JWKSet(List.copyOf(published)).toString()));
    http.createContext("/authorize", this::authorize);
    http.createContext("/token", this::token);
    http.createContext("/device", this::device);
    http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    http.start();
  }

  static RSAKey newKey(String id) {
    try {
      return new RSAKeyGenerator(2048).keyID(id).generate();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  String issuer() {
    return "http://127.0.0.1:" + http.getAddress().getPort();
  }

  private void discovery(HttpExchange exchange) throws IOException {
    json(
        exchange,
        200,
        """
        {"issuer":"%1$s","authorization_endpoint":"%1$s/authorize","token_endpoint":"%1$s/token",
         "jwks_uri":"%1$s/jwks","device_authorization_endpoint":"%1$s/device"}
        """
            .formatted(issuer()));
  }

  private void authorize(HttpExchange exchange) throws IOException {
    Map<String, String> query = fields(String.valueOf(exchange.getRequestURI().getRawQuery()));
    if (!"S256".equals(query.get("code_challenge_method"))) {
      json(exchange, 400, "{\"error\":\"invalid_request\"}");
      return;
    }
    String code =
        issue(
            query.getOrDefault("client_id", ""),
            query.getOrDefault("redirect_uri", ""),
            query.getOrDefault("code_challenge", ""),
            query.getOrDefault("nonce", ""));
    exchange
        .getResponseHeaders()
        .set(
            "Location",
            query.get("redirect_uri")
                + "?code="
                + code
                + "&state="
                + URLEncoder.encode(query.getOrDefault("state", ""), StandardCharsets.UTF_8));
    exchange.sendResponseHeaders(302, -1);
    exchange.close();
  }

  /** A code as another client or another login would have got it. */
  String issue(String client, String redirect, String challenge, String nonce) {
    String code = "code-" + numbers.incrementAndGet();
    codes.put(code, new Code(client, redirect, challenge, nonce));
    return code;
  }

  private void token(HttpExchange exchange) throws IOException {
    Map<String, String> form =
        fields(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
    String pair =
        Base64.getEncoder()
            .encodeToString(
                (CLIENT + ":" + URLEncoder.encode(SECRET, StandardCharsets.UTF_8))
                    .getBytes(StandardCharsets.UTF_8));
    if (!("Basic " + pair).equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
      json(exchange, 401, "{\"error\":\"invalid_client\"}");
    } else if (form.getOrDefault("grant_type", "").endsWith("device_code")) {
      if (!confirmed) {
        json(exchange, 400, "{\"error\":\"authorization_pending\"}");
      } else {
        give(exchange, "");
      }
    } else {
      Code code = codes.remove(form.getOrDefault("code", ""));
      if (code == null
          || !code.client.equals(CLIENT)
          || !code.redirect.equals(form.get("redirect_uri"))
          || !code.challenge.equals(challenge(form.getOrDefault("code_verifier", "")))) {
        json(exchange, 400, "{\"error\":\"invalid_grant\"}");
      } else {
        give(exchange, code.nonce);
      }
    }
  }

  static String challenge(String verifier) {
    try {
      return Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString(
              MessageDigest.getInstance("SHA-256")
                  .digest(verifier.getBytes(StandardCharsets.US_ASCII)));
    } catch (java.security.NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private void give(HttpExchange exchange, String nonce) throws IOException {
    Instant now = Instant.now();
    JWTClaimsSet.Builder all =
        new JWTClaimsSet.Builder()
            .issuer(issuer())
            .subject(subject)
            .audience(CLIENT)
            .issueTime(Date.from(now))
            .expirationTime(Date.from(now.plusSeconds(300)))
            .claim("preferred_username", user)
            .claim("groups", groups);
    if (!nonce.isEmpty()) {
      all.claim("nonce", nonce);
    }
    json(
        exchange,
        200,
        "{\"access_token\":\"x\",\"token_type\":\"Bearer\",\"id_token\":\"%s\"}"
            .formatted(signing.apply(claims.apply(all).build())));
  }

  String signed(JWTClaimsSet all) {
    return signed(all, key);
  }

  static String signed(JWTClaimsSet all, RSAKey by) {
    try {
      SignedJWT token =
          new SignedJWT(
              new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(by.getKeyID()).build(), all);
      token.sign(new RSASSASigner(by));
      return token.serialize();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  static String unsigned(JWTClaimsSet all) {
    return new PlainJWT(all).serialize();
  }

  /** Signed with what everybody knows: the published key, taken for a shared secret. */
  String signedByPublicKey(JWTClaimsSet all) {
    try {
      SignedJWT token = new SignedJWT(new JWSHeader(JWSAlgorithm.HS256), all);
      token.sign(new MACSigner(key.toRSAPublicKey().getEncoded()));
      return token.serialize();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  private void device(HttpExchange exchange) throws IOException {
    json(
        exchange,
        200,
        """
        {"device_code":"device-1","user_code":"ABCD-EFGH","verification_uri":"%s/activate",
         "expires_in":600,"interval":1}
        """
            .formatted(issuer()));
  }

  static Map<String, String> fields(String form) {
    Map<String, String> fields = new TreeMap<>();
    for (String field : form.split("&", -1)) {
      int equals = field.indexOf('=');
      if (equals > 0) {
        fields.put(
            field.substring(0, equals),
            URLDecoder.decode(field.substring(equals + 1), StandardCharsets.UTF_8));
      }
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
