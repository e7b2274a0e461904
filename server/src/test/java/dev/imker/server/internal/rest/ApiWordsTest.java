package dev.imker.server.internal.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.server.http.Access;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Json;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ApiWordsTest {
  @Test
  void a_route_is_in_the_document_even_if_nobody_found_words_for_it() throws IOException {
    Endpoint strange = Endpoint.post("/api/v1/strange/{path*}", Access.ADMIN, exchange -> {});
    JsonNode document = Json.MAPPER.readTree(OpenApi.document(List.of(strange)));
    JsonNode operation = document.get("paths").get("/api/v1/strange/{path}").get("post");
    assertThat(operation.get("x-imker-access").asText()).isEqualTo("admin");
    assertThat(operation.get("responses").has("403")).isTrue();
  }
}
