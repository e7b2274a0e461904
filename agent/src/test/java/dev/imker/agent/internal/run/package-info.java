@NullMarked
package dev.imker.agent.internal.run;

import org.jspecify.annotations.NullMarked;
