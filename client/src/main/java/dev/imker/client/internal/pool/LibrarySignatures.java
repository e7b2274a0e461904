package dev.imker.client.internal.pool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.client.internal.http.RestClient;
import dev.imker.model.BlobId;
import dev.imker.model.job.LibrarySeal;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Signatures of the jars that were uploaded to the pool as task libraries. */
public final class LibrarySignatures {
  private final RestClient rest;
  private final Map<BlobId, List<LibrarySeal>> known = new ConcurrentHashMap<>();
  private final Set<BlobId> asked = ConcurrentHashMap.newKeySet();

  LibrarySignatures(RestClient rest) {
    this.rest = rest;
  }

  /** Those there are; asks the pool once for every jar. */
  public List<LibrarySeal> of(Collection<BlobId> jars) throws InterruptedException {
    if (!asked.containsAll(jars)) {
      JsonNode all = rest.get("/api/v1/libraries");
      Set<BlobId> wanted = new HashSet<>(jars);
      for (JsonNode one : all.path("libraries")) {
        BlobId jar = new BlobId(one.path("sha256").asText());
        String signature = one.path("signature").asText();
        if (wanted.contains(jar) && !signature.isEmpty()) {
          LibrarySeal seal =
              new LibrarySeal(
                  one.path("name").asText(), one.path("version").asText(), jar, signature);
          known.merge(
              jar,
              List.of(seal),
              (some, more) -> Stream.concat(some.stream(), more.stream()).distinct().toList());
        }
      }
      asked.addAll(jars);
    }
    return jars.stream().flatMap(jar -> known.getOrDefault(jar, List.of()).stream()).toList();
  }
}
