@NullMarked
package dev.imker.agent.internal.confine;

import org.jspecify.annotations.NullMarked;
