@NullMarked
package dev.imker.agent.internal.work;

import org.jspecify.annotations.NullMarked;
