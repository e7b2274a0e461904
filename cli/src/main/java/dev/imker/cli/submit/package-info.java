/** Commands that send jobs to the pool. */
@NullMarked
package dev.imker.cli.submit;

import org.jspecify.annotations.NullMarked;
