package dev.imker.server.internal.oidc;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import dev.imker.model.ImkerException;
import dev.imker.model.text.SafeText;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Communicates with an OpenID Connect provider: discovery, code flow with PKCE, device flow. Tokens
 * are checked by the library (signature by the provider's published keys, which are fetched again
 * when one is not known; issuer, audience, times); the few requests around them are made here.
 */
public final class OidcProvider {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration REREAD = Duration.ofHours(1);
  private static final int MAX_BYTES = 1 << 20;
  private static final int MAX_WORD_CHARS = 200;
  private static final String DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

  /** By public keys only: a secret of the client signs nothing, and "none" even less. */
  private static final Set<JWSAlgorithm> ALGORITHMS =
      Set.of(
          JWSAlgorithm.RS256,
          JWSAlgorithm.RS384,
          JWSAlgorithm.RS512,
          JWSAlgorithm.PS256,
          JWSAlgorithm.PS384,
          JWSAlgorithm.PS512,
          JWSAlgorithm.ES256,
          JWSAlgorithm.ES384,
          JWSAlgorithm.ES512);

  /** What a provider says of itself. */
  private record Discovered(
      String issuer,
      URI authorization,
      URI token,
      Optional<URI> device,
      boolean basic,
      JWKSource<SecurityContext> keys,
      long readMillis) {}

  /** A login that was begun elsewhere; {@code code} is the server's, the rest is for people. */
  public record Device(
      String code, String userCode, String address, int seconds, int intervalSeconds) {}

  private final HttpClient http =
      HttpClient.newBuilder()
          .connectTimeout(PATIENCE)
          .followRedirects(HttpClient.Redirect.NEVER)
          .build();
  private final Clock clock;
  private volatile @Nullable Discovered discovered;

  public OidcProvider(Clock clock) {
    this.clock = clock;
  }

  // ---------------------------------------------------------------- code flow

  /** Where a browser logs in. */
  public URI loginPage(
      OidcSettings settings, String redirect, String state, String nonce, String verifier) {
    Map<String, String> query = new LinkedHashMap<>();
    query.put("response_type", "code");
    query.put("client_id", settings.client());
    query.put("redirect_uri", redirect);
    query.put("scope", settings.scopes());
    query.put("state", state);
    query.put("nonce", nonce);
    query.put("code_challenge", challenge(verifier));
    query.put("code_challenge_method", "S256");
    String page = discover(settings).authorization.toString();
    return URI.create(page + (page.contains("?") ? "&" : "?") + form(query));
  }

  private static String challenge(String verifier) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Who came back with a code. */
  public OidcPerson redeem(
      OidcSettings settings, String redirect, String code, String nonce, String verifier)
      throws InterruptedException {
    Discovered provider = discover(settings);
    JsonNode answer =
        post(
            settings,
            provider,
            provider.token,
            Map.of(
                "grant_type", "authorization_code",
                "code", code,
                "redirect_uri", redirect,
                "code_verifier", verifier));
    if (!answer.path("error").asText().isEmpty()) {
      throw new OidcRefusedException(
          "The identity provider rejected the login: " + error(answer) + ".");
    }
    return person(settings, provider, answer, Optional.of(nonce));
  }

  // ---------------------------------------------------------------- device flow

  /** Begins a login that somebody confirms in a browser anywhere. */
  public Device begin(OidcSettings settings) throws InterruptedException {
    Discovered provider = discover(settings);
    URI device =
        provider.device.orElseThrow(
            () ->
                new OidcRefusedException(
                    "The identity provider has no device flow; log in on the web page and"
                        + " create a token there."));
    JsonNode answer = post(settings, provider, device, Map.of("scope", settings.scopes()));
    String code = answer.path("device_code").asText();
    String address =
        answer.path("verification_uri_complete").asText(answer.path("verification_uri").asText());
    if (code.isEmpty() || address.isEmpty()) {
      throw new OidcRefusedException(
          "The identity provider did not start a device flow: " + error(answer) + ".");
    }
    return new Device(
        code,
        word(answer.path("user_code")),
        secure(address).toString(),
        Math.clamp(answer.path("expires_in").asInt(600), 60, 3600),
        Math.clamp(answer.path("interval").asInt(5), 1, 60));
  }

