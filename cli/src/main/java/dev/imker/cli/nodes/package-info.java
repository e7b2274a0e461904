/** Commands for the machines of the pool. */
@NullMarked
package dev.imker.cli.nodes;

import org.jspecify.annotations.NullMarked;
