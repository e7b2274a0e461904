/** Following a job to its end and downloading its results. */
@NullMarked
package dev.imker.cli.follow;

import org.jspecify.annotations.NullMarked;
