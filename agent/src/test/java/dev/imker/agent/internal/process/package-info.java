@NullMarked
package dev.imker.agent.internal.process;

import org.jspecify.annotations.NullMarked;
