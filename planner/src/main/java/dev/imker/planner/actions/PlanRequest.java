package dev.imker.planner.actions;

import java.util.ArrayList;
import java.util.List;

/**
 * What is known and what is wanted.
 *
 * <pre>{@code
 * new PlanRequest()
 *     .has(value("File", "d")).has(value("Folder", "from")).has(value("Folder", "to"))
 *     .has(relation("In", "d", "from"))
 *     .wants(relation("In", "d", "to"))
 * }</pre>
 */
public final class PlanRequest {
  private final List<Value> values = new ArrayList<>();
  private final List<Relation> known = new ArrayList<>();
  private final List<Relation> wanted = new ArrayList<>();

  /** There is this value; also makes it known that one of its type exists. */
  public PlanRequest has(Value value) {
    values.add(value);
    return this;
  }

  public PlanRequest has(Relation relation) {
    if (!relation.positive()) {
      throw new IllegalArgumentException(
          relation + ": facts that are not listed do not hold anyway");
    }
    known.add(relation);
    return this;
  }

  /** A value of the type exists, the type-based form. */
  public PlanRequest has(String type) {
    return has(new Relation(type, List.of(), true));
  }

  public PlanRequest wants(Relation relation) {
    wanted.add(relation);
    return this;
  }

  /** A value of the type is wanted, the type-based form. */
  public PlanRequest wants(String type) {
    return wants(new Relation(type, List.of(), true));
  }

  List<Value> values() {
    return values;
  }

  List<Relation> known() {
    return known;
  }

  List<Relation> wanted() {
    return wanted;
  }
}
