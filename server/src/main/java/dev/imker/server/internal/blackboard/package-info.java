/** The blackboard: named data shared by running tasks. */
@NullMarked
package dev.imker.server.internal.blackboard;

import org.jspecify.annotations.NullMarked;
