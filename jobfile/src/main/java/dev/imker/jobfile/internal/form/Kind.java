package dev.imker.jobfile.internal.form;

import dev.imker.jobfile.findings.Findings;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a field takes: how it is read, and how the schema describes it. Reader and schema are made
 * from the same kinds, so that they cannot say different things.
 */
interface Kind<T> {
  /** The value; null, with at least one finding, if it is none of this kind. */
  @Nullable T read(Tree tree, String field, Findings findings);

  /** Its JSON Schema. */
  Map<String, Object> schema();
}
