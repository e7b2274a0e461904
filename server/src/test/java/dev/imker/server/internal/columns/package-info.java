@NullMarked
package dev.imker.server.internal.columns;

import org.jspecify.annotations.NullMarked;
