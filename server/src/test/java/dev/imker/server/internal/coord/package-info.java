@NullMarked
package dev.imker.server.internal.coord;

import org.jspecify.annotations.NullMarked;
