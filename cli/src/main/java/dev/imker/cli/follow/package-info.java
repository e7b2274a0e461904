/** Following a job to its end and fetching its results. */
@NullMarked
package dev.imker.cli.follow;

import org.jspecify.annotations.NullMarked;
