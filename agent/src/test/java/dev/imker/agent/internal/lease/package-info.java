@NullMarked
package dev.imker.agent.internal.lease;

import org.jspecify.annotations.NullMarked;
