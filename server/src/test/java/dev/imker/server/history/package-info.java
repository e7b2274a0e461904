@NullMarked
package dev.imker.server.history;

import org.jspecify.annotations.NullMarked;
