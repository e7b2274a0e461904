/** The machine: identity, hardware, software. */
@NullMarked
package dev.imker.agent.internal.platform;

import org.jspecify.annotations.NullMarked;
