package dev.imker.planner.actions;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What an action needs and brings about.
 *
 * @param name unique in a library; for annotated classes the class name
 * @param parameters type and name of each value the action is done with
 * @param preconditions {@value #DIFFERS} demands that two parameters are different values
 */
public record ActionDescription(
    String name,
    List<Value> parameters,
    List<Relation> preconditions,
    List<Relation> effects,
    List<Relation> negativeEffects) {
  /** The relation that holds between any two different values. */
  public static final String DIFFERS = "Differs";

  public ActionDescription {
    parameters = List.copyOf(parameters);
    preconditions = List.copyOf(preconditions);
    effects = List.copyOf(effects);
    negativeEffects = List.copyOf(negativeEffects);
    check(name, parameters, preconditions, effects, negativeEffects);
  }

  private static void check(
      String name,
      List<Value> parameters,
      List<Relation> preconditions,
      List<Relation> effects,
      List<Relation> negativeEffects) {
    Set<String> declared = new HashSet<>();
    for (Value parameter : parameters) {
      if (!declared.add(parameter.name())) {
        throw fault(name, "the parameter '" + parameter.name() + "' is declared twice");
      }
    }
    for (List<Relation> relations : List.of(preconditions, effects, negativeEffects)) {
      for (Relation relation : relations) {
        for (String term : relation.terms()) {
          if (!declared.contains(term)) {
            throw fault(name, "'" + term + "' in " + relation + " is not a parameter");
          }
        }
      }
    }
    for (List<Relation> relations : List.of(effects, negativeEffects)) {
      for (Relation relation : relations) {
        if (!relation.positive() || relation.name().equals(DIFFERS)) {
          throw fault(name, relation + " cannot be an effect");
        }
      }
    }
    for (Relation relation : preconditions) {
      if (relation.name().equals(DIFFERS) && relation.terms().size() != 2) {
        throw fault(name, relation + " needs two parameters");
      }
    }
  }

  private static IllegalArgumentException fault(String name, String problem) {
    return new IllegalArgumentException("action " + name + ": " + problem);
  }

  /** The type-based form: an action takes values of some types and makes values of others. */
  public static ActionDescription typed(
      String name, List<String> preconditions, List<String> effects, List<String> negativeEffects) {
    return new ActionDescription(
        name, List.of(), types(preconditions), types(effects), types(negativeEffects));
  }

  private static List<Relation> types(List<String> names) {
    return names.stream().map(type -> new Relation(type, List.of(), true)).toList();
  }

  /**
   * The textual form, such as parameters {@code File(d)}, {@code Folder(to)} and effects {@code
   * In(d,to)}.
   *
   * @throws IllegalArgumentException if a text cannot be understood
   */
  public static ActionDescription relational(
      String name,
      List<String> parameters,
      List<String> preconditions,
      List<String> effects,
      List<String> negativeEffects) {
    try {
      return new ActionDescription(
          name,
          parameters.stream().map(ActionDescription::parameter).toList(),
          preconditions.stream().map(Relation::parse).toList(),
          effects.stream().map(Relation::parse).toList(),
          negativeEffects.stream().map(Relation::parse).toList());
    } catch (IllegalArgumentException fault) {
      String message = String.valueOf(fault.getMessage());
      throw new IllegalArgumentException(
          message.startsWith("action ") ? message : "action " + name + ": " + message, fault);
    }
  }

  private static Value parameter(String text) {
    Relation relation = Relation.parse(text);
    if (relation.terms().size() != 1 || !relation.positive()) {
      throw new IllegalArgumentException(
          "expected a parameter such as 'File(f)' but found '" + text + "'");
    }
    return new Value(relation.name(), relation.terms().getFirst());
  }
}
