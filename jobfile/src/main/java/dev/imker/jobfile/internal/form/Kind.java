package dev.imker.jobfile.internal.form;

import dev.imker.jobfile.findings.Findings;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The type of a field: how it is read, and how the schema describes it. Reader and schema use the
 * same kinds, so they cannot disagree.
 */
interface Kind<T> {
  /** The value; null, with at least one finding, if it is not of this kind. */
  @Nullable T read(Tree tree, String field, Findings findings);

  /** Its JSON Schema. */
  Map<String, Object> schema();
}
