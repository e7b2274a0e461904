package dev.imker.store.internal.rows;

import static dev.imker.store.internal.rows.Bind.bind;

import dev.imker.model.AgentId;
import dev.imker.model.NodeId;
import dev.imker.model.ProjectId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/**
 * The numbers of names that occur in many rows; a name gets its number when it is first written.
 * For the writer's connection only. After a rollback the numbers must be dropped, because some may
 * have been rolled back.
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
    return known != null
        ? known
        : learn(users, name, "pool_user (name) VALUES (:name)", BY_NAME, bind("name", name));
  }

  public int project(ProjectId project) throws SQLException {
    Integer known = projects.get(project);
    if (known != null) {
      return known;
    }
    int user = user(project.user());
    String row = "project (pool_user, name) VALUES (:pool_user, :name)";
    return learn(
        projects,
        project,
        row,
        "(pool_user, name)",
        bind("pool_user", user),
        bind("name", project.name()));
  }

  public int node(NodeId node) throws SQLException {
    Integer known = nodes.get(node);
    return known != null
        ? known
        : learn(nodes, node, "node (name) VALUES (:name)", BY_NAME, bind("name", node.value()));
  }

  public int agent(AgentId agent) throws SQLException {
    Integer known = agents.get(agent);
    return known != null
        ? known
        : learn(agents, agent, "agent (name) VALUES (:name)", BY_NAME, bind("name", agent.value()));
  }

  private <K> int learn(Map<K, Integer> known, K key, String row, String unique, Bind... binds)
      throws SQLException {
    // The update changes nothing; it makes RETURNING return the number of an existing row.
    String sql =
        "INSERT INTO "
            + row
            + " ON CONFLICT "
            + unique
            + " DO UPDATE SET name = excluded.name RETURNING id";
    int id = Rows.first(connection, found -> found.getInt(1), sql, binds).orElseThrow();
    known.put(key, id);
    return id;
  }
}
