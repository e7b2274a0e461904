/** Routes that explain why a task waits or where a node spends its time. */
@NullMarked
package dev.imker.server.internal.rest.explain;

import org.jspecify.annotations.NullMarked;
