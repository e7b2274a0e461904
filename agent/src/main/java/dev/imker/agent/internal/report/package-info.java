/** Reports to the server, until they are confirmed. */
@NullMarked
package dev.imker.agent.internal.report;

import org.jspecify.annotations.NullMarked;
