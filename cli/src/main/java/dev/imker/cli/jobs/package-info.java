/** Commands that list, show, change and remove jobs of the pool. */
@NullMarked
package dev.imker.cli.jobs;

import org.jspecify.annotations.NullMarked;
