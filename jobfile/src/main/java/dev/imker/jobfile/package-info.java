/** Jobs as files: reading YAML and TSV, the schema of job files, writing jobs as YAML. */
@NullMarked
package dev.imker.jobfile;

import org.jspecify.annotations.NullMarked;
