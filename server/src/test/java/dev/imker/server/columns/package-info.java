@NullMarked
package dev.imker.server.columns;

import org.jspecify.annotations.NullMarked;
