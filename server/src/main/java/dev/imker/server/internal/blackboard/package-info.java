/** Named data that running tasks put up for each other. */
@NullMarked
package dev.imker.server.internal.blackboard;

import org.jspecify.annotations.NullMarked;
