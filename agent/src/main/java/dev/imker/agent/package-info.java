/** The process on a node that asks for work, runs it and brings the results back. */
@NullMarked
package dev.imker.agent;

import org.jspecify.annotations.NullMarked;
