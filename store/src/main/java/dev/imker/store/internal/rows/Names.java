package dev.imker.store.internal.rows;

import dev.imker.model.AgentId;
import dev.imker.model.NodeId;
import dev.imker.model.ProjectId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/**
 * Numbers of the names that occur in many rows; a name gets its number when it is first written.
 * For the writer's connection only. After a rollback the numbers must be forgotten, since some may
 * have gone with it.
 */
public final class Names {
  private static final String BY_NAME = "(name)";

  private final Connection connection;
  private final Map<String, Integer> users = new HashMap<>();
  private final Map<ProjectId, Integer> projects = new HashMap<>();
  private final Map<NodeId, Integer> nodes = new HashMap<>();
  private final Map<AgentId, Integer> agents = new HashMap<>();

  public Names(Connection connection) {
    this.connection = connection;
  }

  public void forget() {
    users.clear();
    projects.clear();
    nodes.clear();
    agents.clear();
  }

  public int user(String name) throws SQLException {
    Integer known = users.get(name);
    return known != null ? known : learn(users, name, "pool_user (name) VALUES (?)", BY_NAME, name);
  }

  public int project(ProjectId project) throws SQLException {
    Integer known = projects.get(project);
    if (known != null) {
      return known;
    }
    int user = user(project.user());
    String row = "project (pool_user, name) VALUES (?, ?)";
    return learn(projects, project, row, "(pool_user, name)", user, project.name());
  }

  public int node(NodeId node) throws SQLException {
    Integer known = nodes.get(node);
    return known != null
        ? known
        : learn(nodes, node, "node (name) VALUES (?)", BY_NAME, node.value());
  }

  public int agent(AgentId agent) throws SQLException {
    Integer known = agents.get(agent);
    return known != null
        ? known
        : learn(agents, agent, "agent (name) VALUES (?)", BY_NAME, agent.value());
  }

  private <K> int learn(Map<K, Integer> known, K key, String row, String unique, Object... values)
      throws SQLException {
    // The update changes nothing; it makes RETURNING tell the number of a row that is there.
    String sql =
        "INSERT INTO "
            + row
            + " ON CONFLICT "
            + unique
            + " DO UPDATE SET name = excluded.name RETURNING id";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        Rows.set(statement, i + 1, values[i]);
      }
      try (ResultSet rows = statement.executeQuery()) {
        rows.next();
        int id = rows.getInt(1);
        known.put(key, id);
        return id;
      }
    }
  }
}
