@NullMarked
package dev.imker.wire;

import org.jspecify.annotations.NullMarked;
