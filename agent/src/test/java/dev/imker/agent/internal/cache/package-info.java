@NullMarked
package dev.imker.agent.internal.cache;

import org.jspecify.annotations.NullMarked;
