package dev.imker.server.rest;

import dev.imker.model.InputException;
import dev.imker.model.Placeholders;
import dev.imker.model.SweepAxis;
import dev.imker.server.http.ApiException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The names that <code>${name}</code> may refer to in a job. */
final class Parameters {
  private static final Set<String> ALWAYS = Set.of("task", "job");
  private final Set<String> known = new TreeSet<>(ALWAYS);

  Parameters(List<SweepAxis> sweep) {
    sweep.forEach(axis -> known.add(axis.name()));
  }

  static String checkName(String field, String name) {
    if (!name.matches("[A-Za-z_][A-Za-z0-9_]{0,99}")) {
      throw ApiException.invalid(
          field,
          field
              + "="
              + name
              + ": a parameter has letters, digits and _, and begins with a letter.");
    }
    if (ALWAYS.contains(name)) {
      throw ApiException.invalid(
          field, field + ": ${" + name + "} has a meaning already; choose another name.");
    }
    return name;
  }

  void check(String field, List<String> texts) {
    for (int i = 0; i < texts.size(); i++) {
      check(field + "[" + i + "]", texts.get(i));
    }
  }

  void check(String field, String text) {
    try {
      Placeholders.check(field, text, known);
    } catch (InputException e) {
      throw ApiException.invalid(field, String.valueOf(e.getMessage()));
    }
  }

  /** The text with some value in place of every reference. */
  String sample(String text) {
    return Placeholders.expand(text, name -> "x");
  }
}
