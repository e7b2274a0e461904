/** Export and import of jobs with their results. */
@NullMarked
package dev.imker.server.internal.archive;

import org.jspecify.annotations.NullMarked;
