package dev.imker.server.internal.rest.nodes;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.core.message.NodeTerms;
import dev.imker.core.message.NodeTerms.Order;
import dev.imker.core.message.NodeTerms.Restriction;
import dev.imker.model.NodeId;
import dev.imker.model.job.JobKind;
import dev.imker.server.commands.Await;
import dev.imker.server.commands.NodeCommands;
import dev.imker.server.http.Access;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.internal.rest.request.Choices;
import dev.imker.server.internal.rest.request.JsonFields;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** {@code /api/v1/nodes/NODE/terms}: pause, drain and restrict a node from the server. */
public record NodeTermsRoutes(NodeRoutes nodes, NodeCommands commands) {
  private static final int MAX_BYTES = 20_000;
  private static final int LONGEST_REASON = 200;
  private static final int MAX_SERVED = 100;
  private static final int MAX_CORES = 100_000;

  public List<Endpoint> endpoints() {
    return List.of(Endpoint.post("/api/v1/nodes/{node}/terms", Access.ADMIN, this::change));
  }

  private void change(Exchange exchange) throws IOException, InterruptedException {
    NodeView node = nodes.find(exchange.param("node"));
    JsonFields body =
        JsonFields.of(
            exchange.json(MAX_BYTES),
            "",
            Set.of("paused", "draining", "restriction", "unsandboxed", "why"));
    String why = body.text("why", "").strip();
    if (why.length() > LONGEST_REASON) {
      throw ApiException.invalid(
          "why", "why has %d characters; %d is the limit.".formatted(why.length(), LONGEST_REASON));
    }
    // Read before the change, so that what is wrong is refused before anything happens.
    next(NodeTerms.NONE, body, new Order("", "", 0));
    String by = exchange.identity().user();
    Await.answer(
        commands.terms(
            new NodeId(node.id()),
            (terms, nowMillis) -> next(terms, body, new Order(by, why, nowMillis))));
    exchange.json(200, nodes.find(node.id()));
  }

  private static NodeTerms next(NodeTerms terms, JsonFields body, Order order) {
    NodeTerms next = terms;
    if (body.has("paused")) {
      next = next.withPaused(body.flag("paused", false) ? order : null);
    }
    if (body.has("draining")) {
      next = next.withDraining(body.flag("draining", false) ? order : null);
    }
    if (body.has("restriction")) {
      Restriction restriction = restriction(body, order);
      next = next.withRestriction(isNone(restriction) ? null : restriction);
    }
    if (body.has("unsandboxed")) {
      next = next.withUnsandboxed(body.flag("unsandboxed", false) ? order : null);
    }
    return next;
  }

  private static boolean isNone(Restriction restriction) {
    return restriction.serves().isEmpty()
        && restriction.kinds().isEmpty()
        && restriction.cores() == 0;
  }

  private static Restriction restriction(JsonFields body, Order order) {
    JsonFields fields = body.object("restriction", Set.of("serves", "kinds", "cores"));
    return new Restriction(
        fields.list("serves", MAX_SERVED, NodeTermsRoutes::served),
        new HashSet<>(fields.list("kinds", JobKind.values().length, NodeTermsRoutes::kind)),
        (int) fields.number("cores", 0, 0, MAX_CORES),
        order);
  }

  private static String served(JsonNode value, String where) {
    String text = value.asText("");
    if (!text.matches("[^/\\s]+(/[^/\\s]+)?")) {
      throw ApiException.invalid(
          where, where + " must be USER, USER/PROJECT, */PROJECT or *, without spaces.");
    }
    return text;
  }

  private static JobKind kind(JsonNode value, String where) {
    return Choices.parse(JobKind.class, value.asText(""), where);
  }
}