  /** Who confirmed a login; empty while nobody has. */
  public Optional<OidcPerson> poll(OidcSettings settings, String deviceCode)
      throws InterruptedException {
    Discovered provider = discover(settings);
    JsonNode answer =
        post(
            settings,
            provider,
            provider.token,
            Map.of("grant_type", DEVICE_GRANT, "device_code", deviceCode));
    return switch (answer.path("error").asText()) {
      case "" -> Optional.of(person(settings, provider, answer, Optional.empty()));
      case "authorization_pending", "slow_down" -> Optional.empty();
      default ->
          throw new OidcRefusedException(
              "The identity provider rejected the login: " + error(answer) + ".");
    };
  }

  // ---------------------------------------------------------------- tokens

  private OidcPerson person(
      OidcSettings settings, Discovered provider, JsonNode answer, Optional<String> nonce) {
    JWTClaimsSet claims = verified(settings, provider, answer.path("id_token").asText());
    try {
      if (nonce.isPresent() && !nonce.get().equals(claims.getStringClaim("nonce"))) {
        throw new OidcRefusedException("The ID token was issued for another login; log in again.");
      }
      String party = claims.getStringClaim("azp");
      if (party == null ? claims.getAudience().size() > 1 : !party.equals(settings.client())) {
        throw new OidcRefusedException("The ID token was issued for another application.");
      }
      String name = claims.getStringClaim(settings.userClaim());
      if (name == null || name.isBlank()) {
        throw new OidcRefusedException(
            "The ID token has no claim %s, which names the user (setting oidc.user-claim)."
                .formatted(settings.userClaim()));
      }
      return new OidcPerson(
          settings.issuer(),
          claims.getSubject(),
          name,
          groups(claims.getClaim(settings.groupsClaim())));
    } catch (ParseException e) {
      throw new OidcRefusedException("The ID token has claims of an unknown type.", e);
    }
  }

  private static Set<String> groups(@Nullable Object claim) {
    return switch (claim) {
      case Collection<?> many -> many.stream().map(String::valueOf).collect(Collectors.toSet());
      case String one -> Set.of(one);
      case null, default -> Set.of();
    };
  }

  private static JWTClaimsSet verified(OidcSettings settings, Discovered provider, String token) {
    DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
    processor.setJWSKeySelector(new JWSVerificationKeySelector<>(ALGORITHMS, provider.keys));
    processor.setJWTClaimsSetVerifier(
        new DefaultJWTClaimsVerifier<>(
            settings.client(),
            new JWTClaimsSet.Builder().issuer(provider.issuer).build(),
            Set.of("sub", "iat", "exp")));
    try {
      return processor.process(token, null);
    } catch (ParseException | BadJOSEException | JOSEException e) {
      throw new OidcRefusedException(
          "The ID token is not valid: "
              + SafeText.line(String.valueOf(e.getMessage()), MAX_WORD_CHARS),
          e);
    }
  }

  // ---------------------------------------------------------------- requests

  private Discovered discover(OidcSettings settings) {
    Discovered known = discovered;
    if (known == null
        || !known.issuer.equals(settings.issuer())
        || clock.millis() - known.readMillis > REREAD.toMillis()) {
      known = read(settings.issuer());
      discovered = known;
    }
    return known;
  }

