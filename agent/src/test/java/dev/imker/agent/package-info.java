@NullMarked
package dev.imker.agent;

import org.jspecify.annotations.NullMarked;