  private Discovered read(String issuer) {
    URI place = secure(issuer.replaceFirst("/$", "") + "/.well-known/openid-configuration");
    try {
      JsonNode said = send(HttpRequest.newBuilder(place).GET());
      if (!issuer.equals(said.path("issuer").asText())) {
        throw new ImkerException(
            "%s says that its issuer is %s; set oidc.issuer to exactly that."
                .formatted(place, word(said.path("issuer"))));
      }
      JsonNode methods = said.path("token_endpoint_auth_methods_supported");
      boolean basic = methods.isMissingNode();
      for (JsonNode method : methods) {
        basic |= method.asText().equals("client_secret_basic");
      }
      String device = said.path("device_authorization_endpoint").asText();
      return new Discovered(
          issuer,
          secure(said.path("authorization_endpoint").asText()),
          secure(said.path("token_endpoint").asText()),
          device.isEmpty() ? Optional.empty() : Optional.of(secure(device)),
          basic,
          keys(secure(said.path("jwks_uri").asText())),
          clock.millis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ImkerException("The server is stopping; try again later.", e);
    } catch (MalformedURLException e) {
      throw new ImkerException(place + " returned invalid addresses.", e);
    }
  }

  /** Keys are kept for some minutes, and fetched again when a token names one that is not there. */
  private static JWKSource<SecurityContext> keys(URI place) throws MalformedURLException {
    int millis = (int) PATIENCE.toMillis();
    return JWKSourceBuilder.create(
            place.toURL(), new DefaultResourceRetriever(millis, millis, MAX_BYTES))
        .rateLimited(false) // tokens come from the provider only: nobody makes this server ask
        .refreshAheadCache(false)
        .build();
  }

  /** An address that nobody on the way can change. */
  private static URI secure(String address) {
    try {
      URI uri = URI.create(address);
      boolean local =
          "http".equals(uri.getScheme())
              && List.of("localhost", "127.0.0.1", "[::1]").contains(String.valueOf(uri.getHost()));
      if (local || "https".equals(uri.getScheme())) {
        return uri;
      }
    } catch (IllegalArgumentException e) {
      // As one that is not secure.
    }
    throw new ImkerException(
        "The identity provider returned an address that is not https: "
            + SafeText.line(address, MAX_WORD_CHARS)
            + ".");
  }

  private JsonNode post(
      OidcSettings settings, Discovered provider, URI place, Map<String, String> fields)
      throws InterruptedException {
    Map<String, String> all = new LinkedHashMap<>(fields);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(place).header("Content-Type", "application/x-www-form-urlencoded");
    if (settings.secret().isEmpty()) {
      all.put("client_id", settings.client());
    } else if (provider.basic) {
      String pair = encode(settings.client()) + ":" + encode(settings.secret());
      request.header(
          "Authorization",
          "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.US_ASCII)));
    } else {
      all.put("client_id", settings.client());
      all.put("client_secret", settings.secret());
    }
    return send(request.POST(BodyPublishers.ofString(form(all))));
  }

  private JsonNode send(HttpRequest.Builder request) throws InterruptedException {
    HttpRequest whole = request.header("Accept", "application/json").timeout(PATIENCE).build();
    try {
      HttpResponse<byte[]> answer =
          http.send(whole, BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_BYTES));
      if (answer.statusCode() >= 500) {
        throw new ImkerException(
            "%s responded with %d.".formatted(whole.uri(), answer.statusCode()));
      }
      return MAPPER.readTree(answer.body());
    } catch (JsonProcessingException e) {
      throw new ImkerException(whole.uri() + " did not respond with JSON.", e);
    } catch (IOException e) {
      throw new ImkerException(
          "%s cannot be reached (%s).".formatted(whole.uri(), e.getClass().getSimpleName()), e);
    }
  }

  private static String form(Map<String, String> fields) {
    return fields.entrySet().stream()
        .map(field -> encode(field.getKey()) + "=" + encode(field.getValue()))
        .collect(Collectors.joining("&"));
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static String error(JsonNode answer) {
    return word(answer.path("error")) + " " + word(answer.path("error_description"));
  }

  private static String word(JsonNode text) {
    return SafeText.line(text.asText(), MAX_WORD_CHARS);
  }
}
